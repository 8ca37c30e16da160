//! A disk that is full: first no table can grow, then the log of the database cannot either and its server dies. Callers are told to come
//! again; what was acknowledged stays; with room everything goes on by itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::Answer;
use crate::house::House;
use crate::process::until;
use crate::seed::seed;
use crate::story::{Hotel, room};

/// A small disk in memory. It is declared before the house on it, and so outlives it.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None`, said loudly, where the machine lets nobody mount anything.
    fn mount(megabytes: usize) -> Option<Self> {
        let folder = std::env::temp_dir().join(format!("melmastoon-small-disk-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder in the temporary folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={megabytes}m,mode=0755"), "tmpfs"])
            .arg(&folder)
            .output();
        match mounted {
            Ok(done) if done.status.success() => Some(Self(folder)),
            other => {
                eprintln!(
                    "SKIPPED: a small disk cannot be mounted here, so nobody saw what a full one does: {other:?}"
                );
                let _ = std::fs::remove_dir(&folder);
                None
            }
        }
    }

    /// Not one byte is left.
    fn fill(&self) {
        let mut ballast = std::fs::File::create(self.ballast()).expect("a file");
        let zeros = vec![0; 64 * 1024];
        while std::io::Write::write(&mut ballast, &zeros).is_ok_and(|written| written > 0) {}
    }

    fn make_room(&self) {
        std::fs::remove_file(self.ballast()).expect("the ballast");
    }

    fn ballast(&self) -> PathBuf {
        self.0.join("ballast")
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
        let _ = std::fs::remove_dir(&self.0);
    }
}

/// What callers were told while the disk was full.
#[derive(Default)]
struct Told {
    acknowledged: Mutex<Vec<usize>>,
    answers: Mutex<Vec<Answer>>,
}

impl Told {
    fn count(&self, fits: impl Fn(&Answer) -> bool) -> usize {
        self.answers.lock().expect("no panic").iter().filter(|answer| fits(answer)).count()
    }
}

/// Guests leave and work is ordered, until it is over.
fn work(house: &House, hotel: &Hotel, next: &AtomicUsize, over: &AtomicBool, told: &Told) {
    let client = house.client();
    while !over.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let push = hotel.try_push(&client, &hotel.departure(number)).expect("an answer, whatever happens");
        if push.status == 204 {
            told.acknowledged.lock().expect("no panic").push(number);
        }
        let body = json!({ "propertyId": hotel.property, "roomId": room(number), "kind": "deep_clean" });
        let post = client.post("/housekeeping/v1/tasks", &hotel.supervisor, &body);
        told.answers.lock().expect("no panic").extend([push, post]);
    }
}

#[test]
fn a_full_disk_is_said_loses_nothing_that_was_acknowledged_and_is_over_with_the_first_room() {
    let seed = seed();
    let Some(disk) = SmallDisk::mount(128) else { return };
    let house = House::below(disk.path());
    let _up = house.up();
    let client = house.client();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&client, 0);
    let (next, over, told) = (AtomicUsize::new(1), AtomicBool::new(false), Told::default());
    let superuser = house.superuser();
    std::thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(|| work(&house, &hotel, &next, &over, &told));
        }
        let ends = crate::database_dies::GoHome(&over);
        until("work goes on", Duration::from_secs(20), || told.count(|answer| answer.status < 300) > 20);
        disk.fill();
        until("callers are told that it is full", Duration::from_mins(1), || {
            told.count(|answer| answer.status == 503) > 5
        });
        assert_eq!(client.try_get("/healthz", None).expect("an answer").status, 200, "full is not dead");
        // The database's own log wants another file, and gets none: the server gives up, again and again.
        let first = house.postmaster();
        let another = "SELECT pg_switch_wal(); SELECT pg_logical_emit_message(true, 'another', 'file')";
        let taken = (0..10).take_while(|_| superuser.try_tell(another).is_ok()).count();
        assert!(taken < 10, "the log found room for {taken} more files on a full disk");
        let before = told.count(|answer| answer.status == 503);
        until("callers are told again", Duration::from_secs(30), || {
            told.count(|answer| answer.status == 503) > before + 5
        });
        let died = house.postmaster() != first || superuser.try_count("SELECT 1").is_err();
        println!("seed {seed}: the server itself {}", if died { "went down with its log" } else { "stayed up" });

        disk.make_room();
        let begun = Instant::now();
        let before = told.count(|answer| answer.status < 300);
        until("work goes on again", Duration::from_mins(1), || told.count(|answer| answer.status < 300) > before + 20);
        println!("seed {seed}: work went on {:?} after there was room", begun.elapsed());
        drop(ends);
    });
    for answer in told.answers.lock().expect("no panic").iter().filter(|answer| answer.status >= 300) {
        answer.assert_come_again();
    }
    for number in told.acknowledged.lock().expect("no panic").iter() {
        let turnovers = hotel.tasks(&client, *number).iter().filter(|task| task["kind"] == "turnover").count();
        assert_eq!(turnovers, 1, "room {number} was acknowledged");
    }
    until("the relay has caught up", Duration::from_secs(30), || house.unpublished() == 0);
    house.assert_all_published_once();
    let dead = house.session("melmastoon_operator").count("SELECT count(*) FROM housekeeping.dead_letters");
    assert_eq!(dead, 0, "a full disk is no event's fault");
    let (answers, refused) = (told.count(|_| true), told.count(|answer| answer.status == 503));
    println!("full disk: seed {seed}  answers {answers}  told to come again {refused}  lost 0  twice 0");
}
