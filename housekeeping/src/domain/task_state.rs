//! What a task is doing, and the one table of what it may do next.

use contracts::housekeeping::{ChecklistResult, EscalationTarget, FailReason, LinenCount, PauseReason};
use contracts::ids::StaffId;
use contracts::time::Timestamp;

contracts::closed_words! {
    /// What a task is doing, in a word: in the table, on the wire, in a filter.
    TaskStatus {
        Pending = "pending",
        Assigned = "assigned",
        InProgress = "in_progress",
        Paused = "paused",
        Completed = "completed",
        Failed = "failed",
        Cancelled = "cancelled",
        RequiresMaintenance = "requires_maintenance",
    }

    /// Why the guest did not let anybody in.
    AttemptReason {
        Declined = "declined",
        DoNotDisturb = "do_not_disturb",
        GuestPresent = "guest_present",
    }
}

impl TaskStatus {
    /// There is still something to be done.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Assigned | Self::InProgress | Self::Paused)
    }
}

/// So often somebody stood before a closed door that the desk must ask the guest.
pub const MANY_ATTEMPTS: i32 = 3;

/// So many may help with one task.
pub const MOST_HELPERS: usize = 3;

/// Before whom a task was brought, why, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Escalation {
    pub to: EscalationTarget,
    pub reason: String,
    pub at: Timestamp,
}

/// What a task is doing, with the facts that only make sense while it does.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskState {
    Pending,
    Assigned { to: StaffId },
    InProgress { by: StaffId, since: Timestamp },
    Paused { by: StaffId, since: Timestamp, paused_at: Timestamp, reason: PauseReason },
    Completed { by: StaffId, since: Timestamp, at: Timestamp, report: CleaningReport },
    Failed { by: Option<StaffId>, since: Option<Timestamp>, reason: FailReason, note: Option<String> },
    Cancelled { assignee: Option<StaffId>, reason: String },
    RequiresMaintenance { by: Option<StaffId> },
}

impl TaskState {
    pub fn status(&self) -> TaskStatus {
        match self {
            Self::Pending => TaskStatus::Pending,
            Self::Assigned { .. } => TaskStatus::Assigned,
            Self::InProgress { .. } => TaskStatus::InProgress,
            Self::Paused { .. } => TaskStatus::Paused,
            Self::Completed { .. } => TaskStatus::Completed,
            Self::Failed { .. } => TaskStatus::Failed,
            Self::Cancelled { .. } => TaskStatus::Cancelled,
            Self::RequiresMaintenance { .. } => TaskStatus::RequiresMaintenance,
        }
    }

    pub fn assignee(&self) -> Option<&StaffId> {
        match self {
            Self::Pending => None,
            Self::Assigned { to } => Some(to),
            Self::InProgress { by, .. } | Self::Paused { by, .. } | Self::Completed { by, .. } => Some(by),
            Self::Failed { by, .. } | Self::RequiresMaintenance { by } => by.as_ref(),
            Self::Cancelled { assignee, .. } => assignee.as_ref(),
        }
    }
}

/// What the housekeeper reports at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct CleaningReport {
    pub checklist_results: Vec<ChecklistResult>,
    pub linen: Option<LinenCount>,
    pub no_maintenance_found: bool,
    pub minutes: u32,
}

/// The one table of what a task may become. Everything else is refused.
pub fn allows(from: TaskStatus, to: TaskStatus) -> bool {
    use TaskStatus::{Assigned, Cancelled, Completed, Failed, InProgress, Paused, Pending, RequiresMaintenance};
    match from {
        Pending => matches!(to, Assigned | Cancelled),
        // To somebody else, too.
        Assigned => matches!(to, Assigned | InProgress | Cancelled | Failed | RequiresMaintenance),
        InProgress => matches!(to, Paused | Completed | Failed | RequiresMaintenance | Assigned),
        Paused => matches!(to, InProgress | Cancelled | Failed | RequiresMaintenance | Assigned),
        Completed | Failed | Cancelled | RequiresMaintenance => false,
    }
}
