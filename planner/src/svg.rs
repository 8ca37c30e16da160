//! A plan as a picture: a lane for each person, bars coloured by floor, marks where rooms are due.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use crate::instance::{Instance, Person, Priority, Task};
use crate::plan::{Plan, Row};
use crate::report::clock;

const LEFT: i64 = 110;
const WIDTH: i64 = 1200;
const LANE: i64 = 34;
const BAR: i64 = 22;
const TOP: i64 = 64;

/// Colours that stay apart on white, for eyes that confuse red and green too; floors beyond them begin again.
const COLOURS: [&str; 10] =
    ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#44bb99", "#99aabb", "#bb88dd"];

struct Canvas<'i> {
    colours: HashMap<i64, &'static str>,
    tasks: HashMap<&'i str, &'i Task>,
    last_sec: i64,
    svg: String,
}

/// Draws the timeline.
pub fn timeline(instance: &Instance, plan: &Plan) -> String {
    let floors: BTreeSet<i64> = instance.tasks.iter().map(|task| task.floor).collect();
    let ends = instance.staff.iter().map(|person| person.shift_end_min * 60);
    let mut canvas = Canvas {
        colours: floors.iter().copied().zip(COLOURS.iter().copied().cycle()).collect(),
        tasks: instance.tasks.iter().map(|task| (task.id.as_str(), task)).collect(),
        last_sec: ends.chain(plan.rows.iter().map(|row| row.finish_sec)).max().unwrap_or(0).max(3600),
        svg: String::new(),
    };
    let height = TOP + LANE * i64::try_from(instance.staff.len()).unwrap_or(0) + 70;
    canvas.frame(plan, height);
    canvas.hours(height);
    for (index, person) in instance.staff.iter().enumerate() {
        let top = TOP + LANE * i64::try_from(index).unwrap_or(0);
        canvas.lane(person, plan, top);
        for row in plan.rows.iter().filter(|row| row.staff_id == person.id) {
            canvas.bar(row, top);
        }
        // Marks come last, so that no bar hides the due time of another.
        for row in plan.rows.iter().filter(|row| row.staff_id == person.id) {
            canvas.due_mark(row, top);
        }
    }
    canvas.legend(&floors, height);
    canvas.svg.push_str("</svg>\n");
    canvas.svg
}

impl Canvas<'_> {
    fn x(&self, seconds: i64) -> i64 {
        LEFT + seconds.max(0) * WIDTH / self.last_sec
    }

    fn frame(&mut self, plan: &Plan, height: i64) {
        let width = LEFT + WIDTH + 30;
        let _ = writeln!(
            self.svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             <text x=\"10\" y=\"22\" font-size=\"15\" font-weight=\"bold\">{}</text>\n\
             <text x=\"10\" y=\"40\" fill=\"#555555\">{} tasks, {} late, {} unassigned, {} moved; cost {:.1} minutes</text>",
            escaped(&plan.name),
            plan.rows.len() + plan.unassigned.len(),
            plan.late.len(),
            plan.unassigned.len(),
            plan.moved.len(),
            plan.minutes
        );
    }

    fn hours(&mut self, height: i64) {
        // Few enough lines to read, whatever the length of the day.
        let step = 3600 * (self.last_sec / 3600 / 16 + 1);
        let mut second = 0;
        while second <= self.last_sec {
            let (x, bottom) = (self.x(second), height - 62);
            let _ = writeln!(
                self.svg,
                "<line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#dddddd\"/>\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#777777\">{}</text>",
                TOP - 4,
                TOP - 8,
                clock(second)
            );
            second += step;
        }
    }

    fn lane(&mut self, person: &Person, plan: &Plan, top: i64) {
        let (from, to) = (self.x(person.available_from_min * 60), self.x(person.shift_end_min * 60));
        let load = plan.people.iter().find(|day| day.staff_id == person.id);
        let loads = load.map_or_else(String::new, |day| format!("{}/{} min", day.load_min, day.fair_share_min));
        let _ = writeln!(
            self.svg,
            "<text x=\"10\" y=\"{}\" font-weight=\"bold\">{}</text><text x=\"10\" y=\"{}\" fill=\"#777777\" \
             font-size=\"9\">{loads}</text><rect x=\"{from}\" y=\"{top}\" width=\"{}\" height=\"{BAR}\" \
             fill=\"#f3f3f3\" stroke=\"#cccccc\"/>",
            top + 11,
            escaped(&person.id),
            top + 22,
            (to - from).max(0)
        );
    }

    fn bar(&mut self, row: &Row, top: i64) {
        let Some(task) = self.tasks.get(row.task_id.as_str()).copied() else { return };
        let (from, to) = (self.x(row.start_sec), self.x(row.finish_sec));
        let width = (to - from).max(2);
        let colour = self.colours.get(&task.floor).copied().unwrap_or("#999999");
        let pressing = matches!(task.priority, Priority::High | Priority::Urgent);
        let (edge, thick) = if pressing { ("#000000", 2) } else { ("#ffffff", 1) };
        let _ = write!(
            self.svg,
            "<g><title>{} ({}, floor {}) {} to {}: {}</title><rect x=\"{from}\" y=\"{top}\" width=\"{width}\" \
             height=\"{BAR}\" fill=\"{colour}\" stroke=\"{edge}\" stroke-width=\"{thick}\"/>",
            escaped(task.room_name()),
            escaped(&task.kind),
            task.floor,
            clock(row.start_sec),
            clock(row.finish_sec),
            escaped(&row.reasoning)
        );
        let name = task.room_name();
        let letters = i64::try_from(name.chars().count()).unwrap_or(i64::MAX);
        if letters.saturating_mul(6) < width {
            let (x, y) = (i64::midpoint(from, to), top + 15);
            let _ = write!(
                self.svg,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"9\" fill=\"#ffffff\" stroke=\"#000000\" \
                 stroke-width=\"2\" paint-order=\"stroke\">{}</text>",
                escaped(name)
            );
        }
        self.svg.push_str("</g>\n");
    }

    /// A small mark below the lane where a room is due; red when it will be late.
    fn due_mark(&mut self, row: &Row, top: i64) {
        let task = self.tasks.get(row.task_id.as_str()).copied();
        let Some(due) = task.and_then(|task| task.due_min) else { return };
        let late = row.finish_sec > due * 60;
        let colour = if late { "#cc0000" } else { "#333333" };
        let (x, y) = (self.x(due * 60), top + BAR);
        let _ = writeln!(
            self.svg,
            "<path d=\"M{x} {y} l-4 8 h8 z\" fill=\"{colour}\"><title>{} due {}</title></path>",
            escaped(task.map_or("", |task| task.room_name())),
            clock(due * 60)
        );
    }

    fn legend(&mut self, floors: &BTreeSet<i64>, height: i64) {
        let y = height - 34;
        let mut x = LEFT;
        for floor in floors {
            if x > LEFT + WIDTH - 60 {
                let _ = writeln!(self.svg, "<text x=\"{x}\" y=\"{}\">…</text>", y + 10);
                break;
            }
            let colour = self.colours.get(floor).copied().unwrap_or("#999999");
            let _ = writeln!(
                self.svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
                 <text x=\"{}\" y=\"{}\">floor {floor}</text>",
                x + 16,
                y + 10
            );
            x += 70;
        }
        let _ = writeln!(
            self.svg,
            "<text x=\"{LEFT}\" y=\"{}\" fill=\"#555555\">black edge: high or urgent; triangle: due, red when late; \
             hours since the moment of planning</text>",
            height - 8
        );
    }
}

/// Text that cannot break out of the picture, without the control characters that no XML may hold.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars().filter(|letter| !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}')) {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            plain => safe.push(plain),
        }
    }
    safe
}
