//! A day of a hotel through every route there is, told context by context. The first success of each route is its example in the
//! OpenAPI document; a route that has no part in any day fails a test.

mod cleaning;
mod deep_clean;
mod front_office;
mod personal;
mod planning;
mod reservation;
mod rooms;
mod staff;
mod staff_terminals;
mod stock;
mod web;
mod webhooks;

use crate::test_hotel::TestHotel;

/// The days, one after the other, in one hotel.
pub(crate) async fn tell() -> TestHotel {
    // A hotel of its own: the examples are public, and no other test may meet its ids there.
    let hotel = TestHotel::with_seed(1_405).await;
    hotel.keep_examples();
    cleaning::tell(&hotel).await;
    rooms::tell(&hotel).await;
    stock::tell(&hotel).await;
    deep_clean::tell(&hotel).await;
    staff::tell(&hotel).await;
    planning::tell(&hotel).await;
    staff_terminals::tell(&hotel).await;
    reservation::tell(&hotel).await;
    web::tell(&hotel).await;
    front_office::tell(&hotel).await;
    webhooks::tell(&hotel).await;
    personal::tell(&hotel).await;
    hotel
}

/// The desk's day alone, for a hotel in which something is to be everywhere.
pub(crate) async fn at_the_desk(hotel: &TestHotel) {
    reservation::tell(hotel).await;
    front_office::tell(hotel).await;
}
