//! Who comes, who leaves, who is there: as JSON, or as a table for the printer when the network may be gone tomorrow.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use contracts::values::LocalDate;
use platform::UnitOfWork;
use platform::auth::Role;
use platform::http::{Describe, NoSince, OneProperty, Operation, Page, Paging, Problem, Query, Who, WholeList};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::SCHEMA;
use crate::application::lookout::{self, Looked};
use crate::application::views::StayLine;
use crate::presentation::FrontOffice;

#[derive(Deserialize, JsonSchema)]
pub(super) struct DayQuery {
    /// The hotel's today, unless said otherwise.
    date: Option<LocalDate>,
}

/// A list of the desk, in the form that was asked for.
pub(super) struct DeskList(Response);

impl IntoResponse for DeskList {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Describe for DeskList {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers::<Page<StayLine>>(200, "The list; as a table with a header row for `Accept: text/csv`.");
        operation.answers_also_as(200, "text/csv");
    }
}

macro_rules! desk_lists {
    ($($name:ident = $looked:expr),*) => {$(
        pub(super) async fn $name(
            State(office): State<FrontOffice>,
            Who(caller): Who,
            OneProperty(property): OneProperty,
            WholeList(paging): WholeList,
            _: NoSince,
            Query(query): Query<DayQuery>,
            headers: HeaderMap,
        ) -> Result<DeskList, Problem> {
            let sees = caller.roles.any_of(&[Role::FrontDesk, Role::PropertyManager, Role::Admin]);
            let day = query.date.map(|date| date.0);
            let look = async |uow: &mut UnitOfWork| lookout::stays(uow, &property, day, $looked, sees).await;
            let lines = office.db.read(&SCHEMA, &caller.tenant, look).await?;
            DeskList::of(lines, sees, &paging, &headers)
        }
    )*};
}
desk_lists!(arrivals = Looked::Arrivals, departures = Looked::Departures, in_house = Looked::InHouse);

impl DeskList {
    /// A table has no place to say that there is more, and is always whole.
    fn of(lines: Vec<StayLine>, sees: bool, paging: &Paging, headers: &HeaderMap) -> Result<Self, Problem> {
        let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let wants_table = accept.split(',').any(|one| one.trim().split(';').next() == Some("text/csv"));
        if !wants_table {
            let page = Page::of(lines, paging, |line| line.reservation_id.to_string())?;
            return Ok(Self(Json(page).into_response()));
        }
        let kind = HeaderValue::from_static("text/csv; charset=utf-8; header=present");
        Ok(Self(([(header::CONTENT_TYPE, kind)], table(&lines, sees)).into_response()))
    }
}

/// RFC 4180. Who sees no guest and no money has no columns for them.
fn table(lines: &[StayLine], sees: bool) -> String {
    let mut head = vec![
        "reservationCode",
        "status",
        "arrival",
        "departure",
        "nights",
        "rooms",
        "overdue",
        "expectedArrivalAt",
        "requests",
    ];
    if sees {
        head.extend(["guest", "phone", "balanceMicro", "currency"]);
    }
    let mut text = head.join(",") + "\r\n";
    for line in lines {
        let rooms = line.items.iter().map(|item| item.number.clone().unwrap_or_else(|| item.room_type_id.to_string()));
        let requests = line.special_requests.iter().flat_map(|request| request.tags.clone());
        let mut cells = vec![
            line.reservation_code.clone(),
            line.status.as_str().to_owned(),
            line.stay_window.start.to_string(),
            line.stay_window.end.to_string(),
            line.stay_window.nights.to_string(),
            rooms.collect::<Vec<_>>().join(" "),
            line.overdue.to_string(),
            line.expected_arrival_at.map_or(String::new(), |at| at.to_string()),
            requests.collect::<Vec<_>>().join(" "),
        ];
        if sees {
            let guest = line.primary_guest.as_ref();
            cells.push(guest.and_then(|guest| guest.name.clone()).unwrap_or_default());
            cells.push(guest.and_then(|guest| guest.phone.clone()).unwrap_or_default());
            cells.push(line.balance_micro.map_or(String::new(), |balance| balance.to_string()));
            cells.push(line.currency.map_or(String::new(), |currency| currency.to_string()));
        }
        text.push_str(&cells.iter().map(|cell| safe(cell)).collect::<Vec<_>>().join(","));
        text.push_str("\r\n");
    }
    text
}

/// A cell that a spreadsheet takes for what it is: what looks like a formula is told to be text, quotes and lines are kept.
fn safe(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let cell = if is_formula { format!("'{cell}") } else { cell.to_owned() };
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn no_cell_is_a_formula_and_every_cell_is_one_cell() {
        assert_eq!(safe("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(safe("+93 700"), "'+93 700");
        assert_eq!(safe("-5"), "'-5");
        assert_eq!(safe("@home"), "'@home");
        assert_eq!(safe("\tx"), "'\tx");
        assert_eq!(safe("Noori, Zarmina"), "\"Noori, Zarmina\"");
        assert_eq!(safe("زرمینه"), "زرمینه");
    }
}
