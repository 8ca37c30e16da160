//! PINs over HTTP: set, taken away, and shown to sign in.

use axum::Json;
use axum::extract::State;
use contracts::ids::{PropertyId, StaffId};
use contracts::time::Timestamp;
use platform::http::{Answer, Command, Done, Id, Open, Problem};
use platform::{Refusal, UnitOfWork};
use schemars::JsonSchema;
use serde::Serialize;

use super::bodies::{SetPin, SignIn};
use super::checks;
use crate::application::pin::{Shown, Source, Taken};
use crate::application::{is_manager, is_self, people as stories};
use crate::domain::pin::Pin;
use crate::presentation::Staff;
use crate::{SCHEMA, StaffError};

/// A token, and what it is good for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SignedIn")]
pub(super) struct SignedInResource {
    token: String,
    expires_at: Timestamp,
    staff_id: StaffId,
    roles: Vec<&'static str>,
    properties: Vec<PropertyId>,
}

pub(super) async fn sign_in(State(staff): State<Staff>, open: Open<SignIn>) -> Result<Json<SignedInResource>, Problem> {
    let SignIn { tenant_id, staff_code, pin, kiosk } = open.body;
    let staff_code = checks::staff_code(&staff_code).map_err(StaffError::from)?;
    let shown = Shown { tenant: tenant_id, staff_code, pin, source: Source::Address(open.source) };
    let signed_in = staff.desk.sign_in(&shown, kiosk, &open.info).await?;
    Ok(Json(SignedInResource {
        token: signed_in.token,
        expires_at: signed_in.expires_at,
        staff_id: signed_in.staff_id,
        roles: signed_in.roles.iter().map(|role| role.as_str()).collect(),
        properties: signed_in.properties,
    }))
}

pub(super) async fn set(
    State(staff): State<Staff>,
    Id(id): Id<StaffId>,
    command: Command<SetPin>,
) -> Result<Answer<Done>, Problem> {
    let SetPin { pin, current_pin } = command.body.clone();
    let pin =
        pin.ok_or_else(|| StaffError::from(Refusal::invalid("pin", "digits between quotation marks, or null")))?;
    // The PIN that was right the first time is another by now: a repetition is told what came of it, and nothing is judged.
    if let Some(answer) = command.answered(&staff.db, &SCHEMA).await {
        return Ok(answer);
    }
    // Hashing takes its time, and no connection waits for it.
    let shown = match current_pin {
        Some(current) => Some(present(&staff, &command, &id, current).await?),
        None => None,
    };
    let new = match pin {
        Some(pin) => Some((pin.clone(), staff.desk.hash(&pin).await?)),
        None => None,
    };
    let story = async |uow: &mut UnitOfWork| {
        let whose = (&id, shown.as_ref());
        stories::set_pin(uow, &command.caller, command.if_match.as_ref(), whose, new).await?;
        Ok::<_, StaffError>(Done::new())
    };
    Ok(command.run(&staff.db, &SCHEMA, story).await)
}

/// Whether the present PIN is right: it counts like any other try.
async fn present(staff: &Staff, command: &Command<SetPin>, id: &StaffId, current: Pin) -> Result<Taken, StaffError> {
    let caller = &command.caller;
    let look = async |uow: &mut UnitOfWork| stories::look_up(uow, caller, id).await;
    let person = staff.db.read(&SCHEMA, &caller.tenant, look).await?;
    if !is_self(caller, id) && !is_manager(caller) {
        return Err(StaffError::NotSelf { field: "staffId" });
    }
    let shown = Shown {
        tenant: caller.tenant.clone(),
        staff_code: person.particulars.staff_code,
        pin: current,
        source: Source::Terminal(caller.subject.clone()),
    };
    staff.desk.judge(&shown).await
}
