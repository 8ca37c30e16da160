//! People sign in with a code and a PIN.

use serde_json::json;

use crate::test_hotel::TestHotel;

pub(super) async fn tell(hotel: &TestHotel) {
    let parwin = hotel.with_pin("Parwin", "748291").await;
    hotel.sign_in(&parwin.code, "748291").await.done();
    let path = format!("/staff/v1/staff/{}/pin", parwin.staff);
    let answer = hotel.post(&hotel.manager(), &path, json!({ "pin": "564738" })).await;
    assert_eq!(answer.status, 204, "{}", answer.text);
}
