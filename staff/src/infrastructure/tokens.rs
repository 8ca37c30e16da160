//! Which tokens that were given for a PIN are void: each carries the number it was given at, and older numbers are.

use std::time::Duration;

use contracts::ids::{StaffId, TenantId};
use contracts::time::Timestamp;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use platform::auth::Caller;
use platform::database::{Columns, Fault, RowChange};
use platform::http::Voided;
use platform::{Cache, Db, UnitOfWork, columns, params, statements};

use crate::{SCHEMA, StaffError};

statements! {
    GENERATION = "sql/token_generation.sql" (text) -> columns![generation: int4];
    VOID = "sql/token_void.sql" (text, timestamptz) -> &[];
}

/// People whose number is remembered, and for how long it is believed: a void token is good for no longer than this.
const REMEMBERED: usize = 20_000;
const BELIEVED: Duration = Duration::from_secs(5);

/// The number that the person's tokens are given at now.
pub async fn generation(uow: &mut UnitOfWork, staff: &StaffId) -> Result<i32, StaffError> {
    let row = uow.read_one(&GENERATION, &[staff]).await?;
    Ok(row.map(|row| row.read("generation")).transpose()?.unwrap_or_default())
}

/// The row that makes all of a person's tokens void.
pub(super) fn void(staff: &StaffId, now: Timestamp) -> RowChange {
    RowChange::new(&VOID, params![staff.clone(), now])
}

/// The gate's look at the numbers, in every process.
#[derive(Debug)]
pub struct TokenGenerations {
    db: Db,
    known: Cache<(TenantId, StaffId), i32>,
}

impl TokenGenerations {
    pub fn new(db: Db) -> Self {
        let known = Cache::new(db.clock().clone(), REMEMBERED, BELIEVED);
        Self { db, known }
    }

    /// The number that is believed. One that is behind what a token says is read again: nobody can make such a token by themselves, so it
    /// was given by another process, or a moment ago.
    async fn of(&self, tenant: &TenantId, staff: &StaffId, shown: i32) -> Result<i32, Fault> {
        let who = (tenant.clone(), staff.clone());
        if let Some(known) = self.known.get(&who).filter(|known| shown <= *known) {
            return Ok(known);
        }
        let found = self.db.read(&SCHEMA, tenant, async |uow| uow.read_one(&GENERATION, &[staff]).await).await?;
        let unexpected = |detail: String| Fault::Unexpected { place: "token_generation".to_owned(), detail };
        let generation = match found {
            Some(row) => row.read("generation").map_err(|error| unexpected(error.to_string()))?,
            None => 0,
        };
        self.known.insert(who, generation);
        Ok(generation)
    }
}

impl Voided for TokenGenerations {
    fn is_void<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<bool, Fault>> {
        async move {
            match (&caller.staff, caller.pin_generation) {
                (Some(staff), Some(generation)) => Ok(self.of(&caller.tenant, staff, generation).await? != generation),
                _ => Ok(false),
            }
        }
        .boxed()
    }
}
