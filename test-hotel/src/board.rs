//! The board as a test looks at it.

use serde_json::Value;

use crate::text;

#[derive(Debug)]
pub struct BoardView(pub Value);

/// One room on it.
#[derive(Debug, PartialEq, Eq)]
pub struct BoardRoom {
    pub status: String,
    pub occupancy: String,
    pub open_task: Option<String>,
}

impl BoardView {
    pub fn room(&self, number: &str) -> BoardRoom {
        let rooms = self.0["rooms"].as_array().expect("rooms");
        let room = rooms.iter().find(|room| room["number"] == number || room["roomId"] == number);
        let room = room.unwrap_or_else(|| panic!("room {number} is not on the board"));
        BoardRoom {
            status: text(&room["status"]),
            occupancy: text(&room["occupancy"]),
            open_task: room["openTask"]["taskId"].as_str().map(str::to_owned),
        }
    }

    /// The people on shift.
    pub fn people(&self) -> Vec<String> {
        self.0["staff"].as_array().expect("staff").iter().map(|person| text(&person["staffId"])).collect()
    }
}
