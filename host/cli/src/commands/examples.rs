use crate::output::{hanging, Ending, Output};
use anyhow::Context;
use bloomline_spec::{all_examples, json_schema, FilterSpec};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// File of the JSON Schema that the examples name.
pub const SCHEMA_FILE: &str = "bloomline.schema.json";

/// Arguments of `examples`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Write every example, and the JSON Schema that they name, into this folder; files there are not replaced
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// With --write: replace files of the same names
    #[arg(long, requires = "write")]
    force: bool,
}

/// An example specification.
#[derive(Serialize)]
struct Example {
    file: &'static str,
    kind: &'static str,
    about: String,
}

impl Cmd {
    /// Lists the examples, or writes them.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let examples = all_examples().map(example).collect::<Result<Vec<_>, _>>()?;
        if let Some(folder) = &self.write {
            self.write_into(folder)?;
        }
        output.result(&examples, || {
            let mut text = String::new();
            for example in &examples {
                let start = format!("{:<15} {:<10} ", example.file, example.kind);
                text += &hanging(&format!("{start}{}", example.about), start.len());
            }
            text + &match &self.write {
                None => "\nWrite them: bloomline examples --write specs\n".to_owned(),
                Some(folder) => format!(
                    "\nWritten to {0}. Next: bloomline plan {0}/onehit.toml\n",
                    folder.display()
                ),
            }
        })?;
        Ok(Ending::Good)
    }

    fn write_into(&self, folder: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder).with_context(|| {
            format!(
                "--write {}: cannot make the folder; name another",
                folder.display()
            )
        })?;
        let schema = format!("{:#}\n", json_schema());
        let files = all_examples()
            .map(|(path, text)| (file_name(path), text))
            .chain([(SCHEMA_FILE, schema.as_str())]);
        let files: Vec<_> = files
            .map(|(name, text)| (folder.join(name), text))
            .collect();
        if let Some((there, _)) = files.iter().find(|(path, _)| !self.force && path.exists()) {
            anyhow::bail!(
                "--write {}: {} is there already; name another folder, or add --force to replace it",
                folder.display(),
                there.display()
            );
        }
        for (path, text) in files {
            std::fs::write(&path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// The name of an example's file.
pub fn file_name(path: &'static str) -> &'static str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What an example is about: the first sentence of its comment.
fn example((path, text): (&'static str, &'static str)) -> anyhow::Result<Example> {
    let comment: Vec<&str> = text
        .lines()
        .skip_while(|line| line.starts_with("#:"))
        .map_while(|line| line.strip_prefix("# "))
        .collect();
    let comment = comment.join(" ");
    // A dot ends a sentence where a space follows it: names of files have dots, too.
    let ends = [". ", ": "].iter().filter_map(|end| comment.find(end));
    let sentence = ends.min().map_or(&*comment, |end| &comment[..end]);
    let sentence = sentence.trim_end_matches('.');
    Ok(Example {
        file: file_name(path),
        kind: FilterSpec::from_toml(text, Path::new(path))?
            .filter
            .kind
            .word(),
        about: sentence.to_owned(),
    })
}
