//! `device export` among clients that mean harm.

use crate::card::Card;
use bloomline_spec::{FilterKind, SplitMix64};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

/// Connections of slow clients that stand open at once, ten times as many as the exporter reads.
const SLOW: usize = 160;
/// The longest time for an answer to a client that asks at once.
const PATIENCE: Duration = Duration::from_secs(2);
/// Most memory that the exporter may have, in KiB.
const MEMORY: u64 = 64 * 1024;

/// Ends the exporter with the test.
struct Exporter {
    process: Child,
    address: String,
}

impl Drop for Exporter {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Exporter {
    /// One whose log nobody reads: the reader's end of the pipe is closed.
    fn start(card: &Card) -> Exporter {
        let mut process = card.start(&["export", "tiny.toml", "--listen", "127.0.0.1:0"]);
        drop(process.stderr.take());
        let mut first = String::new();
        let stdout = process.stdout.take().expect("a pipe");
        let read = BufReader::new(stdout).read_line(&mut first);
        read.expect("it says where it listens");
        let address = first.trim().strip_prefix("listening at http://");
        let address = address.and_then(|rest| rest.strip_suffix("/metrics"));
        let address = address.expect("the address").to_owned();
        Exporter { process, address }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        let timed = stream.set_read_timeout(Some(PATIENCE));
        timed.expect("a time");
        stream
    }

    /// What an honest client gets.
    fn page(&self) -> String {
        let mut stream = self.connect();
        let mut answer = String::new();
        let sent = stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
        let read = sent.and_then(|()| stream.read_to_string(&mut answer));
        read.unwrap_or_else(|error| panic!("an honest client: {error}"));
        answer
    }

    /// A figure of the process in KiB or as a number; `None` where the system does not tell it.
    fn figure(&self, name: &str) -> Option<u64> {
        let file = PathBuf::from(format!("/proc/{}/status", self.process.id()));
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

/// A hostile request; the connection stands open where the client is slow.
fn harm(exporter: &Exporter, random: &mut SplitMix64) -> Option<TcpStream> {
    const GET: &[u8] = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
    let mut stream = exporter.connect();
    let mut below = |end: u64| random.next_word() % end;
    let cut = below(GET.len() as u64) as usize;
    let mut bytes = GET.to_vec();
    match below(12) {
        0 => {
            let _ = stream.write_all(&GET[..cut]);
            return Some(stream);
        }
        1 => {
            bytes = format!(
                "POST /metrics HTTP/1.1\r\nContent-Length: {}\r\n\r\n",
                below(u64::MAX)
            )
            .into()
        }
        2 => {
            bytes = b"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"
                .repeat(20)
        }
        3 => {
            bytes = [
                b"GET / HTTP/1.1\r\nA: ",
                &vec![b'a'; below(1 << 17) as usize][..],
            ]
            .concat()
        }
        4 => {
            bytes = [
                b"GET /",
                &vec![b'b'; below(1 << 17) as usize][..],
                b" HTTP/1.1\r\n\r\n",
            ]
            .concat()
        }
        5 => {
            bytes = format!(
                "GET / HTTP/1.1\r\n{}\r\n",
                "A: b\r\n".repeat(below(2_000) as usize)
            )
            .into()
        }
        6 => bytes = GET.repeat(1 + below(100) as usize),
        7 => bytes = (0..below(500)).map(|_| random.next_word() as u8).collect(),
        8 => bytes = b"\r\n".repeat(below(5_000) as usize),
        9 => {
            for _ in 0..=below(4) {
                let place = below(GET.len() as u64) as usize;
                bytes[place] = below(256) as u8;
            }
        }
        10 => bytes.truncate(cut),
        // Asks, and leaves without having read.
        _ => {
            let _ = stream.write_all(GET);
            return None;
        }
    }
    // An error is that the answer came before everything was sent.
    let _ = stream.write_all(&bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.read_to_end(&mut Vec::new());
    None
}

fn endures(requests: u64) {
    let card = Card::new(FilterKind::Static);
    let mut exporter = Exporter::start(&card);
    card.json(&["insert", "tiny.toml", "1", "2", "3", "--test"]);
    let mut random = SplitMix64::new(29);
    let mut slow = VecDeque::new();
    let mut longest = Duration::ZERO;
    for number in 0..requests {
        slow.extend(harm(&exporter, &mut random));
        if slow.len() > SLOW {
            slow.pop_front();
        }
        if number % 10 == 9 {
            let begin = Instant::now();
            let page = exporter.page();
            longest = longest.max(begin.elapsed());
            let items = page
                .lines()
                .find(|line| line.starts_with("bloomline_items_total{"));
            assert!(
                page.starts_with("HTTP/1.1 200 ")
                    && items.is_some_and(|line| line.ends_with("} 3")),
                "after {number} requests: {page}"
            );
        }
    }
    let [memory, threads] = ["VmHWM:", "Threads:"].map(|name| exporter.figure(name));
    println!(
        "{requests} hostile requests, {} slow ones open at the end; an honest client waited {:.3} s at most; {} KiB, {} threads",
        slow.len(),
        longest.as_secs_f64(),
        memory.unwrap_or_default(),
        threads.unwrap_or_default()
    );
    assert!(longest < PATIENCE, "{longest:?}");
    assert!(
        memory.is_none_or(|memory| memory < MEMORY),
        "{memory:?} KiB"
    );
    // Those that read, the one that takes connections and the one that answers; a few that are just ending.
    assert!(threads.is_none_or(|threads| threads <= 32), "{threads:?}");
    assert!(exporter.process.try_wait().expect("its state").is_none());
}

#[test]
fn the_exporter_answers_honest_clients_amid_hostile_ones() {
    endures(300);
}

#[test]
#[ignore = "a claim"]
fn the_exporter_endures_10_000_slow_huge_and_malformed_requests() {
    endures(10_000);
}
