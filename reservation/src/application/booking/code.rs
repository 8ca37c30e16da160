//! The code that a guest says at the desk.

use contracts::ids::ReservationId;
use platform::UnitOfWork;

use crate::ReservationError;
use crate::infrastructure::reservations;

/// The letters of a code: no look-alikes, no vowels.
const LETTERS: &[u8; 24] = b"346789BCDFGHJKMNPQRTVWXY";

/// So long a code is at first.
pub(super) const SHORTEST: usize = 6;

/// A code that perhaps nobody has.
pub(super) fn draw(uow: &UnitOfWork, letters: usize) -> String {
    let random = uow.next_id::<ReservationId>().ulid().map_or(0, |ulid| ulid.random());
    code_of(random, letters)
}

/// A code that nobody has: six letters, more after three that were taken.
pub(super) async fn new_code(uow: &mut UnitOfWork) -> Result<String, ReservationError> {
    let mut code = String::new();
    for letters in [SHORTEST, SHORTEST, SHORTEST, 7, 8] {
        code = draw(uow, letters);
        if !reservations::has_code(uow, &code).await? {
            break;
        }
    }
    Ok(code)
}

/// Letters of a random number.
pub fn code_of(mut random: u128, letters: usize) -> String {
    let mut code = String::from("GM-");
    for _ in 0..letters {
        let at = usize::try_from(random % LETTERS.len() as u128).unwrap_or(0);
        code.push(char::from(LETTERS[at]));
        random /= LETTERS.len() as u128;
    }
    code
}
