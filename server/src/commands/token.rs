//! `melmastoon token`: mint a local token with the embedded key.

use clap::Args;
use contracts::ids::{PropertyId, StaffId, TenantId};
use platform::auth::{Claims, Role, SigningKey};
use platform::http::PublicUrl;

use crate::Failure;
use crate::config::Config;
use crate::saying::say;

#[derive(Args, Debug)]
pub struct TokenArgs {
    /// The hotel company the token speaks for
    #[arg(long, value_name = "TENANT")]
    pub tenant: String,
    /// One role or several: housekeeper, supervisor, `property_manager`, `front_desk`, maintenance, admin, service
    #[arg(long, value_delimiter = ',', required = true, value_name = "ROLE,…")]
    pub role: Vec<String>,
    /// The member of the staff who holds it
    #[arg(long, value_name = "STAFF")]
    pub staff: Option<String>,
    /// The properties it is good for; all when none is named
    #[arg(long, value_delimiter = ',', value_name = "PROPERTY,…")]
    pub property: Vec<String>,
    /// How long it is good for: 30s, 15m, 1h, 7d
    #[arg(long, default_value = "1h", value_name = "TIME")]
    pub ttl: String,
    /// The account it names
    #[arg(long, default_value = "usr_local", value_name = "USER")]
    pub user: String,
    /// Print a link that signs in with it, in place of the token: what follows # reaches no log. Where the hotel is found by
    /// default: `MELMASTOON_PUBLIC_URL`, else this machine
    #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "")]
    pub link: Option<String>,
}

pub fn token(config: &Config, args: &TokenArgs) -> Result<(), Failure> {
    if config.jwt.is_some() {
        let why = "tokens come from the issuer at MELMASTOON_JWT_JWKS_URL; a local token would not be accepted for REST, only for push";
        tracing::warn!(why);
    }
    let usage = |field: &str, detail: String| Failure::Usage(format!("--{field}: {detail}"));
    let tenant = TenantId::parse(&args.tenant).map_err(|error| usage("tenant", error.to_string()))?;
    let staff =
        args.staff.as_deref().map(StaffId::parse).transpose().map_err(|error| usage("staff", error.to_string()))?;
    for role in &args.role {
        if Role::parse(role).is_none() {
            let known: Vec<_> = Role::ALL.iter().map(|role| role.as_str()).collect();
            return Err(usage("role", format!("`{role}` is not one of {}", known.join(", "))));
        }
    }
    let mut properties = Vec::new();
    for text in &args.property {
        let known =
            if text == "*" { Ok(text.clone()) } else { PropertyId::parse(text).map(|id| id.as_str().to_owned()) };
        properties.push(known.map_err(|error| usage("property", error.to_string()))?);
    }
    if properties.is_empty() {
        properties.push("*".to_owned());
    }
    let seconds = duration(&args.ttl).ok_or_else(|| usage("ttl", format!("`{}` is not a time like 1h", args.ttl)))?;
    let now = config.clock().now().as_millis() / 1_000;
    let claims = Claims {
        sub: args.user.clone(),
        tenant_id: Some(tenant.as_str().to_owned()),
        staff_id: staff.map(|staff| staff.as_str().to_owned()),
        roles: args.role.clone(),
        properties,
        exp: now.saturating_add(seconds),
        iat: Some(now),
        ..Claims::default()
    };
    let file = config.signing_key_file();
    if !file.exists() {
        let folder = config.data_dir.display();
        return Err(Failure::Failed(format!(
            "{folder} has no signing key yet: start `melmastoon up --data-dir {folder}` once"
        )));
    }
    let key = SigningKey::load_or_make(&file).map_err(Failure::Failed)?;
    let token = key.mint(&claims);
    match &args.link {
        None => say!("{token}"),
        Some(named) => {
            let public = config.public_url.as_ref().map_or("http://127.0.0.1:8080", PublicUrl::origin);
            let place = if named.is_empty() { public } else { named.trim_end_matches('/') };
            say!("{place}/login#token={token}");
        }
    }
    Ok(())
}

/// Seconds of `30s`, `15m`, `1h`, `7d` or a bare number of seconds; a negative one mints an expired token, for tests.
fn duration(text: &str) -> Option<i64> {
    let (digits, unit) = match text.strip_suffix(['s', 'm', 'h', 'd']) {
        Some(digits) => (digits, text.chars().last()?),
        None => (text, 's'),
    };
    let factor = match unit {
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => 1,
    };
    digits.parse::<i64>().ok()?.checked_mul(factor)
}
