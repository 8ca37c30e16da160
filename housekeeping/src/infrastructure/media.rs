//! Photos: rows and back.

use contracts::ids::PropertyId;
use platform::database::{Change, Columns, RowChange, Scribe, Stored, Told};
use platform::{UnitOfWork, columns, params, statements};
use serde_json::json;

use crate::HousekeepingError;
use crate::domain::photo::{Kept, Photo};

statements! {
    FIND = "sql/media_find.sql" (text)
        -> columns![id: text, property_id: text, content: bytea, created_at: timestamptz];
    INSERT = "sql/media_insert.sql" (text, text, bytea, jsonb, timestamptz) -> &[];
}

pub async fn find(uow: &mut UnitOfWork, id: &str) -> Result<Option<Photo>, HousekeepingError> {
    let Some(row) = uow.read_one(&FIND, &[&id]).await? else { return Ok(None) };
    Ok(Some(Photo {
        id: row.read("id")?,
        property_id: row.read("property_id")?,
        jpeg: row.read("content")?,
        kept_at: row.read("created_at")?,
        version: 1,
    }))
}

impl Stored for Photo {
    const KIND: &'static str = "photo";

    fn aggregate_id(&self) -> String {
        self.id.clone()
    }

    fn property_id(&self) -> Option<&PropertyId> {
        Some(&self.property_id)
    }

    fn rows(&self, _: &Change<'_, Kept>, scribe: &Scribe<'_>) -> Vec<RowChange> {
        let by = scribe.actor.clone();
        let row = params![self.id.clone(), self.property_id.clone(), self.jpeg.clone(), by, self.kept_at];
        vec![RowChange::new(&INSERT, row)]
    }

    fn tell(&self, _: &Kept, _: i32, _: &Scribe<'_>) -> Told {
        Told::nobody("housekeeping.photo.kept", &json!({ "mediaId": self.id, "bytes": self.jpeg.len() }))
    }
}
