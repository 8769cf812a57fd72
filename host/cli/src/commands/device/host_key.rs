use super::link::identified;
use super::secret;
use crate::output::Output;
use bloomline_driver::read_key;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `host-key`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    /// File of the key: 32 hexadecimal digits. The URL of the host port names it: etherbone:HOST:PORT?key=FILE
    file: PathBuf,
    /// Make a random key and write it to the file first, which must not be there
    #[arg(long)]
    new: bool,
}

#[derive(Serialize)]
struct Loaded {
    filter: String,
    file: PathBuf,
}

impl Cmd {
    /// Loads the key under which the host port takes requests.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        if url.starts_with("etherbone:") {
            eprintln!("warning: {url}: whoever is on the way to the card reads the key; load it over the UART");
        }
        let device = identified(url, &self.spec)?;
        if self.new {
            secret::write_new(&self.file, secret::random()?)?;
        }
        device.load_host_key(read_key(&self.file)?)?;
        let loaded = Loaded {
            filter: device.design().common().name().to_owned(),
            file: self.file,
        };
        output.result(&loaded, || {
            let file = loaded.file.display();
            format!(
                "{}: the host port takes requests with tags under {file}, until power-down",
                loaded.filter
            )
        })
    }
}
