use super::http::{self, Limits, Request, Response};
use super::link::identified;
use super::prometheus;
use super::readings::Readings;
use crate::output::Output;
use anyhow::Context;
use bloomline_driver::{Device, Transport};
use serde::Serialize;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;

const PATH: &str = "/metrics";

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    /// Address and port to listen at; anything but a loopback address is open to the network
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:9187", value_parser = address)]
    listen: SocketAddr,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is no address with a port; write it as 127.0.0.1:9187"))
}

/// What is printed once it listens.
#[derive(Serialize)]
struct Listening {
    url: String,
}

impl Cmd {
    /// Answers every request with a fresh reading, until it is ended.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let device = identified(url, &self.spec)?;
        let failed = || format!("cannot listen at {}; choose another --listen", self.listen);
        let listener = TcpListener::bind(self.listen).with_context(failed)?;
        let address = listener.local_addr().with_context(failed)?;
        let listening = Listening {
            url: format!("http://{address}{PATH}"),
        };
        if !address.ip().is_loopback() {
            note!("warning: {address} is no loopback address: anybody who reaches it can read the counters");
        }
        output.result(&listening, || format!("listening at {}", listening.url))?;
        http::serve(listener, Limits::SMALL, |request| answer(&device, request))?;
        Ok(())
    }
}

fn answer<T: Transport>(device: &Device<T>, request: &Request) -> Response {
    match (request.method.as_str(), request.path.as_str()) {
        ("GET" | "HEAD", PATH) => match device.sample() {
            Ok(sample) => Response {
                status: 200,
                kind: prometheus::CONTENT_TYPE,
                body: prometheus::as_text(&Readings::of(device.design(), &sample)),
            },
            Err(error) => Response::text(503, &error.to_string()),
        },
        ("GET" | "HEAD", _) => Response::text(404, &format!("there is {PATH} only")),
        _ => Response::text(405, "this can only be read"),
    }
}
