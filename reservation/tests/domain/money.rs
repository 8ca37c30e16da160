//! Money is exact, and what does not fit is refused.

use contracts::values::{Currency, Decimal};
use proptest::prelude::*;
use reservation::domain::money::{Money, Rate};

const MOST: i128 = 1_000_000_000_000_000_000_000_000;

fn amounts() -> impl Strategy<Value = Money> {
    (-MOST..=MOST).prop_map(|micros| Money::of(micros).unwrap())
}

/// The currency, and its smallest coin in micros.
fn currencies() -> impl Strategy<Value = (Currency, i128)> {
    prop_oneof![Just(("AFN", 10_000)), Just(("JPY", 1_000_000)), Just(("KWD", 1_000))]
        .prop_map(|(word, coin)| (Currency::parse(word).unwrap(), coin))
}

proptest! {
    #[test]
    fn what_is_added_can_be_taken_away_again(one in amounts(), other in amounts()) {
        if let Ok(sum) = one.plus(other) {
            prop_assert_eq!(sum.minus(other).unwrap(), one);
            prop_assert_eq!(other.plus(one).unwrap(), sum);
        }
    }

    #[test]
    fn more_than_any_bill_is_refused_and_never_wraps(one in amounts(), other in amounts()) {
        let exact = one.micros().0 + other.micros().0;
        prop_assert_eq!(one.plus(other).is_ok(), exact.abs() <= MOST);
    }

    #[test]
    fn a_share_is_whole_coins_and_off_by_half_a_coin_at_most(
        amount in -1_000_000_000_000_i128..1_000_000_000_000, ppm in 0_u32..=1_000_000, (currency, coin) in currencies(),
    ) {
        let share = Money::of(amount).unwrap().share(ppm, currency).unwrap().micros().0;
        prop_assert_eq!(share % coin, 0);
        let off = (share * 1_000_000 - amount * i128::from(ppm)).abs();
        prop_assert!(off * 2 <= coin * 1_000_000, "{share} of {amount} at {ppm}");
        // Half to even: a half is rounded to the even coin.
        if off * 2 == coin * 1_000_000 {
            prop_assert_eq!((share / coin) % 2, 0);
        }
    }

    #[test]
    fn there_and_back_at_a_rate_of_exchange_is_off_by_what_rounding_takes(coins in 0_i128..1_000_000_000, rate in 1_u32..100_000) {
        let (afghani, dollar) = (Currency::parse("AFN").unwrap(), Currency::parse("USD").unwrap());
        let rate = Rate::read(&Decimal::parse(&format!("{rate}.5")).unwrap()).unwrap();
        let dollars = Money::of(coins * 10_000).unwrap();
        let there = dollars.exchanged(&rate, afghani, false).unwrap();
        let back = there.exchanged(&rate, dollar, true).unwrap();
        // One afghani coin is less than a dollar coin at any of these rates, so the way back finds the same coin or its neighbour.
        prop_assert!((back.micros().0 - dollars.micros().0).abs() <= 10_000);
    }
}

#[test]
fn the_mean_of_nights_is_rounded_half_to_even() {
    assert_eq!(Money::of(5).unwrap().mean_of(2), Money::of(2).unwrap());
    assert_eq!(Money::of(7).unwrap().mean_of(2), Money::of(4).unwrap());
    assert_eq!(Money::of(10).unwrap().mean_of(0), Money::of(10).unwrap());
}

#[test]
fn a_rate_is_a_plain_positive_decimal() {
    let fine = "0.014184397163120567";
    for good in ["70", "70.5", "0.000000001", "999999999999", fine, "70.500000000000000000000", "0.000000000000000001"]
    {
        assert!(Rate::read(&Decimal::parse(good).unwrap()).is_some(), "{good}");
    }
    for bad in ["0", "0.000", "-1", "0.0000000000000000001", "1234567890123", "1e12", "1e-19", "0e5", "-1e2", "1e300"] {
        assert!(Rate::read(&Decimal::parse(bad).unwrap()).is_none(), "{bad}");
    }
}

#[test]
fn a_rate_that_is_written_with_an_exponent_is_the_same_rate() {
    let rate = |text: &str| Rate::read(&Decimal::parse(text).unwrap());
    // A rial in dollars, as some writers of JSON write it.
    for (written, plain) in [
        ("2.38e-05", "0.0000238"),
        ("7.05E+1", "70.5"),
        ("1e11", "100000000000"),
        ("705e-1", "70.5"),
        ("10.50e0", "10.5"),
    ] {
        assert!(rate(plain).is_some());
        assert_eq!(rate(written), rate(plain), "{written}");
    }
}

#[test]
fn a_fine_rate_is_used_to_its_last_digit_and_what_does_not_fit_is_refused() {
    let (afghani, dollar) = (Currency::parse("AFN").unwrap(), Currency::parse("USD").unwrap());
    let rate = |text: &str| Rate::read(&Decimal::parse(text).unwrap()).unwrap();
    // A billion of each.
    let billion = Money::of(1_000_000_000_000_000).unwrap();
    let dollars = billion.exchanged(&rate("0.014184397163120567"), dollar, false).unwrap();
    assert_eq!(dollars.micros().0, 14_184_397_160_000, "14,184,397.16 by nine digits would be 14,184,397.00");
    let back = dollars.exchanged(&rate("0.014184397163120567"), afghani, true).unwrap();
    assert!((back.micros().0 - billion.micros().0).abs() <= 1_000_000);
    let most = Money::of(MOST).unwrap();
    assert!(most.exchanged(&rate("123456789012.123456789012345678"), afghani, false).is_err());
}

#[test]
fn what_is_said_once_is_far_below_what_a_bill_may_be() {
    use contracts::values::Micros;
    let most = 1_000_000_000_000_000_000;
    let said = Money::said(Micros(most)).unwrap();
    assert!(Money::said(Micros(-most)).is_ok());
    assert!(Money::said(Micros(most + 1)).is_err() && Money::said(Micros(-most - 1)).is_err());
    assert!(Money::of(1_000 * most).is_ok(), "what is kept from before can be read");
    // Fifty rooms for a year with as much tax again, and each room paid for twenty times over.
    assert!(Money::sum(std::iter::repeat_n(said, 50 * 365 * 2 * 20)).is_ok());
}
