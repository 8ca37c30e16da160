//! A unit of work that fails at its end leaves nothing behind, although COMMIT was sent with it, and its connection is as good as new.

use contracts::actor::Actor;
use contracts::housekeeping::{RoomStatus, RoomStatusCause};
use housekeeping::SCHEMA;
use housekeeping::domain::room::Flip;
use housekeeping::infrastructure::rooms;
use platform::{Fault, Sql, params};

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
    let after = rooms::find(&mut looking, &room.id, None).await.unwrap().remove(0).room;
    looking.rollback().await.unwrap();
    assert_eq!((after.status, after.version), (RoomStatus::Ready, found.version));
    assert_eq!(hotel.published().await.len(), published_before);
}

/// Takes a number.
static NUMBER: Sql = Sql { name: "number", text: "SELECT $1::TEXT, $2::INTEGER", params: &["int4"], columns: &[] };

#[tokio::test]
async fn a_write_that_cannot_even_be_sent_undoes_the_whole_unit_of_work() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let (db, rooms_asked) = (&hotel.app.db, std::slice::from_ref(&room.id));

    let mut uow = db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
    let found = rooms::lock(&mut uow, &hotel.property, rooms_asked).await.unwrap().remove(0);
    let by = Actor::system("sys_test");
    let flip = Flip { cause: RoomStatusCause::ManualOverride, task: None, by: &by, now: uow.now() };
    uow.save(found.clone().override_status(RoomStatus::Dirty, None, &flip).unwrap().unwrap());
    uow.project(&NUMBER, params!["no number".to_owned()]);
    let outcome = uow.commit().await;

    assert!(matches!(&outcome, Err(Fault::Unstorable { place, .. }) if place == "number"), "{outcome:?}");
    let mut looking = db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
    let after = rooms::find(&mut looking, &room.id, None).await.unwrap().remove(0).room;
    looking.rollback().await.unwrap();
    assert_eq!((after.status, after.version), (RoomStatus::Ready, found.version));
}

#[tokio::test]
async fn connections_that_the_server_has_closed_are_not_handed_out_again() {
    let hotel = TestHotel::open().await;
    let room = hotel.ready_room("101").await;
    let cut = "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
               WHERE datname = current_database() AND application_name = 'melmastoon melmastoon_app'";
    let closed: i64 = hotel.behind.query_one(cut, &[]).await.unwrap().get(0);
    assert!(closed > 0, "somebody was connected");

    let mut looking = hotel.app.db.begin_for(&SCHEMA, &hotel.tenant).await.unwrap();
    let found = rooms::find(&mut looking, &room.id, None).await.unwrap();
    looking.rollback().await.unwrap();
    assert_eq!(found.len(), 1);
}
