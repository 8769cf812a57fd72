use crate::output::{Ending, Output};
use bloomline_spec::json_schema;

/// Arguments of `schema`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "An editor with a TOML extension (Taplo, Even Better TOML) uses it where a specification begins with\n  #:schema bloomline.schema.json"
)]
pub struct Cmd {}

impl Cmd {
    /// Prints the schema; it is JSON with and without `--json`.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let schema = json_schema();
        output.result(&schema, || format!("{schema:#}"))?;
        Ok(Ending::Good)
    }
}
