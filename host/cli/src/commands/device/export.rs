use super::link::identified;
use super::prometheus;
use super::readings::Readings;
use crate::output::Output;
use anyhow::{anyhow, Context};
use bloomline_driver::{Device, Transport};
use serde::Serialize;
use std::net::SocketAddr;
use std::path::PathBuf;
use tiny_http::{Header, Method, Request, Response, Server};

const PATH: &str = "/metrics";

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification the device was emitted from (TOML)
    spec: PathBuf,
    /// Address and port to listen at; anything but a loopback address is open to the network
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:9187")]
    listen: SocketAddr,
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
        let server = Server::http(self.listen)
            .map_err(|error| anyhow!("{error}"))
            .with_context(|| {
                format!("cannot listen at {}; choose another --listen", self.listen)
            })?;
        let address = server.server_addr().to_ip().unwrap_or(self.listen);
        let listening = Listening {
            url: format!("http://{address}{PATH}"),
        };
        if !address.ip().is_loopback() {
            eprintln!("warning: {address} is no loopback address: anybody who reaches it can read the counters");
        }
        output.result(&listening, || format!("listening at {}", listening.url))?;
        for request in server.incoming_requests() {
            let peer = request.remote_addr().map(ToString::to_string);
            if let Err(error) = answer(&device, request) {
                eprintln!("{}: {error}", peer.unwrap_or_default());
            }
        }
        Ok(())
    }
}

fn answer<T: Transport>(device: &Device<T>, request: Request) -> std::io::Result<()> {
    let path = request.url().split('?').next().unwrap_or_default();
    let (status, body) = match (request.method(), path) {
        (Method::Get | Method::Head, PATH) => match device.sample() {
            Ok(sample) => {
                let readings = Readings::of(device.design(), &sample);
                (200, prometheus::as_text(&readings))
            }
            Err(error) => (503, format!("{error}\n")),
        },
        (Method::Get | Method::Head, _) => (404, format!("there is {PATH} only\n")),
        _ => (405, "this can only be read\n".to_owned()),
    };
    let response = Response::from_string(body).with_status_code(status);
    let kind = Header::from_bytes("Content-Type", prometheus::CONTENT_TYPE);
    request.respond(match kind {
        Ok(kind) => response.with_header(kind),
        Err(()) => response,
    })
}
