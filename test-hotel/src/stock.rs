//! Linen and found things, in one line each.

use serde_json::{Value, json};

use super::{Answer, Door, TestHotel, text};

impl TestHotel {
    /// A kind of linen, counted for the first time.
    pub async fn linen(&self, line: &str, on_hand: i32, low_watermark: i32) -> String {
        let body =
            json!({ "propertyId": self.property, "line": line, "onHand": on_hand, "lowWatermark": low_watermark });
        text(&self.post(&self.supervisor(), "/housekeeping/v1/linen", body).await.done()["id"])
    }

    /// `issue`, `return` or `adjust`.
    pub async fn move_linen(&self, line: &str, verb: &str, count: i32) -> Answer {
        let path = format!("/housekeeping/v1/linen/{line}/{verb}");
        self.post(&self.supervisor(), &path, json!({ "count": count })).await
    }

    pub async fn on_hand(&self, line: &str) -> Value {
        let shown = self.get(&self.supervisor(), &format!("/housekeeping/v1/linen/{line}")).await.done();
        shown["onHand"].clone()
    }

    /// Something that was found in a room.
    pub async fn found(&self, door: &Door, description: &str) -> String {
        let body = json!({ "propertyId": self.property, "roomId": door.id, "description": description });
        text(&self.post(&self.front_desk(), "/housekeeping/v1/lost-and-found", body).await.done()["id"])
    }

    /// `match`, `return` or `dispose`.
    pub async fn lost_item(&self, item: &str, verb: &str, body: Value) -> Answer {
        self.post(&self.front_desk(), &format!("/housekeeping/v1/lost-and-found/{item}/{verb}"), body).await
    }
}
