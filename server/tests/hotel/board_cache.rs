//! Boards in a real Redis that processes share: it spares the database a document, and never says what is so.

use futures_util::future::join;
use platform::SharedCache;
use platform::auth::Role;
use serde_json::json;
use server::app::App;
use test_hotel::RedisServer;

use crate::nats::until;
use crate::test_hotel::{Answer, Ask, Door, TestHotel, ask_router, text};

/// A process of the hotel that has the cache.
pub(crate) struct Replica {
    pub(crate) app: App,
    pub(crate) cache: SharedCache,
}

/// A hotel with a room, two processes, and a cache that both of them are connected to.
pub(crate) struct Cached {
    pub(crate) one: Replica,
    pub(crate) other: Replica,
    pub(crate) room: Door,
    pub(crate) hotel: TestHotel,
    pub(crate) redis: RedisServer,
}

impl Replica {
    pub(crate) fn of(hotel: &TestHotel, url: &str) -> Self {
        let cache = SharedCache::new(url).unwrap();
        Self { app: hotel.process(|parts| parts.cache = Some(cache.clone())), cache }
    }

    pub(crate) async fn look(&self, hotel: &TestHotel) -> Answer {
        let answer = ask_router(&self.app, board(hotel).by(&hotel.supervisor())).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer
    }

    /// The first who looks has it tried, and does not wait.
    pub(crate) async fn connects(&self, hotel: &TestHotel) {
        until("the cache answers", async || {
            self.look(hotel).await;
            self.cache.answers()
        })
        .await;
    }
}

pub(crate) fn board(hotel: &TestHotel) -> Ask {
    Ask::get(format!("/housekeeping/v1/board?propertyId={}", hotel.property))
}

impl Cached {
    pub(crate) async fn open() -> Option<Self> {
        let redis = RedisServer::start()?;
        let hotel = TestHotel::open().await;
        let room = hotel.ready_room("101").await;
        let (one, other) = (Replica::of(&hotel, &redis.url()), Replica::of(&hotel, &redis.url()));
        one.connects(&hotel).await;
        other.connects(&hotel).await;
        let cached = Self { one, other, room, hotel, redis };
        cached.is_shared(&cached.one.look(&cached.hotel).await).await;
        Some(cached)
    }

    pub(crate) fn key(&self) -> String {
        format!("melmastoon:board-1:whole:{}:{}", self.hotel.tenant, self.hotel.property)
    }

    /// Waits until this board is in the cache: it is put there behind the answer.
    pub(crate) async fn is_shared(&self, shown: &Answer) {
        let document = shown.text.as_bytes();
        until("the board is shared", async || {
            self.redis.value(&self.key()).is_some_and(|value| value.starts_with(document))
        })
        .await;
    }

    /// Boards shown so far by all processes, by where they came from.
    pub(crate) fn shown_from(&self, source: &str) -> u64 {
        self.counted(&format!("melmastoon_boards_total{{from=\"{source}\"}} "))
    }

    /// However slow the machine is, what is there now does not expire under a test.
    pub(crate) fn stays(&self) {
        self.redis.ask(&[b"PERSIST", self.key().as_bytes()]).unwrap();
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    pub(crate) fn counted(&self, series: &str) -> u64 {
        // Whoever is built first is who counts, for all.
        let metrics = self.hotel.app.metrics.render();
        metrics
            .lines()
            .find_map(|line| line.strip_prefix(series))
            .map_or(0, |count| count.parse::<f64>().unwrap() as u64)
    }

    pub(crate) async fn set_status(&self, replica: &Replica, status: &str) {
        let path = format!("/housekeeping/v1/rooms/{}/status", self.room.id);
        let ask = Ask::post(path).by(&self.hotel.supervisor()).json(&json!({ "status": status }));
        ask_router(&replica.app, ask).await.done();
    }
}

#[tokio::test]
async fn a_board_that_one_process_has_read_spares_the_database_its_document_in_another() {
    let Some(cached) = Cached::open().await else { return };
    let first = cached.one.look(&cached.hotel).await;
    assert_eq!(cached.redis.keys(), [cached.key()], "one entry, which says whose it is");
    assert!((1..=5_000).contains(&cached.redis.stays(&cached.key())), "it goes by itself");
    cached.stays();

    // Were the document read from here, the answer would be no board.
    let spoil = "UPDATE housekeeping.board_snapshot_mat SET document = 'not from here'";
    cached.hotel.behind.batch_execute(spoil).await.unwrap();
    let before = cached.shown_from("cache");
    cached.hotel.clock.advance_seconds(7);
    let second = cached.other.look(&cached.hotel).await;
    assert_eq!(second.text, first.text, "the very same");
    assert_eq!(second.header("etag"), first.header("etag"));
    assert_eq!(second.header("age"), Some("7"));
    assert_eq!(cached.shown_from("cache"), before + 1);

    // Whoever has it is told so by the database alone.
    let known = board(&cached.hotel).by(&cached.hotel.supervisor()).header("if-none-match", text(&first.body["etag"]));
    let asked = cached.counted("melmastoon_cache_asked_total{outcome=\"found\"} ");
    assert_eq!(ask_router(&cached.other.app, known).await.status, 304);
    assert_eq!(cached.counted("melmastoon_cache_asked_total{outcome=\"found\"} "), asked);

    // One person's share is nobody else's.
    let share = format!("/housekeeping/v1/board?propertyId={}&staffId=stf_A", cached.hotel.property);
    ask_router(&cached.one.app, Ask::get(share).by(&cached.hotel.supervisor())).await.done();
    assert_eq!(cached.redis.keys(), [cached.key()]);
}

#[tokio::test]
async fn whoever_commands_at_one_process_sees_it_at_the_other_at_once_and_the_old_board_is_gone_from_the_cache() {
    let Some(cached) = Cached::open().await else { return };
    for round in 0..10 {
        // What is there is the board as it was.
        cached.is_shared(&cached.one.look(&cached.hotel).await).await;
        let status = ["dirty", "clean"][round % 2];
        let (changes, shows) = if round % 3 == 0 { (&cached.other, &cached.one) } else { (&cached.one, &cached.other) };
        // Somebody looks in the middle of it, and may put the old one there once more.
        join(cached.set_status(changes, status), shows.look(&cached.hotel)).await;
        let seen = shows.look(&cached.hotel).await;
        assert_eq!(seen.body["rooms"][0]["status"], status, "round {round}, and no relay has run");
        cached.is_shared(&shows.look(&cached.hotel).await).await;
    }
}

#[tokio::test]
async fn an_old_board_that_comes_late_into_the_cache_is_shown_to_nobody() {
    let Some(cached) = Cached::open().await else { return };
    let old = cached.redis.value(&cached.key()).unwrap();
    cached.set_status(&cached.one, "dirty").await;
    let new = cached.one.look(&cached.hotel).await;
    cached.is_shared(&new).await;
    // A process that stood still between reading the board and putting it there.
    cached.redis.put(&cached.key(), &old);
    let before = cached.shown_from("cache");
    for replica in [&cached.other, &cached.one] {
        assert_eq!(replica.look(&cached.hotel).await.text, new.text);
    }
    assert!(cached.shown_from("cache") <= before + 1, "the second of them at most: the first has put it right");
    cached.is_shared(&new).await;
}

#[tokio::test]
async fn what_has_expired_is_read_from_the_database_and_shared_anew() {
    let Some(cached) = Cached::open().await else { return };
    let shown = cached.one.look(&cached.hotel).await;
    assert_eq!(cached.redis.ask(&[b"PEXPIRE", cached.key().as_bytes(), b"1"]).unwrap(), b"1");
    until("it is gone", async || cached.redis.value(&cached.key()).is_none()).await;
    let before = cached.shown_from("snapshot");
    assert_eq!(cached.other.look(&cached.hotel).await.text, shown.text);
    assert_eq!(cached.shown_from("snapshot"), before + 1);
    cached.is_shared(&shown).await;
}

#[tokio::test]
async fn no_tenant_is_shown_anothers_board_whatever_lies_under_its_key() {
    let Some(cached) = Cached::open().await else { return };
    let hotel = &cached.hotel;
    let ours = cached.one.look(hotel).await;
    let stranger = contracts::ids::TenantId::parse("tnt_STRANGER").unwrap();
    let look = async || {
        let ask = board(hotel).by(&hotel.token_of_tenant(Role::Supervisor, &stranger));
        ask_router(&cached.other.app, ask).await
    };
    // A house of theirs with the very same name.
    let theirs = look().await;
    assert_eq!((theirs.status, &theirs.body["rooms"]), (200, &json!([])));
    let key = format!("melmastoon:board-1:whole:{stranger}:{}", hotel.property);
    until("theirs is shared", async || cached.redis.value(&key).is_some()).await;
    assert_eq!(cached.redis.keys(), [cached.key().min(key.clone()), cached.key().max(key.clone())]);

    // Ours lies under their key, and the database even says that theirs has our tag.
    let entry = cached.redis.value(&cached.key()).unwrap();
    cached.redis.put(&key, &entry);
    let same = "UPDATE housekeeping.board_snapshot_mat SET etag = $1 WHERE tenant_id = 'tnt_STRANGER'";
    hotel.behind.execute(same, &[&text(&ours.body["etag"])]).await.unwrap();
    for _ in 0..3 {
        let seen = look().await;
        assert_eq!((seen.status, &seen.body["rooms"]), (200, &json!([])), "{}", seen.text);
        cached.redis.put(&key, &entry);
    }
    // Nor is one house shown another's.
    let elsewhere: contracts::ids::PropertyId = hotel.next();
    let key = format!("melmastoon:board-1:whole:{}:{elsewhere}", hotel.tenant);
    cached.redis.put(&key, &entry);
    let ask = Ask::get(format!("/housekeeping/v1/board?propertyId={elsewhere}"));
    let seen = ask_router(&cached.other.app, ask.by(&hotel.supervisor())).await;
    assert_eq!(seen.body["rooms"], json!([]), "{}", seen.text);
}

#[tokio::test]
async fn garbage_under_a_key_is_no_board_and_is_put_right() {
    let Some(cached) = Cached::open().await else { return };
    let shown = cached.one.look(&cached.hotel).await;
    let whole = cached.redis.value(&cached.key()).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    let middle = whole.len() / 2;
    let garbage: [&[u8]; 6] = [b"", b"\xff\xfe\0\x01", b"{}", &changed, &whole[..middle], &whole[middle..]];
    for wrong in garbage {
        cached.redis.put(&cached.key(), wrong);
        assert_eq!(cached.other.look(&cached.hotel).await.text, shown.text);
        cached.is_shared(&shown).await;
    }
    // Not even a text.
    cached.redis.remove(&cached.key());
    cached.redis.ask(&[b"RPUSH", cached.key().as_bytes(), b"a", b"b"]).unwrap();
    for _ in 0..4 {
        assert_eq!(cached.other.look(&cached.hotel).await.text, shown.text);
    }
    assert!(cached.other.cache.answers(), "an answer that is of no use is an answer");
    cached.is_shared(&shown).await;
}

#[tokio::test]
async fn a_live_board_begins_with_the_shared_one_where_that_holds() {
    let Some(cached) = Cached::open().await else { return };
    cached.stays();
    let before = cached.shown_from("cache");
    let hotel = &cached.hotel;
    let mut live =
        crate::live_stream::Live::open_on(&cached.other.app, &hotel.supervisor(), &hotel.property, None).await;
    let first = live.next().await.unwrap();
    assert_eq!(first.data["rooms"][0]["status"], "ready");
    assert_eq!(cached.shown_from("cache"), before + 1);
}
