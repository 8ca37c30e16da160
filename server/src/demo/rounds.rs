//! A day's cleaning, told when it happened: who began which room when, how long it took, and when it was looked at.

use contracts::housekeeping::{PauseReason, TaskKind};
use contracts::ids::{StaffId, TaskId};
use contracts::time::Timestamp;
use housekeeping::HousekeepingError;
use housekeeping::application::{TaskCommand, cleaning};
use housekeeping::domain::inspection::Verdict;
use platform::auth::Role;
use platform::{Clock, UnitOfWork};
use rand::RngExt;
use rand::rngs::StdRng;

use super::house::House;

/// The house while its past is told: the clock goes from step to step, and never beyond now.
pub(super) struct Past<'a> {
    pub(super) house: House<'a>,
    clock: Clock,
    now: Timestamp,
}

/// What somebody does with a task.
#[derive(Clone, Copy, Debug)]
enum Does {
    Begin,
    Pause,
    Finish,
    Inspect { passed: bool },
}

#[derive(Clone, Debug)]
struct Step {
    at: Timestamp,
    who: StaffId,
    task: TaskId,
    kind: TaskKind,
    does: Does,
}

/// How far somebody comes with a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    Begun,
    Paused,
    Finished,
    Inspected { passed: bool },
}

/// A day of work, in no order yet.
pub(super) struct Rounds<'r> {
    pub(super) supervisor: StaffId,
    pub(super) chance: &'r mut StdRng,
    steps: Vec<Step>,
}

impl<'a> Past<'a> {
    /// The house at a moment that is over.
    pub(super) fn begin(house: &House<'a>, at: Timestamp, now: Timestamp) -> Self {
        let clock = Clock::manual(at.min(now));
        Self { house: house.at(&clock), clock, now }
    }

    fn go_to(&self, moment: Timestamp) {
        let ahead = moment.min(self.now).as_millis() - self.clock.now().as_millis();
        self.clock.advance_seconds((ahead / 1_000).max(0));
    }
}

impl<'r> Rounds<'r> {
    pub(super) fn new(supervisor: StaffId, chance: &'r mut StdRng) -> Self {
        Self { supervisor, chance, steps: Vec::new() }
    }

    /// Somebody works on a room from a moment on. Returns when they are free again.
    pub(super) fn clean(
        &mut self,
        who: &StaffId,
        (task, kind): (&TaskId, TaskKind),
        begins: Timestamp,
        until: Until,
    ) -> Timestamp {
        let minutes = match kind {
            TaskKind::Turnover => self.chance.random_range(28..=46),
            TaskKind::DeepClean => self.chance.random_range(70..=100),
            _ => self.chance.random_range(14..=24),
        };
        let looked_at = minutes + self.chance.random_range(6..=18);
        let mut then = |minutes: i64, who: &StaffId, does: Does| {
            let at = begins.plus_seconds(60 * minutes);
            self.steps.push(Step { at, who: who.clone(), task: task.clone(), kind, does });
        };
        then(0, who, Does::Begin);
        match until {
            Until::Begun => {}
            Until::Paused => then(minutes / 3, who, Does::Pause),
            Until::Finished => then(minutes, who, Does::Finish),
            Until::Inspected { passed } => {
                then(minutes, who, Does::Finish);
                then(looked_at, &self.supervisor.clone(), Does::Inspect { passed });
            }
        }
        begins.plus_seconds(60 * (minutes + 3))
    }

    /// In the order in which it happened.
    pub(super) async fn happen(mut self, past: &Past<'_>) -> Result<(), HousekeepingError> {
        self.steps.sort_by_key(|step| step.at);
        for Step { at, who, task, kind, does } in &self.steps {
            past.go_to(*at);
            let house = &past.house;
            let worker = house.caller(who, Role::Housekeeper);
            match does {
                Does::Begin => house.start(&worker, task).await?,
                Does::Finish => house.complete(&worker, task, *kind).await?,
                Does::Pause => {
                    let pause = async |uow: &mut UnitOfWork, command: TaskCommand<'_>| {
                        cleaning::pause(uow, command, PauseReason::AwaitingLinen, None).await.map(|_| ())
                    };
                    house.on_task(&worker, task, pause).await?
                }
                Does::Inspect { passed } => {
                    let verdict = if *passed {
                        Verdict::Passed
                    } else {
                        let failed_item_keys = vec!["bathroom".to_owned()];
                        Verdict::Failed { reason: "hair in the bath".to_owned(), failed_item_keys }
                    };
                    house.inspect(&house.caller(who, Role::Supervisor), task, verdict).await?
                }
            };
        }
        past.go_to(past.now);
        Ok(())
    }
}
