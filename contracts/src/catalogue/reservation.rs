//! What reservation publishes: what the law wants for seven years, the rest for a year or 90 days.

use super::entry::Status::{Designed, Specified};
use super::entry::{Entry, Retention};
use crate::reservation::{
    AlertRaisedV1, CancelledV1, CheckInStartedV1, CheckedInV1, CheckedOutV1, CheckoutStartedV1, ConfirmedV1,
    DatesChangedV1, EarlyCheckoutV1, GuestErasedV1, HeldV1, HoldExpiredV1, ModificationRequestedV1, ModifiedV1,
    NoShowV1, OverstayedV1, QuoteCreatedV1, QuoteRequestedV1, SpecialRequestAddedV1,
};

const BRIEFLY: Retention = Retention::operational(90);
const A_YEAR: Retention = Retention::operational(365);
const BY_LAW: Retention = Retention::REGULATED;
const STAY: &[&str] = &["reservationId"];

pub(super) static PUBLISHED: &[Entry] = &[
    Entry::of::<QuoteRequestedV1>(Designed, BRIEFLY, &["guestId", "deviceId"]).read_by(&["analytics-service"]),
    Entry::of::<QuoteCreatedV1>(Designed, BRIEFLY, &["quoteId"]).read_by(&["pricing-service"]),
    Entry::of::<HeldV1>(Specified, BY_LAW, STAY).read_by(&["inventory-service", "analytics-service"]),
    Entry::of::<HoldExpiredV1>(Specified, A_YEAR, STAY).read_by(&[
        "inventory-service",
        "payment-gateway-service",
        "notification-service",
    ]),
    Entry::of::<ConfirmedV1>(Specified, BY_LAW, STAY).read_by(&[
        "housekeeping-service",
        "billing-service",
        "lock-integration-service",
        "notification-service",
        "analytics-service",
        "search-aggregation-service",
        "audit-service",
        "sync-service",
    ]),
    Entry::of::<CancelledV1>(Specified, BY_LAW, STAY).read_by(&[
        "housekeeping-service",
        "inventory-service",
        "payment-gateway-service",
        "lock-integration-service",
        "notification-service",
        "billing-service",
        "analytics-service",
    ]),
    Entry::of::<ModifiedV1>(Specified, BY_LAW, STAY).read_by(&[
        "housekeeping-service",
        "inventory-service",
        "payment-gateway-service",
        "billing-service",
        "lock-integration-service",
        "analytics-service",
    ]),
    Entry::of::<DatesChangedV1>(Designed, BY_LAW, STAY).read_by(&["housekeeping-service", "inventory-service"]),
    Entry::of::<CheckInStartedV1>(Designed, A_YEAR, STAY).read_by(&["lock-integration-service"]),
    Entry::of::<CheckedInV1>(Specified, BY_LAW, STAY).read_by(&[
        "housekeeping-service",
        "billing-service",
        "notification-service",
        "analytics-service",
        "lock-integration-service",
        "sync-service",
    ]),
    Entry::of::<CheckoutStartedV1>(Designed, A_YEAR, STAY).read_by(&["billing-service"]),
    Entry::of::<CheckedOutV1>(Specified, BY_LAW, STAY).read_by(&[
        "housekeeping-service",
        "inventory-service",
        "lock-integration-service",
        "billing-service",
        "notification-service",
        "analytics-service",
        "audit-service",
    ]),
    Entry::of::<NoShowV1>(Specified, BY_LAW, STAY).read_by(&[
        "housekeeping-service",
        "inventory-service",
        "billing-service",
    ]),
    Entry::of::<EarlyCheckoutV1>(Specified, BY_LAW, STAY).read_by(&[
        "housekeeping-service",
        "inventory-service",
        "billing-service",
    ]),
    Entry::of::<OverstayedV1>(Specified, A_YEAR, STAY).read_by(&["billing-service"]),
    Entry::of::<SpecialRequestAddedV1>(Specified, A_YEAR, STAY)
        .read_by(&["housekeeping-service"])
        .with_pii(&["freeText"]),
    Entry::of::<ModificationRequestedV1>(Designed, A_YEAR, STAY).read_by(&["housekeeping-service"]),
    Entry::of::<AlertRaisedV1>(Designed, A_YEAR, &["reservationId", "alertId"]).read_by(&["notification-service"]),
    Entry::of::<GuestErasedV1>(Designed, A_YEAR, &["guestId"]).read_by(&["housekeeping-service"]),
];
