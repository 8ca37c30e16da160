use embedded::{Cluster, Options};
use std::time::Instant;
#[tokio::test]
async fn times() {
    for d in ["/tmp/mel-x1", "/root/mel-x2"] {
        let _ = std::fs::remove_dir_all(d);
        for _ in 0..3 {
            let t = Instant::now();
            let c = Cluster::start(Options::new(d)).await.unwrap();
            eprintln!("start {:?}", t.elapsed());
            let t = Instant::now();
            let (cl, co) = c.login().config().connect(tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(co);
            eprintln!("connect {:?}", t.elapsed());
            let v: String = cl
                .query_one("select current_setting('data_directory')", &[])
                .await
                .map(|r| r.get(0))
                .unwrap_or_default();
            eprintln!("{v} {:?}", c.binaries());
            let t = Instant::now();
            c.stop().await.unwrap();
            eprintln!("stop {:?}", t.elapsed());
        }
        std::process::Command::new("ls").arg("-laR").arg(d).arg("--ignore=data").status().unwrap();
    }
}
