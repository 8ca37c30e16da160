//! Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` over `id.timestamp.body`, with HMAC-SHA256.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::hmac;

use crate::Ids;

const PREFIX: &str = "whsec_";

/// A new secret, as both sides keep it.
pub fn new_key(ids: &Ids) -> String {
    format!("{PREFIX}{}", BASE64.encode(ids.secret()))
}

/// The value of `webhook-signature`: one signature for each key, the newest first. A key that cannot be read signs nothing.
pub fn signature(keys: &[&str], id: &str, timestamp: i64, body: &str) -> String {
    let signed = format!("{id}.{timestamp}.{body}");
    let sign = |key: &&str| {
        let bytes = BASE64.decode(key.strip_prefix(PREFIX).unwrap_or(key)).ok()?;
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &bytes), signed.as_bytes());
        Some(format!("v1,{}", BASE64.encode(tag)))
    };
    keys.iter().filter_map(sign).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_standards_own_example() {
        let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let said = signature(&[key], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(said, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn while_keys_change_both_sign() {
        let (new, old) = (new_key(&Ids::random()), new_key(&Ids::random()));
        let both = signature(&[&new, &old], "evt_1", 1, "{}");
        let each = [signature(&[&new], "evt_1", 1, "{}"), signature(&[&old], "evt_1", 1, "{}")];
        assert_eq!(both, each.join(" "));
        assert_ne!(each[0], each[1]);
    }
}
