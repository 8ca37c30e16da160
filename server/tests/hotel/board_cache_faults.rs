//! A Redis that is killed, that stands still, that lets nobody in, that never was: boards are shown all the same, and soon without waiting.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::join;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use test_hotel::RedisServer;

use crate::board_cache::{Cached, Replica};
use crate::nats::until;
use crate::test_hotel::{Ask, TestHotel, ask_router};

const AWAY: &str = "melmastoon_cache_away ";
const LEFT_ALONE: &str = "melmastoon_cache_asked_total{outcome=\"left_alone\"} ";
const FAILED: &str = "melmastoon_cache_asked_total{outcome=\"failed\"} ";

/// Somebody looks all the time while something happens.
async fn while_people_look<T>(cached: &Cached, happens: impl Future<Output = T>) -> T {
    let over = AtomicBool::new(false);
    let looking = async {
        let mut looks = 0;
        while !over.load(Ordering::SeqCst) {
            cached.one.look(&cached.hotel).await;
            cached.other.look(&cached.hotel).await;
            looks += 2;
        }
        assert!(looks > 0);
    };
    let happening = async {
        let happened = happens.await;
        over.store(true, Ordering::SeqCst);
        happened
    };
    join(looking, happening).await.1
}

async fn is_ready(replica: &Replica) -> bool {
    ask_router(&replica.app, Ask::get("/readyz")).await.status == 200
}

#[tokio::test]
async fn a_cache_that_is_killed_is_left_alone_and_used_again_when_it_is_back() {
    let Some(mut cached) = Cached::open().await else { return };
    assert_eq!(cached.counted(AWAY), 0);
    let pid = Pid::from_raw(cached.redis.pid().unwrap());
    while_people_look(&cached, async {
        kill(pid, Signal::SIGKILL).unwrap();
        until("both leave it alone", async || !cached.one.cache.answers() && !cached.other.cache.answers()).await;
        assert!(is_ready(&cached.one).await && is_ready(&cached.other).await);
    })
    .await;
    assert_eq!(cached.counted(AWAY), 1);
    cached.set_status(&cached.one, "dirty").await;
    assert_eq!(cached.other.look(&cached.hotel).await.body["rooms"][0]["status"], "dirty");

    cached.redis.kill();
    cached.redis.start_again();
    while_people_look(
        &cached,
        until("both use it again", async || cached.one.cache.answers() && cached.other.cache.answers()),
    )
    .await;
    assert_eq!(cached.counted(AWAY), 0);
    cached.is_shared(&cached.one.look(&cached.hotel).await).await;
    cached.stays();
    let before = cached.shown_from("cache");
    cached.other.look(&cached.hotel).await;
    assert_eq!(cached.shown_from("cache"), before + 1);
}

#[tokio::test]
async fn a_cache_that_takes_and_never_answers_holds_up_three_at_most() {
    let Some(cached) = Cached::open().await else { return };
    let pid = Pid::from_raw(cached.redis.pid().unwrap());
    kill(pid, Signal::SIGSTOP).unwrap();
    let mut waited = 0;
    while cached.one.cache.answers() {
        cached.one.look(&cached.hotel).await;
        waited += 1;
    }
    assert!(waited <= 3, "{waited} waited");
    let (alone, failed) = (cached.counted(LEFT_ALONE), cached.counted(FAILED));
    for _ in 0..20 {
        cached.one.look(&cached.hotel).await;
    }
    assert_eq!((cached.counted(LEFT_ALONE), cached.counted(FAILED)), (alone + 20, failed), "nobody waits any more");
    assert!(is_ready(&cached.one).await);
    kill(pid, Signal::SIGCONT).unwrap();
    cached.one.connects(&cached.hotel).await;
}

#[tokio::test]
async fn a_hotel_opens_without_its_cache_and_takes_it_when_it_comes() {
    let Some(mut redis) = RedisServer::start() else { return };
    redis.kill();
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    let replica = Replica::of(&hotel, &redis.url());
    for _ in 0..5 {
        replica.look(&hotel).await;
    }
    assert!(!replica.cache.answers() && is_ready(&replica).await);
    assert!(replica.cache.examine().await.is_err());
    redis.start_again();
    replica.connects(&hotel).await;
    let told = replica.cache.examine().await.unwrap();
    assert!(told.starts_with("Redis ") && told.contains('.'), "{told}");
}

#[tokio::test]
async fn a_cache_with_a_password_lets_in_who_has_it_and_the_others_go_on_without() {
    let Some(redis) = RedisServer::start_with(Some("chinar")) else { return };
    let hotel = TestHotel::open().await;
    hotel.ready_room("101").await;
    let stranger = Replica::of(&hotel, &redis.url().replace("chinar", "guess"));
    for _ in 0..3 {
        stranger.look(&hotel).await;
    }
    let refused = stranger.cache.examine().await.unwrap_err();
    assert!(!refused.contains("guess"), "{refused}");
    assert!(!stranger.cache.answers());
    Replica::of(&hotel, &redis.url()).connects(&hotel).await;
}

#[tokio::test]
async fn a_cache_that_is_full_takes_nothing_more_and_boards_go_on() {
    let Some(cached) = Cached::open().await else { return };
    let shown = cached.one.look(&cached.hotel).await;
    for (name, value) in [(&b"maxmemory-policy"[..], &b"noeviction"[..]), (b"maxmemory", b"1")] {
        cached.redis.ask(&[b"CONFIG", b"SET", name, value]).unwrap();
    }
    cached.redis.remove(&cached.key());
    for _ in 0..10 {
        assert_eq!(cached.one.look(&cached.hotel).await.text, shown.text);
    }
    assert_eq!(cached.redis.value(&cached.key()), None, "it took nothing");
    cached.redis.ask(&[b"CONFIG", b"SET", b"maxmemory", b"0"]).unwrap();
    cached.one.connects(&cached.hotel).await;
    until("it is shared again", async || {
        cached.one.look(&cached.hotel).await;
        cached.redis.value(&cached.key()).is_some()
    })
    .await;
}
