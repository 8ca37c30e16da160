//! Linen goes out with the trolleys and comes back from the laundry, and is counted now and then.

use contracts::housekeeping::LinenCount;
use contracts::ids::{LinenLineId, PropertyId, TaskId};
use contracts::time::Timestamp;
use platform::auth::Caller;
use platform::http::IfMatch;
use platform::{Refusal, UnitOfWork};

use crate::HousekeepingError;
use crate::domain::linen::{Direction, LinenError, LinenLine, Movement};
use crate::domain::settings::Settings;
use crate::domain::task::Task;
use crate::infrastructure::{linen, tasks};

/// A kind of linen that is counted from now on.
#[derive(Clone, Debug)]
pub struct NewLine {
    pub property_id: PropertyId,
    pub line: String,
    pub on_hand: i32,
    pub low_watermark: i32,
}

/// A line that the caller may look at. A property that the token does not speak for is as good as not there.
pub async fn look_up(uow: &mut UnitOfWork, caller: &Caller, id: &LinenLineId) -> Result<LinenLine, HousekeepingError> {
    let found = linen::find(uow, id).await?.filter(|line| caller.properties.include(&line.property_id));
    Ok(found.ok_or(Refusal::NotFound("line of linen"))?)
}

/// Begins to count a kind of linen; each name once a house.
pub async fn open_line(uow: &mut UnitOfWork, caller: &Caller, new: NewLine) -> Result<LinenLine, HousekeepingError> {
    caller.within(&new.property_id)?;
    let NewLine { property_id, line, on_hand, low_watermark } = new;
    if linen::is_counted(uow, &property_id, &line).await? {
        return Err(LinenError::Exists { line }.into());
    }
    let opened = LinenLine::open(uow.next_id(), property_id, line, (on_hand, low_watermark), uow.now());
    let line = uow.save(opened);
    if line.is_low() {
        uow.touch_board(&line.property_id);
    }
    Ok(line)
}

/// Fewer than this are too few from now on.
pub async fn set_mark(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &LinenLineId,
    mark: i32,
) -> Result<LinenLine, HousekeepingError> {
    let (line, told_at) = lock(uow, caller, if_match, id).await?;
    let Some(set) = line.clone().set_mark(mark, told_at, uow.now()) else { return Ok(line) };
    // The board says of what there is too little, and of how many it would be enough.
    uow.touch_board(&line.property_id);
    Ok(uow.save(set))
}

async fn lock(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &LinenLineId,
) -> Result<(LinenLine, Option<Timestamp>), HousekeepingError> {
    let found = linen::lock(uow, id).await?;
    let (line, told_at) = found
        .filter(|(line, _)| caller.properties.include(&line.property_id))
        .ok_or(Refusal::NotFound("line of linen"))?;
    IfMatch::check(if_match, line.version)?;
    Ok((line, told_at))
}

/// Linen moves, one line at a time: whoever comes second sees what the first has left.
pub async fn move_linen(
    uow: &mut UnitOfWork,
    caller: &Caller,
    if_match: Option<&IfMatch>,
    id: &LinenLineId,
    movement: Movement,
) -> Result<LinenLine, HousekeepingError> {
    let (line, told_at) = lock(uow, caller, if_match, id).await?;
    if let Some(task) = &movement.task {
        is_of_this_house(uow, task, &line).await?;
    }
    let was_low = line.is_low();
    let line = uow.save(line.move_linen(movement, told_at, uow.now())?);
    // The board says of what there is too little, and how little.
    if was_low || line.is_low() {
        uow.touch_board(&line.property_id);
    }
    Ok(line)
}

/// A task of another house, or of another hotel company, is as good as none.
async fn is_of_this_house(uow: &mut UnitOfWork, task: &TaskId, line: &LinenLine) -> Result<(), HousekeepingError> {
    let found = tasks::find(uow, task).await?.filter(|task| task.property_id == line.property_id);
    found.map(|_| ()).ok_or(Refusal::NotFound("task").into())
}

/// What a housekeeper reports of a task is counted on the line that the hotel has named for it, if the house has one. The work is
/// done either way: where more was used than was counted, all that was counted is gone.
pub async fn count_report(
    uow: &mut UnitOfWork,
    settings: &Settings,
    task: &Task,
    report: LinenCount,
) -> Result<(), HousekeepingError> {
    let Some(name) = &settings.linen_line else { return Ok(()) };
    if report.issued == 0 && report.returned == 0 {
        return Ok(());
    }
    let Some((line, told_at)) = linen::lock_named(uow, &task.property_id, name).await? else { return Ok(()) };
    let now = uow.now();
    let pieces = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    let movement = |direction, count, note| Movement { direction, count, task: Some(task.id.clone()), note };
    let line = match pieces(report.returned) {
        0 => line,
        back => match line.clone().move_linen(movement(Direction::Return, back, None), told_at, now) {
            Ok(moved) => uow.save(moved),
            Err(_) => line,
        },
    };
    let used = pieces(report.issued);
    let there = used.min(line.on_hand);
    if there > 0 {
        let note = (there < used).then(|| format!("{used} were used; {there} were counted"));
        uow.save(line.move_linen(movement(Direction::Issue, there, note), told_at, now)?);
    }
    Ok(())
}
