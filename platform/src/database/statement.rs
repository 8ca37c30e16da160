//! SQL that stands in files, with what it takes and gives written beside it.

/// One statement, sent by a unit of work for its tenant. A test prepares every one against the migrated schema and compares
/// the types, so a wrong column fails the build and not the night shift.
#[derive(Debug)]
pub struct Sql {
    pub name: &'static str,
    pub text: &'static str,
    /// PostgreSQL's names of the parameter types from `$2` on; `$1` is the tenant, a text, which the unit of work binds.
    pub params: &'static [&'static str],
    /// Columns that the Rust side reads, by name and type; the statement may give more.
    pub columns: &'static [(&'static str, &'static str)],
}

impl Sql {
    /// Whether others may have to wait for what it read.
    pub(super) fn locks(&self) -> bool {
        ["FOR UPDATE", "FOR NO KEY UPDATE", "advisory"].into_iter().any(|word| self.text.contains(word))
    }
}

/// Declares the statements of one folder and the list `ALL` of them for the test.
///
/// `LOCK = "lock.sql" (text, timestamptz) -> columns![id: text, version: int4];` takes the tenant as `$1` and two more.
#[macro_export]
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $file:literal ($($param:ident),*) -> $columns:expr;)*) => {
        $($(#[$doc])* pub(crate) static $name: $crate::Sql = $crate::Sql {
            name: $file,
            text: include_str!($file),
            params: &[$(stringify!($param)),*],
            columns: $columns,
        };)*
        /// Every statement of this folder, for the test that prepares them.
        #[allow(unreachable_pub, reason = "a folder may be private to its crate")]
        pub static ALL: &[&$crate::Sql] = &[$(&$name),*];
    };
}

/// Columns by name and PostgreSQL type: `columns![id: text, version: int4]`.
#[macro_export]
macro_rules! columns {
    ($($name:ident : $kind:ident),* $(,)?) => { &[$((stringify!($name), stringify!($kind))),*] };
}

/// Parameters that outlive the call: `params![task.id.clone(), now]`.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => { vec![$(Box::new($value) as $crate::database::Param),*] };
}
