//! Requests and answers as bytes.

/// Most headers of a request.
pub const HEADERS: usize = 64;

/// A request that keeps to the limits.
#[derive(Debug, Clone, PartialEq, Eq)]
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

    /// The bytes of the answer, to HEAD without its body.
    pub fn encode(&self, with_body: bool) -> String {
        let Response { status, kind, body } = self;
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
        let shown = if with_body { body } else { "" };
        format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{shown}"
        )
    }
}

/// The request that begins with these bytes, or what is answered where there is none; `None` while its head is not complete.
pub fn judge(bytes: &[u8]) -> Option<Result<Request, Response>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let refuse = |status, line| Some(Err(Response::text(status, line)));
    match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) => return None,
        Err(httparse::Error::TooManyHeaders) => return refuse(431, "too many headers"),
        Err(_) => return refuse(400, "this is no HTTP request"),
    }
    let has_body = parsed.headers.iter().any(|header| {
        header.name.eq_ignore_ascii_case("Transfer-Encoding")
            || header.name.eq_ignore_ascii_case("Content-Length")
                && header.value.trim_ascii() != b"0"
    });
    if has_body {
        return refuse(413, "a request with a body is not taken");
    }
    let target = parsed.path.unwrap_or_default();
    Some(Ok(Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: target.split('?').next().unwrap_or_default().to_owned(),
    }))
}
