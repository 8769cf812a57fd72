use super::link::identified;
use crate::output::Output;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `clear`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    /// Take the secret that was loaded out of the card too: the specification's, which is public, stands in its place
    #[arg(long)]
    forget_secret: bool,
}

#[derive(Serialize)]
struct Cleared {
    filter: String,
    running: bool,
    /// The secret in force is the specification's; absent where the hash has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    public_secret: Option<bool>,
}

impl Cmd {
    /// Clears, and waits until the filter runs again.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let device = identified(url, &self.spec)?;
        match self.forget_secret {
            true => device.clear_and_forget_secret()?,
            false => device.clear()?,
        }
        let status = device.status()?;
        let cleared = Cleared {
            filter: device.design().common().name().to_owned(),
            running: status.running,
            public_secret: status.public_secret,
        };
        let secret = match self.forget_secret {
            true => "; the secret is the specification's, which is public",
            false => "",
        };
        output.result(&cleared, || {
            format!("{}: empty, running{secret}", cleared.filter)
        })
    }
}
