//! HTTP for one short text: requests without a body, read within [`Limits`], so that nothing a client sends takes more memory or time than those.
//!
//! Nothing is printed about a client: a log that grows with each broken connection is a limit that is missing.
//!
//! Requests are parsed by `httparse`; the loop around it is ours. Of the servers that are kept up, those without an asynchronous runtime
//! limit neither the time of a request nor the number of connections, and those with one would bring it into a command that answers one
//! short text.

mod request;

pub use request::{Request, Response};

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{mpsc, Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Most that clients can take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a request line and its headers.
    pub head_bytes: usize,
    /// Time from the begin of a connection to the end of its headers, and for each part of the answer to be taken.
    pub time: Duration,
    /// Connections whose request is being read, and requests that wait for their answer. Of more connections than this the one that has taken longest is closed, so
    /// that clients which dawdle keep nobody out who asks at once; of more requests the last are answered with 503.
    pub connections: usize,
}

impl Limits {
    /// For a text of some kilobytes.
    pub const SMALL: Limits = Limits {
        head_bytes: 8 * 1024,
        time: Duration::from_secs(5),
        connections: 16,
    };
}

/// A request, and where its answer goes.
struct Asked {
    request: Request,
    stream: TcpStream,
}

/// Answers every request with what `answer` makes of it, one after the other, until the process ends. What is no request is answered with its error.
///
/// # Errors
/// When the thread that takes connections cannot be started.
pub fn serve(
    listener: TcpListener,
    limits: Limits,
    mut answer: impl FnMut(&Request) -> Response,
) -> io::Result<()> {
    let (sender, requests) = mpsc::sync_channel::<Asked>(limits.connections);
    thread::Builder::new()
        .name("http".to_owned())
        .spawn(move || accept(&listener, limits, &sender))?;
    for Asked { request, stream } in requests {
        let response = answer(&request);
        send(stream, &response, request.method != "HEAD");
    }
    Ok(())
}

/// Connections whose request is being read, the oldest first.
#[derive(Debug, Default)]
struct Reading {
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    connections: VecDeque<(u64, TcpStream)>,
    begun: u64,
}

impl Reading {
    /// Adds a connection under the number that is returned, and closes the oldest beyond `most`.
    fn begin(&self, stream: TcpStream, most: usize) -> u64 {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.begun += 1;
        let number = open.begun;
        open.connections.push_back((number, stream));
        if open.connections.len() > most {
            if let Some((_, oldest)) = open.connections.pop_front() {
                // An error is that the client has closed it.
                let _ = oldest.shutdown(Shutdown::Both);
            }
        }
        number
    }

    /// Takes a connection out, and says whether it was still in.
    fn end(&self, number: u64) -> bool {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let place = open.connections.iter().position(|(of, _)| *of == number);
        place.is_some_and(|place| open.connections.remove(place).is_some())
    }
}

/// Takes connections and has each one's request read by a thread of its own.
fn accept(listener: &TcpListener, limits: Limits, sender: &mpsc::SyncSender<Asked>) {
    let reading = Arc::new(Reading::default());
    loop {
        let taken = listener
            .accept()
            .and_then(|(stream, _)| Ok((stream.try_clone()?, stream)));
        let Ok((handle, stream)) = taken else {
            // Out of descriptors, perhaps: others end within the limit of time.
            thread::sleep(Duration::from_millis(100));
            continue;
        };
        let number = reading.begin(handle, limits.connections);
        let (sender, of) = (sender.clone(), Arc::clone(&reading));
        let started = thread::Builder::new().spawn(move || {
            receive(stream, limits, &sender, || of.end(number));
        });
        if started.is_err() {
            reading.end(number);
        }
    }
}

/// Reads a request and hands it on, or answers with what is wrong about it. `end` is told when the reading is over, and says whether the connection was left open.
fn receive(
    mut stream: TcpStream,
    limits: Limits,
    sender: &mpsc::SyncSender<Asked>,
    end: impl FnOnce() -> bool,
) {
    let read = stream
        .set_write_timeout(Some(limits.time))
        .map_err(|_| Refused::Gone)
        .and_then(|()| head(&mut stream, limits));
    if !end() {
        return;
    }
    match read {
        Ok(request) => {
            // That it is disconnected is that the process ends.
            let handed_on = sender.try_send(Asked { request, stream });
            if let Err(mpsc::TrySendError::Full(Asked { request, stream })) = handed_on {
                let response = Response::text(503, "too many requests at once; ask again");
                send(stream, &response, request.method != "HEAD");
            }
        }
        Err(Refused::Answer(response)) => send(stream, &response, true),
        Err(Refused::Gone) => {}
    }
}

/// Why there is no request.
enum Refused {
    /// It breaks a rule, and is told so.
    Answer(Response),
    /// There is nobody to answer.
    Gone,
}

fn head(stream: &mut TcpStream, limits: Limits) -> Result<Request, Refused> {
    let refuse = |status, line| Err(Refused::Answer(Response::text(status, line)));
    let until = Instant::now() + limits.time;
    let mut bytes = Vec::new();
    loop {
        if let Some(judged) = request::judge(&bytes) {
            return judged.map_err(Refused::Answer);
        }
        let room = limits.head_bytes - bytes.len();
        if room == 0 {
            return refuse(431, "the request's head is too long");
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return refuse(408, "the request took too long");
        }
        let timed = stream.set_read_timeout(Some(left));
        timed.map_err(|_| Refused::Gone)?;
        let mut part = [0; 1024];
        let most = room.min(part.len());
        match stream.read(&mut part[..most]) {
            Ok(0) => return Err(Refused::Gone),
            Ok(count) => bytes.extend_from_slice(&part[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                ) =>
            {
                return refuse(408, "the request took too long");
            }
            Err(_) => return Err(Refused::Gone),
        }
    }
}

/// Sends an answer and ends the connection; nothing is done for a client that does not take it.
fn send(mut stream: TcpStream, response: &Response, with_body: bool) {
    let text = response.encode(with_body);
    if stream.write_all(text.as_bytes()).is_ok() {
        let _ = stream.shutdown(Shutdown::Write);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::SocketAddr;

    const SHORT: Limits = Limits {
        head_bytes: 1024,
        time: Duration::from_millis(300),
        connections: 4,
    };

    /// A server that answers everything with its path.
    fn server() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            serve(listener, SHORT, |request| {
                Response::text(200, &format!("{} {}", request.method, request.path))
            })
        });
        address
    }

    /// What comes back for these bytes; an error of sending them is none, since the server may have answered before.
    fn ask(address: SocketAddr, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(5)))
            .expect("a time");
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).expect("text")
    }

    #[test]
    fn a_request_is_answered_by_method_and_path() {
        let address = server();
        let got = ask(address, b"GET /metrics?x=1 HTTP/1.1\r\nHost: here\r\n\r\n");
        assert!(got.starts_with("HTTP/1.1 200 OK\r\n"), "{got}");
        assert!(got.ends_with("\r\n\r\nGET /metrics\n"), "{got}");
        let got = ask(address, b"HEAD /metrics HTTP/1.0\r\n\r\n");
        assert!(
            got.contains("Content-Length: 14\r\n") && got.ends_with("\r\n\r\n"),
            "{got}"
        );
        let got = ask(address, b"GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
        assert!(got.starts_with("HTTP/1.1 200 "), "{got}");
    }

    #[test]
    fn what_is_too_much_is_refused_and_the_next_request_answered() {
        let address = server();
        let long = [b"GET / HTTP/1.1\r\nA: ".as_slice(), &[b'a'; 4096]].concat();
        let many = format!(
            "GET / HTTP/1.1\r\n{}\r\n",
            "A: b\r\n".repeat(request::HEADERS + 1)
        );
        for (bytes, status) in [
            (
                b"GET / HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n".as_slice(),
                "413",
            ),
            (
                b"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                "413",
            ),
            (&long, "431"),
            (many.as_bytes(), "431"),
            (b"\x00\x01\x02\r\n\r\n", "400"),
            (b"GET / HTTP/1.1\r\nHost", "408"),
        ] {
            let got = ask(address, bytes);
            assert_eq!(got.split(' ').nth(1), Some(status), "{got}");
            assert!(ask(address, b"GET /on HTTP/1.1\r\n\r\n").ends_with("GET /on\n"));
        }
    }

    #[test]
    fn clients_that_dawdle_keep_nobody_out_who_asks_at_once() {
        let address = server();
        for _ in 0..10 {
            let slow: Vec<TcpStream> = (0..3 * SHORT.connections)
                .map(|_| {
                    let mut slow = TcpStream::connect(address).expect("it listens");
                    let _ = slow.write_all(b"GET / HTTP/1.1\r\nA: ");
                    slow
                })
                .collect();
            let begin = Instant::now();
            let got = ask(address, b"GET /in HTTP/1.1\r\n\r\n");
            assert!(got.ends_with("GET /in\n"), "{got}");
            assert!(begin.elapsed() < SHORT.time, "kept out");
            let is_closed = |slow: &&TcpStream| {
                slow.set_nonblocking(true).expect("a mode");
                let read = slow.peek(&mut [0]);
                !matches!(read, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
            };
            let closed = slow.iter().filter(is_closed).count();
            assert!(closed >= 2 * SHORT.connections, "{closed} were closed");
        }
    }

    #[test]
    fn a_request_beyond_those_that_wait_is_told_so_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (go, wait) = mpsc::channel::<()>();
        thread::spawn(move || {
            serve(listener, SHORT, |_| {
                let _ = wait.recv();
                Response::text(200, "late")
            })
        });
        let asks = 2 * SHORT.connections;
        let answers: Vec<_> = (0..asks)
            .map(|_| {
                // one after the other, so that none is closed among too many that are being read
                thread::sleep(SHORT.time / 10);
                thread::spawn(move || ask(address, b"GET / HTTP/1.1\r\n\r\n"))
            })
            .collect();
        let busy = |answer: &String| answer.starts_with("HTTP/1.1 503 ");
        let begin = Instant::now();
        // One is being answered, and as many as there may be wait.
        while answers.iter().filter(|answer| answer.is_finished()).count()
            < asks - SHORT.connections - 1
        {
            // before `ask` gives up
            assert!(begin.elapsed() < 10 * SHORT.time, "nobody was told");
            thread::sleep(SHORT.time / 100);
        }
        drop(go);
        let answers: Vec<String> = answers
            .into_iter()
            .map(|answer| answer.join().expect("an answer"))
            .collect();
        // On a busy computer one may still have been closed without an answer.
        let known =
            |answer: &String| answer.is_empty() || busy(answer) || answer.ends_with("late\n");
        assert!(answers.iter().any(busy), "{answers:?}");
        assert!(answers.iter().all(known), "{answers:?}");
        assert!(answers.iter().any(|answer| answer.ends_with("late\n")));
    }

    #[test]
    fn random_bytes_end_no_server() {
        let address = server();
        let mut random = bloomline_spec::SplitMix64::new(29);
        for _ in 0..300 {
            let length = random.next_word() % 200;
            let mut bytes = b"GET /".to_vec();
            bytes.truncate(random.next_word() as usize % 6);
            bytes.extend((0..length).map(|_| random.next_word() as u8));
            bytes.extend(b"\r\n\r\n");
            ask(address, &bytes);
        }
        assert!(ask(address, b"GET /on HTTP/1.1\r\n\r\n").ends_with("GET /on\n"));
    }
}
