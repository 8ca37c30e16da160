//! What several events leave behind whose stories only note something down: one transaction for all of one tenant.
//!
//! A story that reads nothing and tells nobody anything is a handful of writes. By itself it costs a transaction: to begin, to ask whether
//! the event is new, to end. Together they cost one of these, and the inbox lets each event through once all the same.

use std::collections::HashSet;

use super::{Beginning, Condition, Fault, Stage, ToSql, UnitOfWork, Write, line_of};
use crate::database::Row;

/// All that one event leaves behind.
pub(crate) struct Note {
    topic: String,
    message_id: String,
    writes: Vec<Write>,
}

impl UnitOfWork {
    /// Whether nothing was read yet and nobody is told anything: whatever is to be written can wait for others.
    pub(crate) fn is_note(&self) -> bool {
        let tells = !self.announcements.is_empty() || self.touched.any();
        self.stage == Stage::Idle && self.spoiled.is_none() && !tells
    }

    /// What the story of an event wants written; `None` where it is no mere note. Nothing was changed.
    pub(crate) fn into_note(mut self) -> Option<Note> {
        let Condition::Inbox { topic, message_id } = &self.condition else { return None };
        let (topic, message_id) = (topic.clone(), message_id.clone());
        self.is_note().then(|| Note { topic, message_id, writes: std::mem::take(&mut self.writes) })
    }

    /// Keeps all of them, in this order, or none. Says of each whether its event was new; what was known already is left alone.
    pub(crate) async fn keep_notes(mut self, notes: Vec<Note>) -> Result<Vec<bool>, Fault> {
        let entered = match self.enter_all(&notes).await {
            Ok(entered) => entered,
            Err(fault) => {
                if !matches!(fault, Fault::Unavailable(_)) {
                    self.rollback().await?;
                }
                return Err(fault);
            }
        };
        let mut new = Vec::with_capacity(notes.len());
        for Note { topic, message_id, writes } in notes {
            let is_new = entered.contains(&(topic, message_id));
            if is_new {
                self.writes.extend(writes);
            }
            new.push(is_new);
        }
        self.commit().await?;
        Ok(new)
    }

    /// Opens the transaction and enters the inbox with all of them. Returns those that were not in it.
    async fn enter_all(&mut self, notes: &[Note]) -> Result<HashSet<(String, String)>, Fault> {
        let fault = |error| Fault::from_line("enter_inbox_many", &error);
        let (topics, ids): (Vec<&str>, Vec<&str>) =
            notes.iter().map(|note| (note.topic.as_str(), note.message_id.as_str())).unzip();
        let beginning: Beginning = self.beginning();
        let text = std::borrow::Cow::Borrowed(self.schema.enter_inbox_many.as_str());
        let now = self.now.jiff();
        let line = line_of(&mut self.connection)?;
        line.learn(&[&text]).await.map_err(|(_, error)| fault(error))?;
        let mut batch = line.batch();
        beginning.lead(line, &mut batch).map_err(fault)?;
        let params: [&(dyn ToSql + Sync); 4] = [&self.context.tenant, &topics, &ids, &now];
        line.ask_into(&mut batch, &text, params.into_iter()).map_err(fault)?;
        (self.stage, self.locked) = (Stage::Open, true);
        let answers = line.send(batch).await.map_err(fault)?;
        if let Some((_, error)) = answers.refused {
            return Err(fault(error));
        }
        let entered: &[Row] = answers.rows.last().map_or(&[], Vec::as_slice);
        Ok(entered.iter().map(|row| (row.get("topic"), row.get("message_id"))).collect())
    }
}
