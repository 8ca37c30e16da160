//! Lost and found: rows and back. A row that cannot be is refused on loading.

use contracts::housekeeping::{DisposalMethod, LostItemDisposedV1, LostItemMatchedV1, LostItemRecordedV1};
use contracts::ids::{LostItemId, PropertyId, StaffId};
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::HousekeepingError;
use crate::domain::lost_item::{Claim, Find, LostItem, LostItemEvent, LostItemState, LostItemStatus};

const ITEM: &[(&str, &str)] = columns![
    id: text, property_id: text, room_id: text, reservation_id: text, description: text, photo_media_ids: _text,
    storage_location: text, finder_staff_id: text, status: text, matched_at: timestamptz, matched_by_staff: text,
    claimant_name: text, claimant_phone: text, disposed_at: timestamptz, dispose_method: text, recorded_at: timestamptz,
    version: int4,
];

statements! {
    INSERT = "sql/lost_item_insert.sql" (text, text, text, text, text, _text, text, text, timestamptz, int4) -> &[];
    UPDATE = "sql/lost_item_update.sql" (text, int4, int4, text, timestamptz, text, text, text, timestamptz, text) -> &[];
    FIND = "sql/lost_item_find.sql" (text) -> ITEM;
    LOCK = "sql/lost_item_lock.sql" (text) -> ITEM;
    LIST = "sql/lost_item_list.sql" (_text, _text, text, int8) -> ITEM;
    UNCLAIMED = "sql/lost_item_unclaimed.sql" (timestamptz, int8) -> ITEM;
}

pub async fn find(uow: &mut UnitOfWork, id: &LostItemId) -> Result<Option<LostItem>, HousekeepingError> {
    uow.read_one(&FIND, &[id]).await?.map(|row| item_of(&row)).transpose()
}

pub async fn lock(uow: &mut UnitOfWork, id: &LostItemId) -> Result<Option<LostItem>, HousekeepingError> {
    uow.read_one(&LOCK, &[id]).await?.map(|row| item_of(&row)).transpose()
}

/// Newest first.
pub async fn list(
    uow: &mut UnitOfWork,
    properties: Option<&[PropertyId]>,
    statuses: Option<&[LostItemStatus]>,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<LostItem>, HousekeepingError> {
    uow.read(&LIST, &[&properties, &statuses, &after, &limit]).await?.iter().map(item_of).collect()
}

/// What nobody has claimed since before a moment, locked, oldest first.
pub async fn lock_unclaimed(
    uow: &mut UnitOfWork,
    since: Timestamp,
    most: i64,
) -> Result<Vec<LostItem>, HousekeepingError> {
    uow.read(&UNCLAIMED, &[&since, &most]).await?.iter().map(item_of).collect()
}

fn item_of(row: &Row) -> Result<LostItem, HousekeepingError> {
    Ok(LostItem {
        id: row.read("id")?,
        find: Find {
            property_id: row.read("property_id")?,
            room_id: row.read("room_id")?,
            reservation_id: row.read("reservation_id")?,
            description: row.read("description")?,
            photo_media_ids: row.read("photo_media_ids")?,
            storage_location: row.read("storage_location")?,
            finder: row.read("finder_staff_id")?,
        },
        state: state_of(row)?,
        recorded_at: row.read("recorded_at")?,
        version: row.read("version")?,
    })
}

/// All columns that a state has together; any other combination is no state.
fn state_of(row: &Row) -> Result<LostItemState, HousekeepingError> {
    let status: LostItemStatus = row.read("status")?;
    let phone: Option<String> = row.read("claimant_phone")?;
    let matched: (Option<Timestamp>, Option<StaffId>, Option<String>) =
        (row.read("matched_at")?, row.read("matched_by_staff")?, row.read("claimant_name")?);
    let claim = match matched {
        (Some(at), Some(by), Some(name)) => Some(Claim { name, phone, at, by }),
        (None, None, None) if phone.is_none() => None,
        _ => return Err(row.impossible("a claim by half").into()),
    };
    let disposed: (Option<Timestamp>, Option<DisposalMethod>) = (row.read("disposed_at")?, row.read("dispose_method")?);
    Ok(match (status, claim, disposed) {
        (LostItemStatus::Recorded, None, (None, None)) => LostItemState::Recorded,
        (LostItemStatus::Matched, Some(claim), (None, None)) => LostItemState::Matched(claim),
        (LostItemStatus::Returned, Some(claim), (None, None)) => LostItemState::Returned(claim),
        (LostItemStatus::Disposed, claim, (Some(at), Some(method))) => LostItemState::Disposed { at, method, claim },
        (status, ..) => {
            let columns = "matched_at, matched_by_staff, claimant_name, disposed_at, dispose_method";
            return Err(row.impossible(format!("{status} does not fit {columns}")).into());
        }
    })
}

impl Stored for LostItem {
    const KIND: &'static str = "lost_item";

    fn aggregate_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.find.property_id)
    }

    fn rows(&self, change: &Change<'_, LostItemEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let Find { property_id, room_id, reservation_id, description, photo_media_ids, storage_location, finder } =
            self.find.clone();
        vec![match change.from {
            None => RowChange::new(
                &INSERT,
                params![
                    self.id.clone(),
                    property_id,
                    room_id,
                    reservation_id,
                    description,
                    photo_media_ids,
                    storage_location,
                    finder,
                    self.recorded_at,
                    self.version,
                ],
            ),
            Some(from) => {
                let (claim, disposal) = (self.state.claim(), self.state.disposal());
                RowChange::new(
                    &UPDATE,
                    params![
                        self.id.clone(),
                        from,
                        self.version,
                        self.state.status(),
                        claim.map(|claim| claim.at),
                        claim.map(|claim| claim.by.clone()),
                        claim.map(|claim| claim.name.clone()),
                        claim.and_then(|claim| claim.phone.clone()),
                        disposal.map(|(at, _)| at),
                        disposal.map(|(_, method)| method),
                    ],
                )
            }
        }]
    }

    fn tell(&self, event: &LostItemEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        let (lost_item_id, tenant_id) = (self.id.clone(), scribe.tenant.clone());
        let aggregate_version = u64::try_from(version).ok();
        match event {
            LostItemEvent::Recorded => Told::everybody(&LostItemRecordedV1 {
                lost_item_id,
                tenant_id,
                property_id: self.find.property_id.clone(),
                room_id: self.find.room_id.clone(),
                reservation_id: self.find.reservation_id.clone(),
                description: self.find.description.clone(),
                photo_media_ids: self.find.photo_media_ids.clone(),
                recorded_at: self.recorded_at,
                finder_staff_id: self.find.finder.clone(),
                aggregate_version,
            }),
            LostItemEvent::Matched(claim) => Told::everybody(&LostItemMatchedV1 {
                lost_item_id,
                tenant_id,
                claimant_name: claim.name.clone(),
                claimant_phone: claim.phone.clone(),
                matched_at: claim.at,
                matched_by_staff_id: claim.by.clone(),
                aggregate_version,
            }),
            LostItemEvent::Disposed { at, method, note } => Told::everybody(&LostItemDisposedV1 {
                lost_item_id,
                tenant_id,
                method: *method,
                disposed_at: *at,
                note: note.clone(),
                aggregate_version,
            }),
            // No specification has an event for it: who gave it back, and when, is in the audit.
            LostItemEvent::Returned { at } => {
                let detail = json!({ "lostItemId": self.id, "returnedAt": at, "aggregateVersion": version });
                Told::nobody("housekeeping.lost_item.returned", &detail)
            }
        }
    }
}
