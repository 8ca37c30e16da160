//! Addresses as they may be shown: a password in one is nobody's business.

/// What names of parameters have in them whose values are secrets.
const TELLING: [&str; 8] = ["pass", "pwd", "token", "key", "secret", "sig", "auth", "cred"];

/// An address, or several with commas between them, without what signs in there.
pub fn without_secrets(text: &str) -> String {
    let several: Vec<_> = text.split(',').collect();
    if several.iter().all(|one| one.contains("://")) {
        return several.into_iter().map(one_without).collect::<Vec<_>>().join(",");
    }
    one_without(text)
}

fn one_without(text: &str) -> String {
    let is_scheme = |scheme: &str| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let Some((scheme, rest)) = text.split_once("://").filter(|(scheme, _)| is_scheme(scheme)) else {
        return if is_telling(text) { "***".to_owned() } else { text.to_owned() };
    };
    let (place, more) = rest.find(['?', '#']).map_or((rest, ""), |at| rest.split_at(at));
    // It may be a password that has a question mark in it.
    if more.contains('@') {
        return format!("{scheme}://***");
    }
    let place = place.rsplit_once('@').map_or_else(|| place.to_owned(), |(_, host)| format!("***@{host}"));
    format!("{scheme}://{place}{}", more.split_inclusive(['?', '#', '&']).map(parameter).collect::<String>())
}

/// `name=value` and what stands behind it.
fn parameter(text: &str) -> String {
    match text.split_once('=') {
        Some((name, value)) if is_telling(name) => {
            let behind = value.rfind(['?', '#', '&']).map_or("", |at| &value[at..]);
            format!("{name}=***{behind}")
        }
        _ => text.to_owned(),
    }
}

fn is_telling(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TELLING.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::without_secrets;

    #[test]
    fn an_address_is_shown_without_what_signs_in_there() {
        let shown = [
            ("embedded", "embedded"),
            ("postgres://db/hotel?sslmode=verify-full", "postgres://db/hotel?sslmode=verify-full"),
            ("postgres://db/passengers", "postgres://db/passengers"),
            ("postgres://u:hunter2@db,db2/hotel?sslmode=require", "postgres://***@db,db2/hotel?sslmode=require"),
            ("postgres://u:hun@hunter2@db/hotel", "postgres://***@db/hotel"),
            (
                "postgres://u@db/hotel?password=hunter2&sslmode=require",
                "postgres://***@db/hotel?password=***&sslmode=require",
            ),
            ("postgres://db/hotel?password=hun@ter2", "postgres://***"),
            ("postgres://u:hun?ter2@db/hotel", "postgres://***"),
            ("host=db user=hotel password=hunter2", "***"),
            ("host=db password=hunter2://x", "***"),
            ("redis://:hunter2@cache:6379/0", "redis://***@cache:6379/0"),
            ("nats://u:hunter2@a:4222,nats://v:hunter2@b:4222", "nats://***@a:4222,nats://***@b:4222"),
            ("https://plan.example/v1?api_key=hunter2&house=3", "https://plan.example/v1?api_key=***&house=3"),
            ("https://plan.example/v1?Token=hunter2", "https://plan.example/v1?Token=***"),
        ];
        for (address, expected) in shown {
            assert_eq!(without_secrets(address), expected);
        }
    }
}
