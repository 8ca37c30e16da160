//! The tables that every context has alike: outbox, audit, inbox, idempotency keys, dead letters.

use contracts::Form;

use super::announcement::{self, FEW};

/// A context's schema: its name, the form its envelopes take, and the statements for the tables that all have.
#[derive(Debug)]
pub struct Schema {
    pub name: &'static str,
    pub form: Form,
    /// `housekeeping-service@0.1.0`, `staff-service`, `reservation-service`
    pub producer: String,
    /// Both rows of one event.
    pub(super) announce_one: String,
    /// The audit rows and the outbox rows of one, two, … events.
    pub(super) audit_few: [String; FEW],
    pub(super) owe_few: [String; FEW],
    /// Both for any number of events.
    pub(super) announce_many: String,
    pub(crate) enter_inbox: String,
    pub(crate) enter_inbox_many: String,
    pub(crate) claim_key: String,
    pub(crate) keep_reply: String,
    pub(crate) bury: String,
    pub(crate) touch_boards: String,
}

impl Schema {
    pub fn new(name: &'static str, form: Form) -> Self {
        let fill = |sql: &str| sql.replace("{schema}", name);
        Self {
            name,
            form,
            // Housekeeping's document adds the release; the others have the bare name.
            producer: match form {
                Form::Staff | Form::Reservation => format!("{name}-service"),
                Form::Housekeeping => format!("{name}-service@{}", env!("CARGO_PKG_VERSION")),
            },
            announce_one: fill(announcement::ONE),
            audit_few: std::array::from_fn(|more| fill(&announcement::audit_rows(more + 1))),
            owe_few: std::array::from_fn(|more| fill(&announcement::outbox_rows(more + 1))),
            announce_many: fill(include_str!("sql/announce_many.sql")),
            enter_inbox: fill(include_str!("sql/enter_inbox.sql")),
            enter_inbox_many: fill(include_str!("sql/enter_inbox_many.sql")),
            claim_key: fill(include_str!("sql/claim_key.sql")),
            keep_reply: fill(include_str!("sql/keep_reply.sql")),
            bury: fill(include_str!("sql/bury.sql")),
            touch_boards: fill(include_str!("sql/touch_boards.sql")),
        }
    }

    /// The statements as they are sent, by name, for the test that prepares them.
    pub fn statements(&self) -> Vec<(&'static str, &str)> {
        let few = self.audit_few.iter().chain(&self.owe_few).map(|sql| ("announce_few", sql.as_str()));
        let others = [
            ("announce_one", self.announce_one.as_str()),
            ("announce_many", self.announce_many.as_str()),
            ("enter_inbox", &self.enter_inbox),
            ("enter_inbox_many", &self.enter_inbox_many),
            ("claim_key", &self.claim_key),
            ("keep_reply", &self.keep_reply),
            ("bury", &self.bury),
            ("touch_boards", &self.touch_boards),
        ];
        few.chain(others).collect()
    }
}
