//! Ids, times, words and actors as PostgreSQL keeps them: `text`, `timestamptz` and `jsonb`.
//!
//! A stored value that cannot be read back is an error that names it, and never a value that was left out. Without the
//! feature `postgres` none of this is there: reading events needs no database.

/// `text` for a type with `as_str` and a reader.
#[cfg(feature = "postgres")]
#[macro_export]
#[doc(hidden)]
macro_rules! sql_text {
    ($name:ident, $read:expr) => {
        impl $crate::sql::ToSql for $name {
            fn to_sql(
                &self,
                kind: &$crate::sql::Type,
                out: &mut $crate::sql::BytesMut,
            ) -> Result<$crate::sql::IsNull, $crate::sql::Failure> {
                $crate::sql::ToSql::to_sql(&self.as_str(), kind, out)
            }
            fn accepts(kind: &$crate::sql::Type) -> bool {
                <&str as $crate::sql::ToSql>::accepts(kind)
            }
            $crate::sql::to_sql_checked!();
        }

        impl<'a> $crate::sql::FromSql<'a> for $name {
            fn from_sql(kind: &$crate::sql::Type, raw: &'a [u8]) -> Result<Self, $crate::sql::Failure> {
                let text = <&str as $crate::sql::FromSql>::from_sql(kind, raw)?;
                let read: fn(&str) -> Result<$name, $crate::sql::Failure> = $read;
                read(text)
            }
            fn accepts(kind: &$crate::sql::Type) -> bool {
                <&str as $crate::sql::FromSql>::accepts(kind)
            }
        }
    };
}

#[cfg(not(feature = "postgres"))]
#[macro_export]
#[doc(hidden)]
macro_rules! sql_text {
    ($name:ident, $read:expr) => {};
}

#[cfg(feature = "postgres")]
pub use with_postgres::*;

#[cfg(feature = "postgres")]
mod with_postgres {
    pub use bytes::BytesMut;
    pub use postgres_types::{FromSql, IsNull, Json, ToSql, Type, to_sql_checked};

    use crate::actor::Actor;
    use crate::time::Timestamp;

    /// Why a value cannot be read or written.
    pub type Failure = Box<dyn std::error::Error + Sync + Send>;

    impl ToSql for Timestamp {
        fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Failure> {
            self.jiff().to_sql(kind, out)
        }
        fn accepts(kind: &Type) -> bool {
            <jiff::Timestamp as ToSql>::accepts(kind)
        }
        to_sql_checked!();
    }

    impl<'a> FromSql<'a> for Timestamp {
        fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Failure> {
            jiff::Timestamp::from_sql(kind, raw).map(Self::from_jiff)
        }
        fn accepts(kind: &Type) -> bool {
            <jiff::Timestamp as FromSql>::accepts(kind)
        }
    }

    impl ToSql for Actor {
        fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Failure> {
            Json(self).to_sql(kind, out)
        }
        fn accepts(kind: &Type) -> bool {
            <Json<Self> as ToSql>::accepts(kind)
        }
        to_sql_checked!();
    }

    impl<'a> FromSql<'a> for Actor {
        fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Failure> {
            Json::from_sql(kind, raw).map(|Json(actor)| actor)
        }
        fn accepts(kind: &Type) -> bool {
            <Json<Self> as FromSql>::accepts(kind)
        }
    }
}
