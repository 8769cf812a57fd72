use super::link::identified;
use super::secret;
use crate::output::Output;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `rekey`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    /// Take the secret from this file instead of making one: 32 hexadecimal digits, `-` for stdin
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Empty the filter, whatever its kind; without it two phases keep the half that freezes
    #[arg(long)]
    clear: bool,
}

#[derive(Serialize)]
struct Rekeyed {
    filter: String,
    /// The secret in force is still the specification's.
    public_secret: bool,
    /// What was inserted before is gone: only two phases keep a half under the secret before.
    emptied: bool,
}

impl Cmd {
    /// Loads a secret and waits until the filter hashes under it. The secret is printed nowhere.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let secret = match &self.from {
            Some(file) => secret::read("--from", file)?,
            None => secret::random()?,
        };
        let device = identified(url, &self.spec)?;
        if device.design().is_keyed() {
            secret::warn_of_the_network(url, "secret");
        }
        match self.clear {
            true => device.clear_and_rekey(secret)?,
            false => device.rekey(secret)?,
        }
        let rekeyed = Rekeyed {
            emptied: secret::empties(device.design(), self.clear),
            filter: device.design().common().name().to_owned(),
            public_secret: device.status()?.public_secret.unwrap_or_default(),
        };
        output.result(&rekeyed, || match rekeyed.public_secret {
            true => format!(
                "{}: the secret is the specification's, which is public",
                rekeyed.filter
            ),
            false => format!(
                "{}: hashes under a secret that was loaded{}",
                rekeyed.filter,
                if rekeyed.emptied {
                    ", and is empty"
                } else {
                    ""
                }
            ),
        })
    }
}
