use crate::commands::examples::file_name;
use crate::commands::verify::{ending, may_write_report, verify};
use crate::output::{Ending, Output};
use bloomline_spec::EXAMPLES;
use bloomline_toolkit::package::write_folder;
use bloomline_toolkit::Filter;
use bloomline_verify::{Keys, Plan, Simulator};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Items of the built-in traffic: some 340 cycles of the example, enough for a verdict on its rate.
const ITEMS: u64 = 2_000_000;

/// Arguments of `quickstart`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Folder for gateware and report; an earlier quickstart in it is replaced, other files are not
    #[arg(long, value_name = "DIR", default_value = "out/quickstart")]
    out: PathBuf,
}

impl Cmd {
    /// The CDN one-hit filter from its specification to a report: sized, emitted, simulated, judged.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let (name, text) = EXAMPLES[0];
        let filter = Filter::from_text(Path::new(name), text.to_owned())?;
        for warning in filter.warnings() {
            note!("warning: {warning}");
        }
        let spec = self.out.join(file_name(name));
        // What differs is the user's own, likely an example that was edited.
        if std::fs::read(&spec).is_ok_and(|there| there != text.as_bytes()) {
            anyhow::bail!(
                "--out {}: {} is there already and is not the example; choose another --out, or move the file",
                self.out.display(),
                spec.display()
            );
        }
        may_write_report("--out", &filter, &self.out, &[])?;
        if let Some(geometry) = filter.design().recycling() {
            note!(
                "1/3  plan: threshold {} of {} bits a half",
                geometry.threshold(),
                geometry.half_bits()
            );
        }
        let gateware = self.out.join("gateware");
        note!("2/3  emit: {}", gateware.display());
        let package = filter.emit()?;
        if let Some(parent) = gateware.parent() {
            std::fs::create_dir_all(parent).map_err(|error| {
                anyhow::anyhow!(
                    "cannot make the folder {}: {error}; choose another --out",
                    parent.display()
                )
            })?;
        }
        write_folder(&gateware, package.files(), true)?;
        note!("3/3  simulate: {ITEMS} new keys in the built-in simulator, clock for clock against the model");
        std::fs::write(&spec, text).map_err(|error| {
            anyhow::anyhow!(
                "cannot write {}: {error}; choose another --out",
                spec.display()
            )
        })?;
        let result = verify(
            &filter,
            Plan::new(Keys::RandomNew, ITEMS, 1, Simulator::BuiltIn),
        )?;
        let report = filter.write_report(&result, &self.out, 1)?;
        let value = json!({ "specification": spec, "gateware": gateware, "report": report, "verification": result });
        output.result(&value, || {
            format!(
                "{}\n\nspecification          {spec}\ngateware               {}\nreport                 {}\n\n\
                 Next:\n  bloomline plan {spec}\n  bloomline new mine --kind recycling --items 20000 --rate 1%\n  \
                 bloomline verify {spec} --zipf 0.9 --report {}",
                result,
                gateware.display(),
                report.display(),
                self.out.join("zipf").display(),
                spec = spec.display(),
            )
        })?;
        Ok(ending(result.verdict()))
    }
}
