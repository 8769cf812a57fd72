use super::link::identified;
use super::secret::{self, Earlier};
use crate::output::Output;
use bloomline_driver::{read_key, DriverError};
use serde::Serialize;
use std::path::PathBuf;

/// What locks a host port.
const NO_KEY: u128 = 0;

/// Arguments of `host-key`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    /// File of the key: 32 hexadecimal digits. The URL of the host port names it: etherbone:HOST?key=FILE
    #[arg(required_unless_present = "forget")]
    file: Option<PathBuf>,
    /// Make a random key and write it to the file first, in the place of the one that is there, which FILE.old keeps until the
    /// new one is loaded. Do so at each power-up
    #[arg(long, requires = "file")]
    new: bool,
    /// Take the key that was loaded out of the card: the host port makes no access until another is loaded
    #[arg(long, conflicts_with_all = ["file", "new"])]
    forget: bool,
}

#[derive(Serialize)]
struct Loaded {
    filter: String,
    /// Of the key; absent where it was taken out.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
}

impl Cmd {
    /// Loads the key under which the host port takes requests, or takes it out.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let device = identified(url, &self.spec)?;
        // Over Ethernet the card is reached under a key that it has, which may be the one in FILE.old. Over the UART it takes any.
        let keeps = match url.starts_with("etherbone:") {
            true => Earlier::Kept,
            false => Earlier::Replaced,
        };
        let key = match &self.file {
            // a card that takes no key refuses this one, and no file is left of it
            Some(_) if self.new && !device.takes_host_key() => NO_KEY,
            Some(file) => {
                if self.new {
                    secret::write_new(file, secret::random()?, keeps)?;
                }
                read_key(file)?
            }
            None => NO_KEY,
        };
        if device.takes_host_key() && self.file.is_some() {
            secret::warn_of_the_network(url, "key");
        }
        device
            .load_host_key(key)
            .map_err(|error| self.not_loaded(error, device.takes_host_key()))?;
        if let (Some(file), true) = (&self.file, self.new) {
            secret::remove_earlier(file)?;
        }
        if let (Some(file), false) = (&self.file, self.new) {
            note!(
                "warning: {}: if this key was in force before the last power-up, or is that of another card, requests recorded then are taken again; --new makes another",
                file.display()
            );
        }
        if self.file.is_none() && url.starts_with("etherbone:") {
            note!("warning: from now on nothing reaches this card over Ethernet; load a key over its UART (`host-key SPEC FILE`)");
        }
        let loaded = Loaded {
            filter: device.design().common().name().to_owned(),
            file: self.file,
        };
        output.result(&loaded, || match &loaded.file {
            Some(file) => format!(
                "{}: the host port takes requests with tags under {}, until power-down",
                loaded.filter,
                file.display()
            ),
            None => format!(
                "{}: the host port has no key and makes no access",
                loaded.filter
            ),
        })
    }

    /// The error of a load, with what the files hold where the key is new.
    fn not_loaded(&self, error: DriverError, takes_key: bool) -> anyhow::Error {
        let Some(file) = self.file.as_ref().filter(|_| self.new && takes_key) else {
            return error.into();
        };
        let (old, file) = (secret::earlier(file), file.display());
        let held = match old.exists() {
            true => format!(
                "{file} holds the new key, {} the earlier one; the card has one of them: load the new one with `host-key SPEC {file}` over the UART",
                old.display()
            ),
            false => format!(
                "{file} holds the new key, and whether the card has it is not known: load it with `host-key SPEC {file}` over the UART"
            ),
        };
        anyhow::Error::new(error).context(held)
    }
}
