//! The words that staff itself writes; what others read of them is in `contracts`.

contracts::closed_words! {
    /// How a person is employed.
    EmploymentKind {
        FullTime = "full_time",
        PartTime = "part_time",
        Contract = "contract",
        Casual = "casual",
    }

    /// Where a person stands.
    Standing {
        /// Not yet seen at work: neither logged in nor punched.
        PendingInvite = "pending_invite",
        Active = "active",
        /// Sent home for now.
        Suspended = "suspended",
        /// Gone.
        Terminated = "terminated",
    }

    /// What the PIN tokens of a position may do besides what is everybody's own.
    PositionRole {
        Housekeeper = "housekeeper",
        FrontDesk = "front_desk",
        Maintenance = "maintenance",
        Supervisor = "supervisor",
    }

    /// The first day of a working week.
    Weekday {
        Monday = "mon",
        Tuesday = "tue",
        Wednesday = "wed",
        Thursday = "thu",
        Friday = "fri",
        Saturday = "sat",
        Sunday = "sun",
    }
}
