//! Money: whole micros, exact, never a float. What does not fit is refused, never wrapped.

use contracts::values::{Currency, Decimal, Micros};

/// So much of any currency is no hotel bill: the bound leaves room for every sum and product below.
const MOST: i128 = 1_000_000_000_000_000_000_000_000;
/// So much nobody says of one night or one payment. A million of them is still a sum: what is said once cannot make a bill that is
/// refused whenever it is read.
const MOST_SAID: i128 = 1_000_000_000_000_000_000;
const MILLION: i128 = 1_000_000;

/// An amount in micros of a currency that is known from where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(i128);

/// An amount that no bill has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the amount is too large")]
pub struct TooMuch;

impl Money {
    pub const ZERO: Self = Self(0);

    pub fn of(micros: i128) -> Result<Self, TooMuch> {
        if (-MOST..=MOST).contains(&micros) { Ok(Self(micros)) } else { Err(TooMuch) }
    }

    /// An amount that comes in: a price, a payment.
    pub fn said(micros: Micros) -> Result<Self, TooMuch> {
        Self(micros.0).as_said()
    }

    /// The same, where it comes of another one.
    pub fn as_said(self) -> Result<Self, TooMuch> {
        if (-MOST_SAID..=MOST_SAID).contains(&self.0) { Ok(self) } else { Err(TooMuch) }
    }

    pub fn micros(self) -> Micros {
        Micros(self.0)
    }

    pub fn plus(self, other: Self) -> Result<Self, TooMuch> {
        Self::of(self.0 + other.0)
    }

    pub fn minus(self, other: Self) -> Result<Self, TooMuch> {
        Self::of(self.0 - other.0)
    }

    pub fn sum(all: impl IntoIterator<Item = Self>) -> Result<Self, TooMuch> {
        all.into_iter().try_fold(Self::ZERO, Self::plus)
    }

    /// Never below nothing.
    #[must_use]
    pub fn or_nothing(self) -> Self {
        self.max(Self::ZERO)
    }

    pub fn is_due(self) -> bool {
        self > Self::ZERO
    }

    /// So many millionths of it, rounded once, half to even, to the currency's smallest coin.
    pub fn share(self, ppm: u32, currency: Currency) -> Result<Self, TooMuch> {
        let coin = smallest_coin(currency);
        let product = self.0 * i128::from(ppm);
        Self::of(half_to_even(product, MILLION * coin) * coin)
    }

    /// The mean of so many nights, for those who are told one price: rounded half to even, to the micro.
    #[must_use]
    pub fn mean_of(self, nights: usize) -> Self {
        match i128::try_from(nights) {
            Ok(nights) if nights > 0 => Self(half_to_even(self.0, nights)),
            _ => self,
        }
    }

    /// The same worth in another currency: `self × rate`, or `self ÷ rate`, exact and rounded once to that currency's coin.
    pub fn exchanged(self, rate: &Rate, into: Currency, divided: bool) -> Result<Self, TooMuch> {
        let coin = smallest_coin(into);
        let (up, down) = if divided { (rate.scale, rate.digits) } else { (rate.digits, rate.scale) };
        let product = self.0.checked_mul(up).ok_or(TooMuch)?;
        let unit = down.checked_mul(coin).ok_or(TooMuch)?;
        Self::of(half_to_even(product, unit).checked_mul(coin).ok_or(TooMuch)?)
    }
}

impl std::fmt::Display for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Money> for Micros {
    fn from(money: Money) -> Self {
        Self(money.0)
    }
}

impl TryFrom<Micros> for Money {
    type Error = TooMuch;
    fn try_from(micros: Micros) -> Result<Self, TooMuch> {
        Self::of(micros.0)
    }
}

impl serde::Serialize for Money {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.micros().serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for Money {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let micros = Micros::deserialize(deserializer)?;
        Self::try_from(micros).map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for Money {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Micros::schema_name()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Micros::json_schema(generator)
    }
}

/// A rate of exchange, exactly: `digits / scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    digits: i128,
    scale: i128,
}

impl Rate {
    /// A positive decimal of at most 12 digits before the point and 18 behind it, in either way that JSON writes one: `0.0000238` or
    /// `2.38e-5`.
    pub fn read(decimal: &Decimal) -> Option<Self> {
        let (mantissa, exponent) = decimal.as_str().split_once(['e', 'E']).unwrap_or((decimal.as_str(), "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !plain(whole) || !plain(fraction) {
            return None;
        }
        // What says nothing takes no place from amounts.
        let all = format!("{whole}{fraction}");
        let digits = all.trim_matches('0');
        let zeros = all.len() - all.trim_end_matches('0').len();
        let exponent = exponent.parse::<i32>().ok().filter(|exponent| exponent.abs() <= 64)?;
        let power = exponent + i32::try_from(zeros).ok()? - i32::try_from(fraction.len()).ok()?;
        if digits.is_empty() || power < -18 || i32::try_from(digits.len()).ok()? + power > 12 {
            return None;
        }
        let digits: i128 = digits.parse().ok()?;
        let ten_to = 10_i128.checked_pow(power.unsigned_abs())?;
        Some(if power < 0 {
            Self { digits, scale: ten_to }
        } else {
            Self { digits: digits.checked_mul(ten_to)?, scale: 1 }
        })
    }
}

/// The quotient, half to even. `by` is positive.
fn half_to_even(amount: i128, by: i128) -> i128 {
    let (quotient, rest) = (amount.div_euclid(by), amount.rem_euclid(by));
    let up = match (rest * 2).cmp(&by) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => quotient % 2 != 0,
    };
    quotient + i128::from(up)
}

/// The smallest coin in micros: two digits, unless ISO 4217 says none or three.
fn smallest_coin(currency: Currency) -> i128 {
    match currency.as_str() {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX" | "VND" | "VUV"
        | "XAF" | "XOF" | "XPF" => 1_000_000,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 1_000,
        _ => 10_000,
    }
}
