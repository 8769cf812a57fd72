//! HTTP for one short text: requests without a body, read within [`Limits`], so that nothing a client sends takes more memory or time than those.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc};
use std::thread;
use std::time::{Duration, Instant};

/// Most that clients can take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a request line and its headers.
    pub head_bytes: usize,
    /// Time from a connection's begin to the end of its headers, and for the answer.
    pub time: Duration,
    /// Connections whose request is being read; further ones are closed at once.
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

/// Most headers of a request.
const HEADERS: usize = 64;

/// A request that keeps to the limits.
#[derive(Debug)]
pub struct Request {
    /// GET, HEAD or another method.
    pub method: String,
    /// Path without the query.
    pub path: String,
}

/// What is sent back; the connection is closed behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Content type of the body.
    pub kind: &'static str,
    /// Body.
    pub body: String,
}

impl Response {
    /// A line of plain text.
    pub fn text(status: u16, line: &str) -> Response {
        Response {
            status,
            kind: "text/plain; charset=utf-8",
            body: format!("{line}\n"),
        }
    }
}

/// A request, and where its answer goes.
struct Asked {
    request: Request,
    stream: TcpStream,
    peer: IpAddr,
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
    for Asked {
        request,
        stream,
        peer,
    } in requests
    {
        let response = answer(&request);
        if let Err(error) = send(stream, &response, request.method != "HEAD") {
            eprintln!("{peer}: {error}");
        }
    }
    Ok(())
}

/// Takes connections and has each one's request read by a thread of its own.
fn accept(listener: &TcpListener, limits: Limits, sender: &mpsc::SyncSender<Asked>) {
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let (stream, peer) = match listener.accept() {
            Ok((stream, peer)) => (stream, SocketAddr::ip(&peer)),
            Err(error) => {
                eprintln!("a connection could not be taken: {error}");
                // Out of descriptors, perhaps: others end within the limit of time.
                thread::sleep(Duration::from_millis(100));
                continue;
            }
        };
        if open.fetch_add(1, Ordering::AcqRel) >= limits.connections {
            open.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let (sender, counted) = (sender.clone(), Arc::clone(&open));
        let started = thread::Builder::new().spawn(move || {
            receive(stream, peer, limits, &sender);
            counted.fetch_sub(1, Ordering::AcqRel);
        });
        if let Err(error) = started {
            open.fetch_sub(1, Ordering::AcqRel);
            eprintln!("{peer}: {error}");
        }
    }
}

/// Reads a request and hands it on, or answers with what is wrong about it.
fn receive(mut stream: TcpStream, peer: IpAddr, limits: Limits, sender: &mpsc::SyncSender<Asked>) {
    let read = stream
        .set_write_timeout(Some(limits.time))
        .map_err(Refused::Gone)
        .and_then(|()| head(&mut stream, limits));
    match read {
        Ok(request) => {
            let asked = Asked {
                request,
                stream,
                peer,
            };
            // An error is that the process ends.
            let _ = sender.send(asked);
        }
        Err(Refused::Answer(response)) => {
            if let Err(error) = send(stream, &response, true) {
                eprintln!("{peer}: {error}");
            }
        }
        Err(Refused::Gone(error)) => eprintln!("{peer}: {error}"),
    }
}

/// Why there is no request.
enum Refused {
    /// It breaks a rule, and is told so.
    Answer(Response),
    /// There is nobody to answer.
    Gone(io::Error),
}

fn head(stream: &mut TcpStream, limits: Limits) -> Result<Request, Refused> {
    let refuse = |status, line| Err(Refused::Answer(Response::text(status, line)));
    let until = Instant::now() + limits.time;
    let mut bytes = Vec::new();
    loop {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        match parsed.parse(&bytes) {
            Ok(httparse::Status::Complete(_)) => return request(&parsed),
            Ok(httparse::Status::Partial) => {}
            Err(httparse::Error::TooManyHeaders) => return refuse(431, "too many headers"),
            Err(_) => return refuse(400, "this is no HTTP request"),
        }
        let room = limits.head_bytes - bytes.len();
        if room == 0 {
            return refuse(431, "the request's head is too long");
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return refuse(408, "the request took too long");
        }
        stream.set_read_timeout(Some(left)).map_err(Refused::Gone)?;
        let mut part = [0; 1024];
        let most = room.min(part.len());
        match stream.read(&mut part[..most]) {
            Ok(0) => return Err(Refused::Gone(io::ErrorKind::UnexpectedEof.into())),
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
            Err(error) => return Err(Refused::Gone(error)),
        }
    }
}

fn request(parsed: &httparse::Request<'_, '_>) -> Result<Request, Refused> {
    let has_body = parsed.headers.iter().any(|header| {
        header.name.eq_ignore_ascii_case("Transfer-Encoding")
            || header.name.eq_ignore_ascii_case("Content-Length")
                && header.value.trim_ascii() != b"0"
    });
    if has_body {
        let response = Response::text(413, "a request with a body is not taken");
        return Err(Refused::Answer(response));
    }
    let target = parsed.path.unwrap_or_default();
    Ok(Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: target.split('?').next().unwrap_or_default().to_owned(),
    })
}

fn send(mut stream: TcpStream, response: &Response, with_body: bool) -> io::Result<()> {
    let Response { status, kind, body } = response;
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "",
    };
    let length = body.len();
    let mut text = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    if with_body {
        text += body;
    }
    stream.write_all(text.as_bytes())?;
    stream.shutdown(std::net::Shutdown::Write)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(HEADERS + 1));
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
    fn clients_that_say_nothing_keep_others_out_for_the_limit_of_time_at_most() {
        let address = server();
        let silent: Vec<TcpStream> = (0..2 * SHORT.connections)
            .map(|_| TcpStream::connect(address).expect("it listens"))
            .collect();
        let begin = Instant::now();
        while !ask(address, b"GET /in HTTP/1.1\r\n\r\n").ends_with("GET /in\n") {
            assert!(begin.elapsed() < 20 * SHORT.time, "kept out");
            thread::sleep(SHORT.time / 10);
        }
        drop(silent);
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
