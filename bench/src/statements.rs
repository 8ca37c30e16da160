//! Which statements PostgreSQL spent its time on: where to look first.

use crate::Outcome;
use crate::stage::Stage;

/// So many are printed, the dearest first.
const MOST: i64 = 30;

/// From here on statements are counted.
pub(crate) async fn count(stage: &mut Stage) -> Outcome<()> {
    stage.change_setting("shared_preload_libraries = 'pg_stat_statements'").await?;
    Ok(stage.superuser().await?.batch_execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements").await?)
}

/// What was counted, in all and for each call, begun with the share of the whole.
pub(crate) async fn print(stage: &Stage) -> Outcome<()> {
    let rows = stage
        .superuser()
        .await?
        .query(
            r"SELECT total_exec_time AS ms, 100 * total_exec_time / sum(total_exec_time) OVER () AS share, calls,
                    1000 * mean_exec_time AS us, rows, left(regexp_replace(query, '\s+', ' ', 'g'), 110) AS query
             FROM pg_stat_statements
             ORDER BY total_exec_time DESC
             LIMIT $1",
            &[&MOST],
        )
        .await?;
    println!("\n{:>6} {:>9} {:>8} {:>9} {:>8}  statement", "share", "ms", "calls", "µs each", "rows");
    for row in rows {
        let [share, ms, us] = ["share", "ms", "us"].map(|column| row.get::<_, f64>(column));
        let [calls, found] = ["calls", "rows"].map(|column| row.get::<_, i64>(column));
        println!("{share:>5.1}% {ms:>9.0} {calls:>8} {us:>9.0} {found:>8}  {}", row.get::<_, &str>("query"));
    }
    Ok(())
}
