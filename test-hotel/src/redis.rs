//! A `redis-server` of a test's own: on a port of its own, keeping nothing, gone with the test. Asked in its own words, so that
//! a test sees what is there and not what our client makes of it.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// See the module.
#[derive(Debug)]
pub struct RedisServer {
    child: Option<Child>,
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    password: Option<String>,
}

/// Where Debian and others put it.
#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/bin", "/usr/local/bin"].map(PathBuf::from));
    folders.map(|folder| folder.join("redis-server")).find(|file| file.is_file())
}

impl RedisServer {
    /// `None`, said loudly, where the machine has none.
    pub fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// One that asks for a password.
    pub fn start_with(password: Option<&str>) -> Option<Self> {
        let Some(program) = program() else {
            eprintln!(
                "SKIPPED: there is no redis-server on this machine; scripts/setup.sh installs it (apt-get install redis-server)"
            );
            return None;
        };
        // The port is free now; whoever takes it in between makes the start fail, and it is told.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = std::env::temp_dir().join(format!("melmastoon-redis-{}-{port}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let password = password.map(str::to_owned);
        let mut server = Self { child: None, program, folder, port, password };
        server.start_again();
        Some(server)
    }

    pub fn url(&self) -> String {
        match &self.password {
            Some(password) => format!("redis://:{password}@127.0.0.1:{}/0", self.port),
            None => format!("redis://127.0.0.1:{}/0", self.port),
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// On the same port, with nothing in it.
    pub fn start_again(&mut self) {
        let log = std::fs::File::create(self.folder.join("log")).unwrap();
        let port = self.port.to_string();
        let mut command = Command::new(&self.program);
        command.args(["--port", &port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"]);
        command.arg(&self.folder);
        if let Some(password) = &self.password {
            command.args(["--requirepass", password]);
        }
        self.child = Some(command.stdin(Stdio::null()).stdout(log).stderr(Stdio::null()).spawn().unwrap());
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let said = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(Instant::now() < deadline, "redis-server does not answer: {said}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// No farewell.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    pub fn pid(&self) -> Option<i32> {
        self.child.as_ref().and_then(|child| i32::try_from(child.id()).ok())
    }

    /// One command and its answer, as bytes: a text or a number; `None`: there is none.
    pub fn ask(&self, words: &[&[u8]]) -> Option<Vec<u8>> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut answers = BufReader::new(stream.try_clone().unwrap());
        if let Some(password) = &self.password {
            stream.write_all(&spoken(&[b"AUTH", password.as_bytes()])).unwrap();
            assert_eq!(answer(&mut answers).as_deref(), Some(&b"OK"[..]));
        }
        stream.write_all(&spoken(words)).unwrap();
        answer(&mut answers)
    }

    /// The keys that are there, in order.
    pub fn keys(&self) -> Vec<String> {
        // One answer that is a text: the script joins them.
        let script = b"local all = redis.call('KEYS', '*') table.sort(all) return table.concat(all, '\\n')";
        let all = self.ask(&[b"EVAL", script, b"0"]).unwrap();
        String::from_utf8(all).unwrap().lines().map(str::to_owned).collect()
    }

    pub fn value(&self, key: &str) -> Option<Vec<u8>> {
        self.ask(&[b"GET", key.as_bytes()])
    }

    pub fn put(&self, key: &str, value: &[u8]) {
        assert_eq!(self.ask(&[b"SET", key.as_bytes(), value]).as_deref(), Some(&b"OK"[..]));
    }

    pub fn remove(&self, key: &str) {
        self.ask(&[b"DEL", key.as_bytes()]).unwrap();
    }

    /// For how many milliseconds it stays; -1: for ever.
    pub fn stays(&self, key: &str) -> i64 {
        String::from_utf8(self.ask(&[b"PTTL", key.as_bytes()]).unwrap()).unwrap().parse().unwrap()
    }
}

fn spoken(words: &[&[u8]]) -> Vec<u8> {
    let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        bytes.extend_from_slice(format!("${}\r\n", word.len()).as_bytes());
        bytes.extend_from_slice(word);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}

fn answer(answers: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    answers.read_line(&mut line).unwrap();
    let (kind, rest) = line.trim_end().split_at(1);
    match kind {
        "+" | ":" => Some(rest.as_bytes().to_vec()),
        "$" if rest == "-1" => None,
        "$" => {
            let mut bytes = vec![0; rest.parse::<usize>().unwrap() + 2];
            answers.read_exact(&mut bytes).unwrap();
            bytes.truncate(bytes.len() - 2);
            Some(bytes)
        }
        _ => panic!("redis-server says {line}"),
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
