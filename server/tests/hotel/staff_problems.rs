//! How staff says no, at a glance and in a diff.

use std::fmt::Write;
use std::path::Path;

use contracts::ids::{ShiftId, StaffId};
use platform::http::Problem;
use staff::StaffError;
use staff::domain::person::IllegalTransition;
use staff::domain::punch::Presence;
use staff::domain::shift::ShiftError;
use staff::domain::words::{PlaceRole, ShiftStatus, Standing};

use crate::golden::compare_at;

/// One of each of staff's own; the problem catalogue is an exhaustive match, and the general ones are the platform's.
fn every_refusal() -> Vec<StaffError> {
    vec![
        StaffError::Person(IllegalTransition { from: Standing::Terminated, action: "be changed" }),
        StaffError::StaffCodeTaken { code: "S-0001".to_owned() },
        StaffError::UserAlreadyLinked,
        StaffError::ReferenceUnknown { field: "positionId", what: "position" },
        StaffError::NotSelf { field: "skills" },
        StaffError::Shift(ShiftError::IllegalTransition { from: ShiftStatus::Ended, action: "be called off" }),
        StaffError::Shift(ShiftError::AlreadyAssigned { staff_id: StaffId::parse("stf_1").unwrap() }),
        StaffError::Shift(ShiftError::HeadcountFull { role: PlaceRole::Primary }),
        StaffError::Shift(ShiftError::AssignmentEnded),
        StaffError::Shift(ShiftError::NoStandby),
        StaffError::Shift(ShiftError::SwapImpossible),
        StaffError::StaffNotActive,
        StaffError::NoPropertyAccess,
        StaffError::AssignmentOverlap { conflicting_shift_id: ShiftId::parse("shf_1").unwrap() },
        StaffError::StaffClockedIn,
        StaffError::NotAssigned,
        StaffError::ClockSequence { state: Presence::OnBreak },
        StaffError::PunchTimeOutOfRange { rule: "the last 7 days, and not ahead".to_owned() },
        StaffError::ClientPunchIdReused { id: "17".to_owned() },
        StaffError::PeriodLocked,
        StaffError::PropertyInactive,
        StaffError::NotErasable,
        StaffError::PinWeak { rule: "6 to 12 digits".to_owned() },
        StaffError::PinRefused,
        StaffError::PinLocked { seconds: 900 },
    ]
}

#[test]
fn every_problem_of_staff_has_the_code_status_and_title_of_the_golden_file() {
    let mut found = "# Every way in which staff says no: status, code, title, and an example of the detail.\n\
                     # Made by: UPDATE_GOLDEN=1 cargo test -p melmastoon --test hotel golden\n"
        .to_owned();
    for error in every_refusal() {
        let problem = Problem::from(error);
        writeln!(found, "{} {}: {}. {}", problem.status.as_u16(), problem.code, problem.title, problem.detail).unwrap();
    }
    compare_at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/problems_staff.txt"), &found);
}
