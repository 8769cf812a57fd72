use crate::output::{Ending, Output};

/// Arguments of `program`.
#[derive(Debug, clap::Args)]
pub struct Cmd {}
impl Cmd { pub fn run(self, _: Output) -> anyhow::Result<Ending> { Ok(Ending::Good) } }
