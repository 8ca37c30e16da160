//! People sign in with a code and a PIN, and one of them leaves for good.

use platform::auth::Role;
use serde_json::json;

use crate::test_hotel::TestHotel;

pub(super) async fn tell(hotel: &TestHotel) {
    let parwin = hotel.with_pin("Parwin", "748291").await;
    hotel.sign_in(&parwin.code, "748291").await.done();
    let path = format!("/staff/v1/staff/{}/pin", parwin.staff);
    let answer = hotel.post(&hotel.manager(), &path, json!({ "pin": "564738" })).await;
    assert_eq!(answer.status, 204, "{}", answer.text);
    let (path, admin) = (format!("/staff/v1/staff/{}", parwin.staff), hotel.token(Role::Admin, None));
    hotel.get(&admin, &format!("{path}/export")).await.done();
    hotel.post(&hotel.manager(), &format!("{path}/terminate"), json!({ "reason": "end_of_season" })).await.done();
    assert_eq!(hotel.post(&admin, &format!("{path}/erase"), json!({})).await.status, 204);
}
