//! A `redis-server` of a test's own, keeping nothing. Asked in its own words, so that a test sees what is there and not what our
//! client makes of it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::own_server::OwnServer;

/// See the module.
#[derive(Debug)]
pub struct RedisServer {
    own: OwnServer,
    password: Option<String>,
}

impl RedisServer {
    /// `None`, said loudly, where the machine has none.
    pub fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// One that asks for a password.
    pub fn start_with(password: Option<&str>) -> Option<Self> {
        let own = OwnServer::prepare("redis-server")?;
        let mut server = Self { own, password: password.map(str::to_owned) };
        server.start_again();
        Some(server)
    }

    pub fn url(&self) -> String {
        match &self.password {
            Some(password) => format!("redis://:{password}@127.0.0.1:{}/0", self.port()),
            None => format!("redis://127.0.0.1:{}/0", self.port()),
        }
    }

    pub fn port(&self) -> u16 {
        self.own.port()
    }

    /// On the same port, with nothing in it.
    pub fn start_again(&mut self) {
        let (port, folder, password) = (self.port().to_string(), self.own.folder().to_owned(), self.password.clone());
        self.own.start(|command| {
            command.args(["--port", &port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"]);
            command.arg(folder);
            if let Some(password) = password {
                command.args(["--requirepass", &password]);
            }
        });
    }

    /// No farewell.
    pub fn kill(&mut self) {
        self.own.kill();
    }

    pub fn pid(&self) -> Option<i32> {
        self.own.pid()
    }

    /// One command and its answer, as bytes: a text or a number; `None`: there is none.
    pub fn ask(&self, words: &[&[u8]]) -> Option<Vec<u8>> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
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
