//! The clock: people come, rest and go. The four events look alike; the subject tells which it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{ClockEntryId, DeviceId, PropertyId, ShiftId, StaffId, TenantId};
use crate::payload::payload;
use crate::time::Timestamp;
use crate::values::spelled;
use crate::words::open_words;

open_words! {
    /// Where somebody punched the clock.
    ClockSource {
        /// At the terminal, by PIN.
        ElectronPin = "electron_pin",
        /// On the phone.
        Mobile = "mobile",
        /// In the browser.
        Web = "web",
        /// By a manager, for the person.
        ManagerOverride = "manager_override",
        /// By the timer that closes what was forgotten.
        AutoClose = "auto_close",
    }
}

macro_rules! clock_punch {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
            #[serde(rename_all = "camelCase")]
            pub struct $name {
                /// The punch.
                pub clock_entry_id: ClockEntryId,
                /// The tenant.
                #[serde(serialize_with = "spelled::ten")]
                pub tenant_id: TenantId,
                /// The person.
                pub staff_id: StaffId,
                /// The house.
                #[serde(serialize_with = "spelled::ppt")]
                pub property_id: PropertyId,
                /// The shift it belongs to, where there is one.
                #[serde(skip_serializing_if = "Option::is_none")]
                pub shift_id: Option<ShiftId>,
                /// When it was.
                pub occurred_at_utc: Timestamp,
                /// When we learnt of it.
                pub recorded_at_utc: Timestamp,
                /// Where it was punched.
                pub source: ClockSource,
                /// The terminal or telephone, where there is one.
                #[serde(skip_serializing_if = "Option::is_none")]
                pub device_id: Option<DeviceId>,
                /// Whether a manager did it for the person.
                pub manager_override: bool,
                /// Whether it waited on a device without a connection.
                pub from_offline_replay: bool,
                /// Whether it belongs to a planned shift.
                pub matched_scheduled_shift: bool,
                /// The version of the thing after this change.
                #[serde(skip_serializing_if = "Option::is_none")]
                pub aggregate_version: Option<u64>,
            }
        )+
    };
}

clock_punch! {
    /// A person came.
    ClockInV1;
    /// A person went.
    ClockOutV1;
    /// A person rests.
    ClockBreakStartedV1;
    /// A person is back from a rest.
    ClockBreakEndedV1;
}

payload! {
    ClockInV1 = "melmastoon.staff.clock.in.v1";
    ClockOutV1 = "melmastoon.staff.clock.out.v1";
    ClockBreakStartedV1 = "melmastoon.staff.clock.break_started.v1";
    ClockBreakEndedV1 = "melmastoon.staff.clock.break_ended.v1";
}
