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

    /// Where a person stands as it is shown: away on leave is computed, never kept.
    ShownStanding {
        PendingInvite = "pending_invite",
        Active = "active",
        /// Approved leave covers today.
        OnLeave = "on_leave",
        Suspended = "suspended",
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

contracts::closed_words! {
    /// As what somebody has a place on a shift.
    PlaceRole {
        /// To work.
        Primary = "primary",
        /// To come when called.
        Standby = "standby",
    }

    /// How somebody came to a place.
    PlaceSource {
        Manual = "manual",
        /// The plan says so.
        Pattern = "pattern",
        Swap = "swap",
        StandbyPromotion = "standby_promotion",
        /// A program proposed it, and somebody agreed.
        AiSuggestion = "ai_suggestion",
    }

    /// What became of a place.
    PlaceStatus {
        Active = "active",
        Unassigned = "unassigned",
        Swapped = "swapped",
        Promoted = "promoted",
        /// The shift was called off.
        Cancelled = "cancelled",
    }

    /// Where a shift stands.
    ShiftStatus {
        Scheduled = "scheduled",
        Started = "started",
        Ended = "ended",
        Cancelled = "cancelled",
    }

    /// Why a shift is off.
    CancelReason {
        Manual = "manual",
        PropertyDeactivated = "property_deactivated",
        StaffTerminated = "staff_terminated",
    }

    /// How a shift ended.
    EndReason {
        AllPrimaryClockedOut = "all_primary_clocked_out",
        AutoCloseGraceExceeded = "auto_close_grace_exceeded",
        CancelledInProgressForceClose = "cancelled_in_progress_force_close",
    }

    /// Why somebody is off a shift.
    UnassignCause {
        Manual = "manual",
        LeaveApproved = "leave_approved",
        StaffTerminated = "staff_terminated",
    }

    /// What is said of an assignment that is allowed and yet not good.
    WarningCode {
        /// Too little rest before or after.
        RestShort = "REST_SHORT",
        /// Too much work in the week.
        WeekLong = "WEEK_LONG",
        /// The person has another job.
        PositionDiffers = "POSITION_DIFFERS",
        /// The person has asked for leave.
        LeavePending = "LEAVE_PENDING",
        /// A paper that the position asks for is not there.
        CertificationMissing = "CERTIFICATION_MISSING",
        /// It is less than a day away.
        ShortNotice = "SHORT_NOTICE",
    }
}

impl Standing {
    /// As it is shown: whoever works here and is on leave today is on leave.
    pub fn shown(self, on_leave: bool) -> ShownStanding {
        match self {
            Self::PendingInvite | Self::Active if on_leave => ShownStanding::OnLeave,
            Self::PendingInvite => ShownStanding::PendingInvite,
            Self::Active => ShownStanding::Active,
            Self::Suspended => ShownStanding::Suspended,
            Self::Terminated => ShownStanding::Terminated,
        }
    }
}
