//! `melmastoon import bookings.csv`: what an operator sees of it.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::house::{Ended, House};

const HEADER: &str = "reference,property_id,room_type_id,arrival,departure,guest_name,adults,nightly_rate\n";

/// So many days from now, as the process under test sees it.
#[expect(clippy::disallowed_methods, reason = "the process has the machine's clock")]
fn in_days(days: i32) -> jiff::civil::Date {
    jiff::Zoned::now().date().checked_add(jiff::Span::new().days(days)).expect("a day")
}

/// A book of three who come on the same day.
fn book(from: jiff::civil::Date) -> String {
    let mut table = HEADER.to_owned();
    for (reference, nights) in [("B-1", 2), ("B-2", 3), ("B-3", 1)] {
        let to = from.checked_add(jiff::Span::new().days(nights)).expect("a day");
        writeln!(table, "{reference},prp_A,rmt_DOUBLE,{from},{to},Zarmina Noori,2,99.50").expect("a line");
    }
    table
}

/// The header and the first line of a book, under another reference.
fn good_line(book: &str, reference: &str) -> String {
    book.split_inclusive('\n').take(2).collect::<String>().replace("B-1", reference)
}

fn written(house: &House, name: &str, text: &str) -> PathBuf {
    let file = house.folder().join(name);
    std::fs::write(&file, text).expect("a file");
    file
}

fn import(house: &House, file: &Path, more: &[&str]) -> Ended {
    let file = file.to_str().expect("a path");
    house.run(&[&["import", file, "--tenant", "tnt_A"], more].concat())
}

/// The last line, which sums it up.
fn sum(ended: &Ended) -> &str {
    ended.out.trim_end().lines().next_back().unwrap_or_default()
}

fn counted(ended: &Ended) -> Value {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    serde_json::from_str::<Value>(&ended.out).expect("JSON alone")["imported"].clone()
}

#[test]
fn bookings_are_imported_once_beside_a_running_house_and_every_bad_line_is_named() {
    let house = House::new();
    let book = book(in_days(30));
    let good = written(&house, "bookings.csv", &book);
    let alone = import(&house, &good, &[]);
    assert_eq!(alone.code, Some(1), "{alone:?}");
    assert!(alone.err.contains("melmastoon up"), "{alone:?}");

    let _up = house.up();
    // Nothing is known of the type: with its rooms there would be a place for each.
    let would =
        "3 bookings: 3 would be new, 0 known, 0 without a room, 0 refused, 0 over; 0 left out, 3 rooms would be made";
    let dry = import(&house, &good, &["--dry-run", "--make-rooms"]);
    assert_eq!((dry.code, sum(&dry)), (Some(0), would), "{dry:?}");
    let again = import(&house, &good, &["--dry-run", "--make-rooms"]);
    assert_eq!(sum(&again), would, "a dry run leaves nothing behind");
    let came = import(&house, &good, &["--make-rooms"]);
    let done = "3 bookings: 3 new, 0 known, 0 without a room, 0 refused, 0 over; 0 left out, 3 rooms made";
    assert_eq!((came.code, sum(&came)), (Some(0), done), "{came:?}");
    let second = counted(&import(&house, &good, &["--make-rooms", "--json"]));
    assert_eq!((&second["new"], &second["known"], &second["rooms"]), (&0.into(), &3.into(), &0.into()), "{second}");

    // Each fault with its line, and nothing of the file comes in.
    let bad = book.replace("B-1,prp_A", "B-9,the Chinar").replacen("B-3,prp_A", "B-2,prp_A", 1).replace("B-9", "B-8");
    let bad = format!("{bad}B-7,prp_A,rmt_DOUBLE,2026-02-30,2026-03-02,Zarmina Noori,2,99.50\n");
    for line_end in ["\n", "\r\n"] {
        let refused = import(&house, &written(&house, "bad.csv", &bad.replace('\n', line_end)), &[]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        for said in [
            "line 2: property_id",
            "line 4: reference: B-2 is there twice",
            "line 5: arrival",
            "3 errors, nothing was imported",
        ] {
            assert!(refused.err.contains(said), "{line_end:?}: {said}: {}", refused.err);
        }
    }
    let columns = import(&house, &written(&house, "columns.csv", "reference,arrival,departure,colour\n"), &[]);
    assert!(columns.code == Some(1) && columns.err.contains("line 1") && columns.err.contains("colour"), "{columns:?}");
    let third = counted(&import(&house, &good, &["--json"]));
    assert_eq!(third["known"], 3, "{third}");

    // Whoever finds no room is named, and a script is told that not all came in.
    let full = good_line(&book, "B-4");
    let full = import(&house, &written(&house, "full.csv", &full), &[]);
    assert_eq!(full.code, Some(1), "{full:?}");
    for said in ["line 2: B-4: no room of its kind is free", "1 bookings did not come in"] {
        assert!(full.err.contains(said), "{said}: {}", full.err);
    }

    for (usage, said) in [
        (house.run(&["import", good.to_str().expect("a path"), "--tenant", "the Chinar"]), "tenant"),
        (import(&house, &good, &["--property", "the Chinar"]), "--property"),
        (import(&house, &good, &["--begin", "tomorrow"]), "--begin"),
    ] {
        assert!(usage.code == Some(2) && usage.err.contains(said), "{usage:?}");
    }
    assert_eq!(import(&house, Path::new("nowhere.csv"), &[]).code, Some(1));
}

#[test]
fn the_first_weeks_of_a_real_book_come_in_once() {
    let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/resort_hotel_bookings.csv.gz");
    if !real.exists() {
        eprintln!("NOT RUN: the first weeks of a real book, since {} is not there", real.display());
        return;
    }
    let mut text = String::new();
    let mut raw = flate2::read::GzDecoder::new(std::fs::File::open(&real).expect("the book"));
    raw.read_to_string(&mut text).expect("the book's text");
    let text: String = text.split_inclusive('\n').take(301).collect();
    let house = House::new();
    let cut = written(&house, "real.csv", &text);
    let _up = house.up();
    let begin = in_days(7).to_string();
    let unsaid = import(&house, &cut, &[]);
    assert!(unsaid.code == Some(2) && unsaid.err.contains("--property"), "{unsaid:?}");
    let how = ["--property", "prp_A", "--begin", &begin, "--make-rooms", "--json"];
    let dry = counted(&import(&house, &cut, &[&how[..], &["--dry-run"]].concat()));
    let came = counted(&import(&house, &cut, &how));
    assert_eq!((&dry["new"], &dry["rooms"]), (&came["new"], &came["rooms"]), "what a dry run says is what comes");
    let all = came["bookings"].as_u64().expect("a number") + came["leftOut"].as_u64().expect("a number");
    assert_eq!((all, &came["new"], &came["full"]), (300, &came["bookings"], &0.into()), "{came}");
    let again = counted(&import(&house, &cut, &how));
    assert_eq!((&again["known"], &again["new"], &again["rooms"]), (&came["bookings"], &0.into(), &0.into()), "{again}");
}
