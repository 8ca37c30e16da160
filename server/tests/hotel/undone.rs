//! A decision on a row that is not as it was decided on leaves nothing behind, although COMMIT was sent with it.

use contracts::actor::Actor;
use contracts::housekeeping::{RoomStatus, RoomStatusCause};
use housekeeping::SCHEMA;
use housekeeping::domain::room::Flip;
use housekeeping::infrastructure::rooms;
use platform::Fault;

use crate::test_hotel::TestHotel;

#[tokio::test]
async fn a_row_that_was_gone_undoes_the_whole_unit_of_work() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (db, rooms_asked) = (&hotel.app.db, std::slice::from_ref(&room.id));
    let published_before = hotel.published().await.len();

    let mut uow = db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
    let found = rooms::lock(&mut uow, &hotel.property, rooms_asked).await.unwrap().remove(0);
    let by = Actor::system("sys_test");
    let flip = Flip { cause: RoomStatusCause::ManualOverride, task: None, by: &by, now: uow.now() };
    // Two decisions on the same version: the second one's row is no longer there.
    for status in [RoomStatus::Dirty, RoomStatus::Clean] {
        let decided = found.clone().override_status(status, None, &flip).unwrap().unwrap();
        uow.save(decided);
    }
    let outcome = uow.commit().await;

    assert!(matches!(&outcome, Err(Fault::Unexpected { detail, .. }) if detail == "the row was gone"), "{outcome:?}");
    let mut looking = db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
    let after = rooms::find(&mut looking, &room.id).await.unwrap().unwrap().room;
    looking.rollback().await.unwrap();
    assert_eq!((after.status, after.version), (RoomStatus::Ready, found.version));
    assert_eq!(hotel.published().await.len(), published_before);
}
