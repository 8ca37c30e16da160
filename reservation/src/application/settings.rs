//! How the house works, and the rules for those who change their mind.

use contracts::ids::PropertyId;
use contracts::reservation::AlertKind;
use contracts::time::Timestamp;
use platform::UnitOfWork;
use platform::http::IfMatch;
use serde_json::{Map, Value};

use super::{alarms, alerts};
use crate::ReservationError;
use crate::domain::alerts::Matter;
use crate::domain::policy::{KeptPolicy, Policy};
use crate::domain::settings::{SaidSettings, Settings, hold_together, in_force, is_known, policy_version};
use crate::infrastructure::{policies, rooms, settings, timers};

/// Changes the settings that are named, for the tenant or for one house.
pub async fn change(
    uow: &mut UnitOfWork,
    property: Option<&PropertyId>,
    if_match: Option<&IfMatch>,
    values: Map<String, Value>,
) -> Result<(Settings, i32), ReservationError> {
    if let Some(unknown) = values.keys().find(|field| !is_known(field)) {
        return Err(platform::Refusal::invalid(unknown.clone(), "there is no such setting").into());
    }
    let now = uow.now();
    let (tenant, house) = settings::lock(uow, property).await?;
    IfMatch::check(if_match, tenant.version + house.version)?;
    let (mut tenant, mut house) = (tenant, house);
    let decided = match property {
        Some(_) => house.clone().change_by_hand(values, now, Some(&tenant))?,
        None => tenant.clone().change_by_hand(values, now, None)?,
    };
    if let Some(decided) = decided {
        if property.is_none() {
            hold_together(decided.state(), &settings::houses(uow).await?)?;
        }
        let saved = uow.save(decided);
        let said = if property.is_some() { &mut house } else { &mut tenant };
        let before = std::mem::replace(said, saved);
        let was = if property.is_some() { (&tenant, Some(&before)) } else { (&before, None) };
        look_again(uow, property, was, (&tenant, property.map(|_| &house)))?;
    }
    let in_force = in_force(&tenant, Some(&house))?;
    if policies::find(uow, &in_force.cancellation_policy_version).await?.is_none() {
        return Err(ReservationError::PolicyUnknown(in_force.cancellation_policy_version));
    }
    Ok((in_force, tenant.version + house.version))
}

/// The tenant's settings as another service tells them: what is known replaces ours, the later word counts, and all of it is
/// refused where one value cannot be.
pub async fn hear(uow: &mut UnitOfWork, values: Map<String, Value>, at: Timestamp) -> Result<(), ReservationError> {
    let (tenant, _) = settings::lock(uow, None).await?;
    let (before, mut values) = (tenant.clone(), values);
    // What is no version at all is refused with the rest.
    if let Some(version) = values.get("cancellationPolicyVersion").and_then(policy_version)
        && policies::find(uow, &version).await?.is_none()
    {
        // The last one that is known stays in force.
        tracing::warn!(version, "a cancellation policy was told that is not known here");
        for property_id in rooms::houses(uow).await? {
            reside(uow, Some(&property_id)).await?;
            let kind = AlertKind::PolicyUnknown;
            let matter = Matter { property_id, kind, reservation_id: None, room_id: None, suggested_room_id: None };
            alerts::raise(uow, matter).await?;
        }
        values.remove("cancellationPolicyVersion");
    }
    if let Some(decided) = before.change(values, at, None)? {
        hold_together(decided.state(), &settings::houses(uow).await?)?;
        let after = uow.save(decided);
        look_again(uow, None, (&tenant, None), (&after, None))?;
    }
    Ok(())
}

/// The tenant's settings, and those of the house that is meant.
type Said<'a> = (&'a SaidSettings, Option<&'a SaidSettings>);

/// Timers look again where the hours of the house are other ones: another name makes nobody late.
fn look_again(
    uow: &mut UnitOfWork,
    property: Option<&PropertyId>,
    before: Said<'_>,
    after: Said<'_>,
) -> Result<(), ReservationError> {
    if alarms::differ(&in_force(before.0, before.1)?, &in_force(after.0, after.1)?) {
        timers::look_again(uow, property);
    }
    Ok(())
}

/// What is told from here on says where the data of the house, or of the tenant, lies.
pub(super) async fn reside(uow: &mut UnitOfWork, property: Option<&PropertyId>) -> Result<(), ReservationError> {
    let (in_force, _) = settings::load(uow, property).await?;
    uow.resides_in(&in_force.region);
    Ok(())
}

/// A new version of the rules.
pub async fn make_policy(uow: &mut UnitOfWork, policy: Policy) -> Result<Policy, ReservationError> {
    if let Some((field, rule)) = policy.fault() {
        return Err(platform::Refusal::invalid(field, rule).into());
    }
    if policies::find(uow, &policy.version).await?.is_some() {
        return Err(ReservationError::PolicyMade(policy.version));
    }
    Ok(uow.save(KeptPolicy::make(policy)).policy)
}
