//! The words tasks are described with.

use crate::words::closed_words;

closed_words! {
    /// What is to be done.
    TaskKind {
        /// A room is made ready for the next guest.
        Turnover = "turnover",
        /// A room is cleaned while its guest stays.
        MidStayClean = "mid_stay_clean",
        /// A room is cleaned thoroughly.
        DeepClean = "deep_clean",
        /// A room is cleaned after a repair.
        PostMaintenance = "post_maintenance",
        /// A room is cleaned after a renovation.
        PostRenovation = "post_renovation",
        /// A room is looked over.
        Inspection = "inspection",
    }

    /// How soon it must be done.
    TaskPriority {
        /// Can wait.
        Low = "low",
        /// In its turn.
        Normal = "normal",
        /// Before the others.
        High = "high",
        /// Now.
        Urgent = "urgent",
    }

    /// What opened a task.
    TaskSource {
        /// An event, such as a check-out.
        Event = "event",
        /// A person.
        Manual = "manual",
        /// A timer.
        Scheduler = "scheduler",
    }

    /// Why a task went to another person.
    ReassignReason {
        /// The planner proposed it.
        RouterSuggestion = "router_suggestion",
        /// A supervisor decided it.
        Manual = "manual",
        /// The person is ill.
        Sickness = "sickness",
        /// The person has too much to do.
        Capacity = "capacity",
    }

    /// Why work pauses.
    PauseReason {
        /// The person takes a break.
        Break = "break",
        /// Linen is missing.
        AwaitingLinen = "awaiting_linen",
        /// A repair must come first.
        AwaitingMaintenance = "awaiting_maintenance",
        /// Somebody else takes over.
        StaffSwap = "staff_swap",
        /// The guest is in the room.
        GuestPresent = "guest_present",
        /// Something else; the note tells.
        Other = "other",
    }

    /// Why a task failed.
    FailReason {
        /// The guest has not left.
        RoomNotVacated = "room_not_vacated",
        /// The door does not open.
        AccessDenied = "access_denied",
        /// The person fell ill.
        Sickness = "sickness",
        /// What is needed for the work is not there.
        EquipmentMissing = "equipment_missing",
        /// Something else; the note tells.
        Other = "other",
    }

    /// Whom a task is brought before.
    EscalationRole {
        /// The supervisor of the shift.
        Supervisor = "supervisor",
        /// The manager of the house.
        PropertyManager = "property_manager",
    }

    /// Why a priority changed.
    PriorityChangeReason {
        /// A person set it.
        Manual = "manual",
        /// The guest left earlier than booked.
        EarlyCheckout = "early_checkout",
        /// The guest left while the work was already going on.
        ReservationCheckedOut = "reservation_checked_out",
        /// The next guest comes sooner, or later, than was known.
        ArrivalChanged = "arrival_changed",
        /// The task was escalated.
        Escalated = "escalated",
    }
}
