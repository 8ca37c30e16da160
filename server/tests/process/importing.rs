//! `melmastoon import rooms.csv`: what an operator sees of it.

use crate::house::House;

const TABLE: &str =
    "property_id,room_id,number,floor,section,room_type\nprp_A,rom_1,101,1,east,double\nprp_A,rom_2,102,1,east,suite\n";

#[test]
fn rooms_are_imported_beside_a_running_house_and_a_bad_line_is_named() {
    let house = House::new();
    let (good, bad) = (house.folder().join("rooms.csv"), house.folder().join("bad.csv"));
    std::fs::write(&good, TABLE).expect("a file");
    std::fs::write(&bad, TABLE.replace("102,1", "102,ground")).expect("a file");
    let file = good.to_str().expect("a path");
    let import = |more: &[&str]| house.run(&[&["import", file, "--tenant", "tnt_A"], more].concat());
    let alone = import(&[]);
    assert_eq!(alone.code, Some(1), "{alone:?}");
    assert!(alone.err.contains("melmastoon up"), "{alone:?}");

    let _up = house.up();
    let dry = import(&["--dry-run"]);
    assert_eq!((dry.code, dry.out.trim()), (Some(0), "2 rooms: 2 would be new, 0 would be changed, 0 as they were"));
    assert!(import(&[]).out.starts_with("2 rooms: 2 new"));
    let again: serde_json::Value = serde_json::from_str(&import(&["--json"]).out).expect("JSON");
    assert_eq!(again["imported"]["unchanged"], 2, "{again}");

    let out = house.folder().join("out.csv");
    let out = out.to_str().expect("a path");
    let export = |more: &[&str]| house.run(&[&["export", "rooms", "--tenant", "tnt_A"], more].concat());
    let written = export(&["--output", out, "--json"]);
    assert_eq!(written.out.trim(), r#"{"exported":{"rooms":2,"leftOut":0}}"#, "{written:?}");
    let dry = house.run(&["import", out, "--tenant", "tnt_A", "--dry-run", "--json"]);
    let dry: serde_json::Value = serde_json::from_str(&dry.out).expect("JSON");
    assert_eq!(dry["imported"]["unchanged"], 2, "{dry}");
    assert_eq!(export(&[]).out, std::fs::read_to_string(out).expect("the file"));
    let rows: serde_json::Value = serde_json::from_str(&export(&["--json"]).out).expect("JSON");
    assert_eq!(rows["rows"][1]["room_type"], "suite", "{rows}");
    assert_eq!(export(&["--property", "the Chinar"]).code, Some(2));
    assert_eq!(house.run(&["export", "guests", "--tenant", "tnt_A"]).code, Some(2));

    let refused = house.run(&["import", bad.to_str().expect("a path"), "--tenant", "tnt_A"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("line 3: floor") && refused.err.contains("nothing was imported"), "{refused:?}");
    let nobody = house.run(&["import", file, "--tenant", "the Chinar"]);
    assert_eq!(nobody.code, Some(2), "{nobody:?}");
    assert_eq!(house.run(&["import", "nowhere.csv", "--tenant", "tnt_A"]).code, Some(1));
    for tick in ["escalation", "staffing_gap", "lost_found_retention", "mid_stay"] {
        let said = house.output(&["tick", tick, "--once"]);
        // The running house has ticks of its own, and one of them may be at it.
        assert!(said.contains("nothing to do") || said.contains("another process"), "{tick}: {said}");
    }
}
