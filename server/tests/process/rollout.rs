//! A newer release registers, an older one is still at work: what the older one publishes reaches the newer one's context.

use std::time::Duration;

use nix::sys::signal::Signal;

use crate::house::House;
use crate::process::until;
use crate::story::Hotel;

#[test]
fn an_older_process_delivers_to_a_context_of_a_newer_release_and_forgets_it_at_no_start() {
    let house = House::new();
    let mut up = house.up();
    let hotel = Hotel::of(&house, "CHINAR");
    hotel.check_out(&house.client(), 0);
    until("what was told before is published", Duration::from_secs(15), || house.unpublished() == 0);

    // As the newer release does when it starts; this binary has no such context.
    house.session("melmastoon_relay").tell(
        "INSERT INTO bus.subscriptions (subscription, subject, began_after, registered_at, registered_by)
         SELECT 'tomorrow', 'melmastoon.housekeeping.room.status_changed.v1', max(log_offset), now(), '9.9.9' FROM bus.event_log",
    );
    let waiting = |count: i64| {
        let sql = "SELECT count(*) FROM bus.deliveries WHERE subscription = 'tomorrow'";
        until("its deliveries wait for it", Duration::from_secs(15), || {
            house.session("melmastoon_relay").count(sql) == count
        });
    };
    hotel.check_out(&house.client(), 1);
    waiting(1);

    up.signal(Signal::SIGTERM);
    assert!(up.ends(Duration::from_secs(15)).success());
    let _up = house.up();
    hotel.check_out(&house.client(), 2);
    waiting(2);
    house.assert_all_published_once();
}
