//! Any bytes are an HTTP request, the beginning of one, or are answered with an error; a request is the same whatever comes behind it and however it comes in.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../host/cli/src/commands/device/http/request.rs"]
mod request;

/// Bytes that are looked at one by one.
const BYTE_BY_BYTE: usize = 512;

fuzz_target!(|bytes: &[u8]| {
    let whole = request::judge(bytes);
    let parts = (0..=bytes.len().min(BYTE_BY_BYTE)).find_map(|end| request::judge(&bytes[..end]));
    if bytes.len() <= BYTE_BY_BYTE || parts.is_some() {
        assert_eq!(whole, parts);
    }
    match whole {
        Some(Ok(request)) => {
            assert!(!request.method.is_empty() && !request.path.contains(['?', ' ', '\r', '\n', '\0']));
            assert!(request.method.len() + request.path.len() < bytes.len());
        }
        Some(Err(answer)) => {
            assert!(matches!(answer.status, 400 | 413 | 431));
            let text = answer.encode(true);
            assert!(text.starts_with("HTTP/1.1 4") && text.ends_with(&answer.body));
        }
        None => {}
    }
});
