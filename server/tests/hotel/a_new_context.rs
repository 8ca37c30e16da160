//! Everything that a new context has to write before it is about anything: this is all of it, and it works. A table, a story with its
//! event in the audit, a route with its refusal, a tick, an ear.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::State;
use contracts::catalogue::Context as Delivered;
use contracts::external::RoomCreatedV1;
use contracts::ids::{PropertyId, RoomId};
use contracts::{Envelope, Form, Payload};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use platform::auth::Role;
use platform::bus::{Backoff, Handler, NotApplied, Subscription};
use platform::database::{
    COMMON_TABLES, Change, Columns, Migration, Migrations, RowChange, Schema, Scribe, Stored, Told,
};
use platform::decided::Aggregate;
use platform::http::{Answer, Command, Created, Id, Problem, ProblemKind, Routes, Tagged, Who, about};
use platform::ticks::Tick;
use platform::{AtWork, Context, ContextError, Db, Decided, Refusal, UnitOfWork, columns, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::test_hotel::{Ask, TestHotel, ask_router};

// infrastructure: the schema, its tables, its SQL.
static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::new("minibar", Form::Housekeeping));
const TABLES: &str =
    "CREATE TABLE minibar.fridges (tenant_id TEXT NOT NULL, room_id TEXT NOT NULL, bottles INTEGER NOT NULL,
        version INTEGER NOT NULL, PRIMARY KEY (tenant_id, room_id));
    ALTER TABLE minibar.fridges ENABLE ROW LEVEL SECURITY;
    ALTER TABLE minibar.fridges FORCE ROW LEVEL SECURITY;
    CREATE POLICY fr_tenant_isolation ON minibar.fridges
        USING (tenant_id = minibar.current_tenant_id()) WITH CHECK (tenant_id = minibar.current_tenant_id());
    GRANT SELECT, INSERT, UPDATE ON minibar.fridges TO melmastoon_app";
const MIGRATIONS: Migrations =
    Migrations { schema: "minibar", files: &[COMMON_TABLES, Migration::new(2, "fridges", TABLES)] };
static FIND: platform::Sql = platform::Sql {
    name: "find",
    text: "SELECT room_id, bottles, version FROM minibar.fridges WHERE tenant_id = $1 AND room_id = $2",
    params: &["text"],
    columns: columns![room_id: text, bottles: int4, version: int4],
};
static INSERT: platform::Sql = platform::Sql {
    name: "insert",
    text: "INSERT INTO minibar.fridges (tenant_id, room_id, bottles, version) VALUES ($1, $2, $3, $4)",
    params: &["text", "int4", "int4"],
    columns: &[],
};

// domain: what it is about.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Fridge {
    room_id: RoomId,
    bottles: i32,
    version: i32,
}

struct Filled;

impl Aggregate for Fridge {
    type Event = Filled;
    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Stored for Fridge {
    const KIND: &'static str = "fridge";
    fn aggregate_id(&self) -> String {
        self.room_id.to_string()
    }
    fn property_id(&self) -> Option<&PropertyId> {
        None
    }
    fn rows(&self, _: &Change<'_, Filled>, _: &Scribe<'_>) -> Vec<RowChange> {
        vec![RowChange::new(&INSERT, params![self.room_id.clone(), self.bottles, self.version])]
    }
    fn tell(&self, _: &Filled, version: i32, _: &Scribe<'_>) -> Told {
        Told::nobody("minibar.fridge.filled", &json!({ "bottles": self.bottles, "aggregateVersion": version }))
    }
}

// its refusals: the general ones, and its own words.
#[derive(Debug, thiserror::Error)]
enum MinibarError {
    #[error(transparent)]
    General(Refusal),
    #[error("a fridge holds twelve bottles")]
    TooMany,
}

platform::general_refusals!(MinibarError);

const TOO_MANY: ProblemKind = ProblemKind::new(409, "TOO_MANY_BOTTLES", "Too many bottles");

impl ContextError for MinibarError {
    const CONTEXT: &'static str = "MINIBAR";
    fn into_general(self) -> Result<Refusal, Self> {
        match self {
            Self::General(refusal) => Ok(refusal),
            own @ Self::TooMany => Err(own),
        }
    }
    fn own_problem(&self) -> Problem {
        TOO_MANY.problem(Self::CONTEXT, self.to_string())
    }
}

// application: the stories.
fn fill(uow: &mut UnitOfWork, room_id: RoomId, bottles: i32) -> Result<Fridge, MinibarError> {
    if bottles > 12 {
        return Err(MinibarError::TooMany);
    }
    Ok(uow.save(Decided::opened(Fridge { room_id, bottles, version: 0 }, Filled)))
}

async fn look(uow: &mut UnitOfWork, room: &RoomId) -> Result<Fridge, MinibarError> {
    let row = uow.read_one(&FIND, &[room]).await?.ok_or(Refusal::NotFound("fridge"))?;
    Ok(Fridge { room_id: row.read("room_id")?, bottles: row.read("bottles")?, version: row.read("version")? })
}

// presentation: routes, and events that come in.
#[derive(Deserialize, JsonSchema)]
struct Fill {
    bottles: i32,
}

async fn put_in(State(db): State<Db>, Id(room): Id<RoomId>, command: Command<Fill>) -> Answer<Created<Fridge>> {
    let bottles = command.body.bottles;
    let story = async |uow: &mut _| {
        let fridge = fill(uow, room.clone(), bottles)?;
        Ok::<_, MinibarError>(Created::new(&fridge, fridge.version, format!("/minibar/v1/fridges/{room}")))
    };
    command.run(&db, &SCHEMA, story).await
}

async fn show(State(db): State<Db>, Who(caller): Who, Id(room): Id<RoomId>) -> Result<Tagged<Fridge>, Problem> {
    let fridge = db.read(&SCHEMA, &caller.tenant, async |uow| look(uow, &room).await).await?;
    Ok(Tagged::new(&fridge, fridge.version))
}

struct Ear;

impl Handler for Ear {
    fn handle<'a>(&'a self, uow: &'a mut UnitOfWork, event: &'a Envelope) -> BoxFuture<'a, Result<(), NotApplied>> {
        async move {
            let room: RoomCreatedV1 =
                event.payload().map_err(|error| NotApplied::never(error.code(), error.to_string()))?;
            fill(uow, room.room_id, 6)?;
            Ok(())
        }
        .boxed()
    }
}

/// The whole context, as the server takes it.
fn minibar() -> Context {
    Context {
        name: "minibar",
        schema: &SCHEMA,
        migrations: MIGRATIONS,
        statements: vec![&FIND, &INSERT],
        ticks: &["minibar.restock"],
        prepare: |_, _| async { Ok(None) }.boxed(),
        begin: Arc::new(|setting| AtWork {
            subscription: Subscription {
                name: "minibar",
                schema: &SCHEMA,
                subjects: vec![RoomCreatedV1::SUBJECT],
                handler: Arc::new(Ear),
                noted: &[],
                backoff: Backoff::of(Delivered::Housekeeping.delivery()),
            },
            served: Routes::new("minibar", "/minibar/v1", setting.gate.clone())
                .post("/fridges/{roomId}", &[Role::Housekeeper], put_in, about("Fill a fridge", &[TOO_MANY]))
                .get("/fridges/{roomId}", &[Role::Housekeeper], show, "A fridge")
                .finish(setting.db.clone()),
            ticks: vec![Tick::new("minibar.restock", Duration::from_hours(1), async |_| Ok(None))],
        }),
    }
}

#[tokio::test]
async fn a_new_context_needs_this_and_has_everything_else() {
    let hotel = TestHotel::open().await;
    platform::database::migrate(&hotel.behind, &[MIGRATIONS]).await.unwrap();
    let app = hotel.process(|parts| parts.contexts.push(minibar()));
    app.register().await.unwrap();
    let token = hotel.token(Role::Housekeeper, None);
    let ask = |ask: Ask| ask_router(&app, ask.by(&token));
    let path = "/minibar/v1/fridges/rom_101";

    ask(Ask::get(path)).await.refused(404, "MELMASTOON.MINIBAR.NOT_FOUND");
    ask(Ask::post(path).json(&json!({ "bottles": 13 }))).await.refused(409, "MELMASTOON.MINIBAR.TOO_MANY_BOTTLES");
    ask(Ask::post(path).json(&json!({}))).await.refused(400, "MELMASTOON.MINIBAR.INVALID_VALUE").naming("bottles");
    let filled = ask(Ask::post(path).key("k").json(&json!({ "bottles": 4 }))).await;
    assert_eq!((filled.status, filled.header("etag")), (201, Some("\"1\"")));
    let again = ask(Ask::post(path).key("k").json(&json!({ "bottles": 4 }))).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(ask(Ask::get(path)).await.done()["bottles"], 4);

    // It hears, has its own inbox, keeps its audit, is described, and leaks nothing.
    let told = json!({ "roomId": "rom_102", "tenantId": hotel.tenant, "propertyId": hotel.property });
    let event = hotel.happening("property.room.created.v1", &told);
    let pushed = ask_router(&app, hotel.wrapped(&event.subject, event.envelope.to_string().as_bytes())).await;
    assert_eq!(pushed.status, 204, "{}", pushed.text);
    assert_eq!(ask(Ask::get("/minibar/v1/fridges/rom_102")).await.done()["bottles"], 6);
    assert_eq!(hotel.count("minibar.inbox").await, 1);
    assert_eq!(hotel.count("minibar.audit_events WHERE subject = 'minibar.fridge.filled'").await, 2);
    assert!(app.openapi["paths"]["/minibar/v1/fridges/{roomId}"]["post"]["summary"] == "Fill a fridge");
    assert_eq!(app.ticker.names().last(), Some(&"minibar.restock"));
    let leaks = platform::database::leaks(&hotel.behind, &["minibar"]).await.unwrap();
    assert_eq!(leaks, Vec::<String>::new());
}
