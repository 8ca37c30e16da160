//! Where the server listens, and the logins that reach it.

use std::fmt;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use tokio_postgres::Config;

/// A socket's path, with its zero byte, must fit into the 108 bytes the operating systems have for it (104 on some).
const SOCKET_PATH_LIMIT: usize = 103;
/// The port names the socket file; nothing listens on it.
const SOCKET_PORT: u16 = 5432;

/// Where the server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A socket in this folder, which only the server's user and root may enter.
    Socket(PathBuf),
    /// A port on the loopback address.
    Loopback(u16),
}

impl Address {
    /// The socket when its path is short enough, else any free port.
    pub(crate) fn choose(run_folder: &Path) -> std::io::Result<Self> {
        let socket = run_folder.join(format!(".s.PGSQL.{SOCKET_PORT}"));
        if socket.as_os_str().len() <= SOCKET_PATH_LIMIT && run_folder.to_str().is_some() {
            return Ok(Self::Socket(run_folder.to_path_buf()));
        }
        let free = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        Ok(Self::Loopback(free.local_addr()?.port()))
    }

    pub(crate) fn port(&self) -> u16 {
        match self {
            Self::Socket(_) => SOCKET_PORT,
            Self::Loopback(port) => *port,
        }
    }

    /// As kept in the file `address`.
    pub(crate) fn to_line(&self) -> String {
        match self {
            Self::Socket(_) => "socket\n".to_owned(),
            Self::Loopback(port) => format!("{port}\n"),
        }
    }

    pub(crate) fn from_line(line: &str, run_folder: &Path) -> Option<Self> {
        match line.trim() {
            "socket" => Some(Self::Socket(run_folder.to_path_buf())),
            port => port.parse().ok().map(Self::Loopback),
        }
    }
}

/// A user with its password, on one database of the cluster.
#[derive(Clone)]
pub struct Login {
    address: Address,
    user: String,
    password: String,
    database: String,
}

impl Login {
    pub(crate) fn new(address: Address, user: &str, password: String, database: &str) -> Self {
        Self { address, user: user.to_owned(), password, database: database.to_owned() }
    }

    /// The same user on another database.
    #[must_use]
    pub fn on(&self, database: &str) -> Self {
        Self { database: database.to_owned(), ..self.clone() }
    }

    /// Another user on the same database.
    #[must_use]
    pub fn as_user(&self, user: &str, password: &str) -> Self {
        Self { user: user.to_owned(), password: password.to_owned(), ..self.clone() }
    }

    /// Where the server listens.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The user.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// For the client library.
    pub fn config(&self) -> Config {
        let mut config = Config::new();
        config.user(&self.user).password(&self.password).dbname(&self.database).port(self.address.port());
        match &self.address {
            Address::Socket(folder) => config.host_path(folder),
            Address::Loopback(_) => config.host(Ipv4Addr::LOCALHOST.to_string()),
        };
        config
    }

    /// As a connection URL, which holds the password: not for logs.
    pub fn url(&self) -> String {
        let host = match &self.address {
            Address::Socket(folder) => encoded(&folder.to_string_lossy()),
            Address::Loopback(_) => Ipv4Addr::LOCALHOST.to_string(),
        };
        let (user, password, database) = (encoded(&self.user), encoded(&self.password), encoded(&self.database));
        format!("postgresql://{user}:{password}@{host}:{}/{database}", self.address.port())
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Login")
            .field("address", &self.address)
            .field("user", &self.user)
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

/// Percent-encodes everything but letters, digits, `-`, `_` and `.`.
fn encoded(part: &str) -> String {
    use fmt::Write as _;

    let mut encoded = String::with_capacity(part.len());
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn login(address: Address) -> Login {
        Login::new(address, "melmastoon", "se/cr:et".to_owned(), "hotel")
    }

    #[test]
    fn a_url_leads_to_the_same_place_as_the_config() {
        for address in [Address::Socket("/srv/a hotel/run".into()), Address::Loopback(54_321)] {
            let login = login(address);
            let read: Config = login.url().parse().expect("our own URL");
            let told = login.config();
            assert_eq!(read.get_hosts(), told.get_hosts());
            assert_eq!(read.get_ports(), told.get_ports());
            assert_eq!(read.get_password(), told.get_password());
            assert_eq!(read.get_dbname(), told.get_dbname());
        }
    }

    #[test]
    fn a_login_does_not_show_its_password() {
        assert!(!format!("{:?}", login(Address::Loopback(1))).contains("se/cr:et"));
    }

    #[test]
    fn a_long_path_makes_the_server_listen_on_the_loopback_address() {
        let long = PathBuf::from(format!("/{}", "x".repeat(120)));
        assert!(matches!(Address::choose(&long).expect("a free port"), Address::Loopback(_)));
        assert!(matches!(Address::choose(Path::new("/tmp/run")).expect("a path"), Address::Socket(_)));
    }
}
