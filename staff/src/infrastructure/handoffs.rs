//! Notes from one shift to the next: rows and back, and what others hear of them.

use contracts::ids::{HandoffNoteId, PositionId, PropertyId, ShiftId, StaffId};
use contracts::staff::HandoffNoteAddedV1;
use contracts::time::Timestamp;
use platform::database::Row;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::StaffError;
use crate::domain::handoff::{Acknowledgement, HandoffEvent, HandoffNote};

const NOTE: &[(&str, &str)] = columns![
    id: text, property_id: text, position_id: text, from_staff_id: text, from_shift_id: text, body: text,
    attachment_ids: _text, created_at: timestamptz, version: int4,
];

statements! {
    INSERT = "sql/handoff_insert.sql" (text, text, text, text, text, text, _text, timestamptz, int4) -> &[];
    UPDATE = "sql/handoff_update.sql" (text, int4, int4) -> &[];
    ACKNOWLEDGE = "sql/handoff_ack.sql" (text, text, timestamptz) -> &[];
    FIND = "sql/handoff_find.sql" (text) -> NOTE;
    LOCK = "sql/handoff_lock.sql" (text) -> NOTE;
    ACKS = "sql/handoff_acks.sql" (_text) -> columns![note_id: text, staff_id: text, acknowledged_at: timestamptz];
    OF_PERSON = "sql/export_handoffs.sql" (text, int8) -> NOTE;
    READ_BY = "sql/export_notes_read.sql" (text, int8) -> columns![note_id: text, acknowledged_at: timestamptz];
    LIST = "sql/handoff_list.sql" (_text, timestamptz, text, text, timestamptz, text, int8) -> NOTE;
}

/// Which notes a list is about.
#[derive(Clone, Debug, Default)]
pub struct HandoffFilter {
    pub properties: Option<Vec<PropertyId>>,
    pub since: Option<Timestamp>,
    pub position: Option<PositionId>,
    pub shift: Option<ShiftId>,
    /// The moment and the id that the page before ended with.
    pub before: Option<(Timestamp, String)>,
}

pub async fn find(uow: &mut UnitOfWork, id: &HandoffNoteId) -> Result<Option<HandoffNote>, StaffError> {
    let rows = uow.read(&FIND, &[id]).await?;
    Ok(with_acknowledgements(uow, rows).await?.pop())
}

pub async fn lock(uow: &mut UnitOfWork, id: &HandoffNoteId) -> Result<Option<HandoffNote>, StaffError> {
    let rows = uow.read(&LOCK, &[id]).await?;
    Ok(with_acknowledgements(uow, rows).await?.pop())
}

pub async fn list(uow: &mut UnitOfWork, filter: &HandoffFilter, limit: i64) -> Result<Vec<HandoffNote>, StaffError> {
    let HandoffFilter { properties, since, position, shift, before } = filter;
    let (at, id) = (before.as_ref().map(|before| before.0), before.as_ref().map(|before| before.1.clone()));
    let rows = uow.read(&LIST, &[properties, since, position, shift, &at, &id, &limit]).await?;
    with_acknowledgements(uow, rows).await
}

/// What somebody wrote, newest first.
pub async fn of_person(uow: &mut UnitOfWork, staff: &StaffId, limit: i64) -> Result<Vec<HandoffNote>, StaffError> {
    let rows = uow.read(&OF_PERSON, &[staff, &limit]).await?;
    with_acknowledgements(uow, rows).await
}

/// Which notes somebody has read, and when, newest first.
pub async fn read_by(
    uow: &mut UnitOfWork,
    staff: &StaffId,
    limit: i64,
) -> Result<Vec<(HandoffNoteId, Timestamp)>, StaffError> {
    let rows = uow.read(&READ_BY, &[staff, &limit]).await?;
    rows.iter().map(|row| Ok((row.read("note_id")?, row.read("acknowledged_at")?))).collect()
}

async fn with_acknowledgements(uow: &mut UnitOfWork, rows: Vec<Row>) -> Result<Vec<HandoffNote>, StaffError> {
    let mut notes = rows.iter().map(note_of).collect::<Result<Vec<_>, _>>()?;
    if notes.is_empty() {
        return Ok(notes);
    }
    let ids: Vec<_> = notes.iter().map(|note| note.id.clone()).collect();
    for row in uow.read(&ACKS, &[&ids]).await? {
        let of: HandoffNoteId = row.read("note_id")?;
        let read = Acknowledgement { staff_id: row.read("staff_id")?, at: row.read("acknowledged_at")? };
        if let Some(note) = notes.iter_mut().find(|note| note.id == of) {
            note.acknowledged.push(read);
        }
    }
    Ok(notes)
}

fn note_of(row: &Row) -> Result<HandoffNote, StaffError> {
    Ok(HandoffNote {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        position_id: row.read("position_id")?,
        from_staff_id: row.read("from_staff_id")?,
        from_shift_id: row.read("from_shift_id")?,
        body: row.read("body")?,
        attachment_ids: row.read("attachment_ids")?,
        acknowledged: Vec::new(),
        created_at: row.read("created_at")?,
        version: row.read("version")?,
    })
}

impl Stored for HandoffNote {
    const KIND: &'static str = "handoff_note";

    fn aggregate_id(&self) -> String {
        self.id.to_string()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, change: &Change<'_, HandoffEvent>, _: &Scribe<'_>) -> Vec<RowChange> {
        let this = self.clone();
        let Some(from) = change.from else {
            let params = params![
                this.id,
                this.property_id,
                this.position_id,
                this.from_staff_id,
                this.from_shift_id,
                this.body,
                this.attachment_ids,
                this.created_at,
                this.version,
            ];
            return vec![RowChange::new(&INSERT, params)];
        };
        let read = |event: &HandoffEvent| match event {
            HandoffEvent::Acknowledged(read) => {
                Some(RowChange::new(&ACKNOWLEDGE, params![self.id.clone(), read.staff_id.clone(), read.at]))
            }
            HandoffEvent::Written => None,
        };
        let note = RowChange::new(&UPDATE, params![self.id.clone(), from, self.version]);
        std::iter::once(note).chain(change.events.iter().filter_map(read)).collect()
    }

    fn tell(&self, event: &HandoffEvent, version: i32, scribe: &Scribe<'_>) -> Told {
        match event {
            HandoffEvent::Written => Told::everybody(&HandoffNoteAddedV1 {
                handoff_note_id: self.id.clone(),
                tenant_id: scribe.tenant.clone(),
                property_id: self.property_id.clone(),
                position_id: self.position_id.clone(),
                from_staff_id: self.from_staff_id.clone(),
                from_shift_id: self.from_shift_id.clone(),
                body_excerpt: self.excerpt(),
                attachment_count: u32::try_from(self.attachment_ids.len()).unwrap_or(u32::MAX),
                created_at: self.created_at,
            }),
            HandoffEvent::Acknowledged(read) => {
                let detail = json!({ "staffId": read.staff_id, "aggregateVersion": version });
                Told::nobody("staff.handoff.note_acknowledged", &detail)
            }
        }
    }
}
