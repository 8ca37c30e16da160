//! A day of a hotel through every route there is, told context by context. The first success of each route is its example in the
//! OpenAPI document; a route that has no part in any day fails a test.

mod cleaning;
mod stock;

use crate::test_hotel::TestHotel;

/// The days, one after the other, in one hotel.
pub(crate) async fn tell() -> TestHotel {
    let hotel = TestHotel::open().await;
    hotel.keep_examples();
    cleaning::tell(&hotel).await;
    stock::tell(&hotel).await;
    hotel
}
