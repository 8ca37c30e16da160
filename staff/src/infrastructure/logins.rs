//! What is known of logins.

use contracts::ids::{PropertyId, UserId};
use contracts::time::Timestamp;
use platform::database::Columns;
use platform::{UnitOfWork, columns, params, statements};

use crate::StaffError;

statements! {
    TURN = "sql/login_turn.sql" (text) -> &[];
    FIND = "sql/login_find.sql" (text)
        -> columns![registered_at: timestamptz, member_at: timestamptz, removed_at: timestamptz];
    PUT = "sql/login_put.sql" (text, timestamptz, timestamptz, timestamptz) -> &[];
    HOME = "sql/login_home.sql" () -> columns![home_property_id: text];
}

/// What was told of a login, and when each of it happened last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Login {
    pub registered_at: Option<Timestamp>,
    pub member_at: Option<Timestamp>,
    pub removed_at: Option<Timestamp>,
}

impl Login {
    /// Whether the last that was told is that it no longer belongs to the tenant.
    pub fn is_removed(&self) -> bool {
        match (self.removed_at, self.member_at) {
            (Some(removed), Some(member)) => removed >= member,
            (removed, _) => removed.is_some(),
        }
    }
}

/// The login as it is known; until this unit of work ends nobody else is told of it.
pub async fn lock(uow: &mut UnitOfWork, user: &UserId) -> Result<Login, StaffError> {
    uow.read(&TURN, &[user]).await?;
    find(uow, user).await
}

pub async fn find(uow: &mut UnitOfWork, user: &UserId) -> Result<Login, StaffError> {
    let Some(row) = uow.read_one(&FIND, &[user]).await? else { return Ok(Login::default()) };
    Ok(Login {
        registered_at: row.read("registered_at")?,
        member_at: row.read("member_at")?,
        removed_at: row.read("removed_at")?,
    })
}

pub fn remember(uow: &mut UnitOfWork, user: &UserId, login: Login) {
    uow.project(&PUT, params![user.clone(), login.registered_at, login.member_at, login.removed_at]);
}

/// The tenant's first house, as far as is known here.
pub async fn first_house(uow: &mut UnitOfWork) -> Result<Option<PropertyId>, StaffError> {
    let row = uow.read_one(&HOME, &[]).await?;
    Ok(row.map(|row| row.read("home_property_id")).transpose()?)
}
