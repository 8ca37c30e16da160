//! The board of a hotel of two hundred rooms, asked for again and again.

use std::time::Duration;

use crate::Outcome;
use crate::hotel::{self, Hotel};
use crate::load::{self, Connection, Reached, Script, Span, timed};
use crate::stage::{Product, Stage};

struct Viewer {
    request: Vec<u8>,
}

impl Script for Viewer {
    async fn turn(&mut self, connection: &mut Connection, report: &mut Vec<Duration>) -> Outcome<bool> {
        timed(connection, &self.request, report).await?;
        Ok(true)
    }
}

pub(crate) async fn ours(
    stage: &Stage,
    hotel: &Hotel,
    product: &Product,
    connections: usize,
    span: Span,
) -> Outcome<Reached> {
    let viewers = (0..connections)
        .map(|number| {
            let token =
                hotel::token(stage, &hotel.board_tenant(), "supervisor", &format!("usr_BOARD{number}"), None);
            let property = hotel.board_property();
            let request = format!(
                "GET /housekeeping/v1/board?propertyId={property} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\r\n"
            );
            Viewer { request: request.into_bytes() }
        })
        .collect();
    Ok(load::run(product.address, viewers, span).await?.0)
}
