use std::time::Instant;
async fn one() {
    let t = Instant::now();
    let db = embedded::testing::database("bench", async |login: embedded::Login| {
        let (c, co) = login.config().connect(tokio_postgres::NoTls).await?;
        tokio::spawn(co);
        let mut s = String::new();
        for i in 0..40 { s.push_str(&format!("create table t{i}(id text primary key, b text, c timestamptz); create index on t{i}(b); create index on t{i}(c);")); }
        c.batch_execute(&s).await?;
        Ok(())
    }).await.unwrap();
    eprintln!("db {:?}", t.elapsed());
    let t = Instant::now();
    drop(db);
    eprintln!("drop {:?}", t.elapsed());
}
#[tokio::test]
async fn a() {
    one().await;
    one().await;
    one().await;
    one().await
}
