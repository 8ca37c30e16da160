//! A plan as text for a terminal.

use std::fmt::Write as _;

use crate::instance::Instance;
use crate::plan::{Day, Plan};

/// A line for each person, then what is late, open and moved. `explain` adds a line for each task with its reasons.
pub fn table(instance: &Instance, plan: &Plan, explain: bool) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}: {:.2} minutes-equivalent{}", title(plan), plan.minutes, truncation(plan));
    let _ = writeln!(text, "  {}\n", terms(plan));
    let widest = plan.people.iter().map(|day| day.staff_id.chars().count()).max().unwrap_or(0).max(6);
    let _ = writeln!(
        text,
        "{:<widest$}  {:>5} {:>5} {:>5} {:>5} {:>5} {:>5}  floors",
        "person", "tasks", "load", "fair", "walk", "late", "done"
    );
    for day in &plan.people {
        let _ = writeln!(text, "{:<widest$}  {}", day.staff_id, day_line(day));
    }
    let _ = writeln!(text);
    for room in &plan.late {
        let name = room_name(instance, &room.task_id);
        let _ = writeln!(text, "late        {name} with {}: {} min", room.staff_id, (room.late_sec + 59) / 60);
    }
    for task in &plan.unassigned {
        let _ = writeln!(text, "unassigned  {}: {}", room_name(instance, &task.task_id), task.reasoning);
    }
    for task in &plan.moved {
        let to = task.to.as_deref().unwrap_or("nobody");
        let _ = writeln!(text, "moved       {}: {} -> {to}", room_name(instance, &task.task_id), task.from);
    }
    if explain {
        text.push_str(&reasons(instance, plan));
    }
    text
}

/// A line for each task: who, when and why.
pub fn reasons(instance: &Instance, plan: &Plan) -> String {
    let mut text = String::new();
    for row in &plan.rows {
        let _ = writeln!(
            text,
            "{} {:>3}  {} {}-{}  {:.2}  {}",
            row.staff_id,
            row.sequence,
            room_name(instance, &row.task_id),
            clock(row.start_sec),
            clock(row.finish_sec),
            row.score,
            row.reasoning
        );
    }
    text
}

fn title(plan: &Plan) -> &str {
    if plan.name.is_empty() { "plan" } else { &plan.name }
}

fn truncation(plan: &Plan) -> &'static str {
    if plan.truncated { " (stopped early: the deadline came before the search was done)" } else { "" }
}

fn terms(plan: &Plan) -> String {
    let mut parts = Vec::new();
    for (name, cost) in plan.terms.named() {
        if cost != 0 {
            parts.push(format!("{name} {}.{}", cost / 60_000, cost % 60_000 / 6_000));
        }
    }
    if parts.is_empty() { "no cost".to_owned() } else { parts.join("  ") }
}

fn day_line(day: &Day) -> String {
    let floors: Vec<String> = day.floors.iter().map(ToString::to_string).collect();
    let done = day.finish_sec.map_or_else(|| "-".to_owned(), clock);
    format!(
        "{:>5} {:>5} {:>5} {:>5} {:>5} {:>5}  {}",
        day.tasks,
        day.load_min,
        day.fair_share_min,
        (day.walk_sec + 30) / 60,
        day.late_rooms,
        done,
        floors.join(" ")
    )
}

fn room_name<'i>(instance: &'i Instance, task_id: &'i str) -> &'i str {
    instance.tasks.iter().find(|task| task.id == task_id).map_or(task_id, |task| task.room_name())
}

/// Hours and minutes since the moment of planning.
pub(crate) fn clock(seconds: i64) -> String {
    let minutes = (seconds + 30) / 60;
    format!("{}:{:02}", minutes / 60, minutes % 60)
}
