//! Who used the processors: the product, PostgreSQL, and those who ask.

use crate::Outcome;
use crate::stage::{Product, Stage};

/// Processor seconds used so far, by everybody who takes part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Used {
    product: f64,
    database: f64,
    /// This process, and the pgbench runs that have ended.
    asking: f64,
}

/// Microseconds of processor time for each operation.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[expect(clippy::struct_field_names, reason = "the unit is part of the figure")]
pub(crate) struct Cost {
    pub(crate) product_us: f64,
    pub(crate) postgresql_us: f64,
    pub(crate) client_us: f64,
}

impl Used {
    pub(crate) fn now(stage: &Stage, product: &Product) -> Outcome<Self> {
        let (own, database) = (Stat::of(std::process::id())?, used_by_database(stage)?);
        Ok(Self { product: Stat::of(product.pid()?)?.own, database, asking: own.own + own.ended_children })
    }

    /// What each of so many operations has cost since then.
    pub(crate) fn cost_since(self, then: Self, operations: f64) -> Cost {
        let each = |now: f64, then: f64| (now - then) * 1e6 / operations.max(1.0);
        Cost {
            product_us: each(self.product, then.product),
            postgresql_us: each(self.database, then.database),
            client_us: each(self.asking, then.asking),
        }
    }
}

/// Processor seconds that PostgreSQL has used so far.
pub(crate) fn used_by_database(stage: &Stage) -> Outcome<f64> {
    let postmaster = u32::try_from(stage.cluster()?.postmaster_pid())?;
    // Backends that have ended are counted with the postmaster.
    let mut used = Stat::of(postmaster)?.ended_children;
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // A process may end while we look.
        if let Ok(stat) = Stat::of(pid)
            && stat.parent == postmaster
        {
            used += stat.own;
        }
    }
    Ok(used)
}

/// Processor seconds that one process has used so far.
pub(crate) fn used_by(pid: u32) -> Outcome<f64> {
    Ok(Stat::of(pid)?.own)
}

struct Stat {
    parent: u32,
    own: f64,
    ended_children: f64,
}

impl Stat {
    /// From /proc; the kernel counts hundredths of a second.
    fn of(pid: u32) -> Outcome<Self> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
        let (_, fields) = text.rsplit_once(')').ok_or("no process name in /proc")?;
        let fields: Vec<u32> = fields.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
        let field = |at: usize| fields.get(at).copied().unwrap_or(0);
        let seconds = |first: usize| f64::from(field(first) + field(first + 1)) / 100.0;
        Ok(Self { parent: field(1), own: seconds(11), ended_children: seconds(13) })
    }
}
