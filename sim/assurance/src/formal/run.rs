//! Runs a proof.

use super::by_assertion::{assertions, names, Answers, Questions};
use super::outcome::{Proof, Verdict};
use super::questions::{Asking, Round};
use super::source::{cone_script, sby_file, with_observers};
use super::{FormalError, Method, Property};
use bloomline_spec::Design;
use bloomline_toolchain::{Found, Log, Program, Progress, Toolchain};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How hard a proof is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Depth in clocks in place of the property's own.
    pub depth: Option<u32>,
    /// Most time, in seconds, for one property.
    pub timeout_seconds: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            depth: None,
            timeout_seconds: 600,
        }
    }
}

/// Installs what proofs need, where it is not there.
///
/// # Errors
/// As [`Toolchain::find_or_install`].
pub fn install(toolchain: &Toolchain, progress: &dyn Fn(&Progress)) -> Result<(), FormalError> {
    for program in [
        Program::Yosys,
        Program::Sby,
        Program::Smtbmc,
        Program::Yices,
    ] {
        toolchain.find_or_install(program, progress)?;
    }
    Ok(())
}

/// Attempts `property` on `verilog`, the text emitted for `gateware` (or an edit of it), in `folder`, which it makes and fills; sby leaves
/// the waveform of a failure there.
///
/// # Errors
/// [`FormalError::NotReduced`] where the geometry cannot be managed, a missing tool, a tool without a result, or an I/O error.
pub fn prove(
    toolchain: &Toolchain,
    gateware: &Design,
    verilog: &str,
    property: &Property,
    settings: Settings,
    folder: &Path,
) -> Result<Proof, FormalError> {
    if let Some(why) = property.refuses(gateware) {
        return Err(FormalError::NotReduced {
            property: property.name,
            why,
        });
    }
    let own = property.method(gateware);
    let method = match settings.depth {
        Some(depth) => own.with_depth(depth),
        None => own,
    };
    fs::create_dir_all(folder).map_err(io("make the folder", folder))?;
    write(
        folder,
        "design.v",
        &with_observers(verilog, gateware, property)?,
    )?;
    let start = Instant::now();
    let mut proof = match method {
        Method::Structural => structural(toolchain, gateware, property, folder)?,
        Method::ByAssertion => by_assertion(toolchain, gateware, property, settings, folder)?,
        _ => solved(toolchain, gateware, property, method, settings, folder)?,
    };
    proof.seconds = start.elapsed().as_secs_f64();
    Ok(proof)
}

fn structural(
    toolchain: &Toolchain,
    gateware: &Design,
    property: &Property,
    folder: &Path,
) -> Result<Proof, FormalError> {
    write(folder, "cone.ys", &cone_script(gateware.name()))?;
    let log = toolchain.try_run(Program::Yosys, |command| {
        command.current_dir(folder).args(["-q", "cone.ys"]);
    })?;
    let text = log.text();
    let inputs: Vec<String> = text
        .split_once("Selection contains:")
        .map(|(_, rest)| rest.lines().map(str::trim).map(String::from).collect())
        .unwrap_or_default();
    let failed: Vec<String> = inputs.into_iter().filter(|line| !line.is_empty()).collect();
    let verdict = match (log.success, text.contains("selection is not empty")) {
        (true, _) => Verdict::Holds,
        (false, true) => Verdict::Fails,
        (false, false) => return Err(no_result(property, Program::Yosys, &log)),
    };
    Ok(Proof {
        property: property.name,
        method: Method::Structural,
        verdict,
        clocks: None,
        failed,
        timed_out: false,
        seconds: 0.0,
    })
}

fn solved(
    toolchain: &Toolchain,
    gateware: &Design,
    property: &Property,
    method: Method,
    settings: Settings,
    folder: &Path,
) -> Result<Proof, FormalError> {
    let log = sby(toolchain, gateware, property, method, settings, folder)?;
    let text = log.text();
    let verdict = verdict(&text, method).ok_or_else(|| no_result(property, Program::Sby, &log))?;
    Ok(Proof {
        property: property.name,
        method,
        verdict,
        clocks: clocks(&text, method, verdict),
        failed: match verdict {
            Verdict::Fails => failed_assertions(&text),
            _ => Vec::new(),
        },
        timed_out: verdict == Verdict::Open && timed_out(&text),
        seconds: 0.0,
    })
}

/// Runs sby on the property's files.
fn sby(
    toolchain: &Toolchain,
    gateware: &Design,
    property: &Property,
    method: Method,
    settings: Settings,
    folder: &Path,
) -> Result<Log, FormalError> {
    write(folder, "checker.sv", property.checker)?;
    write(
        folder,
        "proof.sby",
        &sby_file(gateware, property, method, settings.timeout_seconds),
    )?;
    let yosys = shell_words(&toolchain.find(Program::Yosys)?);
    let smtbmc = shell_words(&toolchain.find(Program::Smtbmc)?);
    let path = path_with(&toolchain.find(Program::Yices)?);
    let log = toolchain.try_run(Program::Sby, |command| {
        command
            .current_dir(folder)
            .env("PATH", path)
            .args(["-f", "--yosys"])
            .arg(yosys)
            .arg("--smtbmc")
            .arg(smtbmc)
            .arg("proof.sby");
    })?;
    Ok(log)
}

/// The design as yosys prepares it for sby, in SMT-LIB.
const PREPARED: &str =
    "read_rtlil proof/model/design_prep.il; hierarchy -smtcheck; write_smt2 design.smt2";

fn by_assertion(
    toolchain: &Toolchain,
    gateware: &Design,
    property: &Property,
    settings: Settings,
    folder: &Path,
) -> Result<Proof, FormalError> {
    let method = Method::ByAssertion;
    let log = sby(toolchain, gateware, property, method, settings, folder)?;
    let text = log.text();
    if verdict(&text, method).is_none() {
        return Err(no_result(property, Program::Sby, &log));
    }
    if timed_out(&text) {
        // no question was asked
        return Ok(Proof {
            property: property.name,
            method,
            verdict: Verdict::Open,
            clocks: None,
            failed: Vec::new(),
            timed_out: true,
            seconds: 0.0,
        });
    }
    let log = toolchain.try_run(Program::Yosys, |command| {
        command.current_dir(folder).args(["-q", "-p", PREPARED]);
    })?;
    let file = folder.join("design.smt2");
    let design = match log.success {
        true => fs::read_to_string(&file).map_err(io("read", &file))?,
        false => return Err(no_result(property, Program::Yosys, &log)),
    };
    let assertions = assertions(&design);
    if assertions.is_empty() {
        return Err(no_result(property, Program::Yosys, &log));
    }
    let asking = Asking::of(&assertions);
    let deadline = Instant::now() + Duration::from_secs(settings.timeout_seconds.into());
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    std::thread::scope(|scope| {
        for core in 0..cores {
            let (asking, design) = (&asking, &design);
            scope.spawn(move || {
                asking.work(deadline, |round| {
                    answered(toolchain, property, design, folder, core, round)
                });
            });
        }
    });
    let answers = asking.ending()?;
    let timed_out = matches!(answers, Answers::Late(_));
    let (verdict, clocks, failed) = match answers {
        Answers::All => (Verdict::Holds, None, Vec::new()),
        Answers::Broken(names) => (Verdict::Fails, Some(0), names),
        Answers::Open(names) => (Verdict::Open, Some(1), names),
        Answers::Late(late) => (Verdict::Open, Some(1), names(&late)),
    };
    Ok(Proof {
        property: property.name,
        method,
        verdict,
        clocks,
        failed,
        timed_out,
        seconds: 0.0,
    })
}

/// The solver's answers to a round of questions.
fn answered(
    toolchain: &Toolchain,
    property: &Property,
    design: &str,
    folder: &Path,
    core: usize,
    round: &Round,
) -> Result<Answers, FormalError> {
    let asked = Questions::new(
        design,
        property.top(),
        round.assertions.clone(),
        round.times,
    );
    let name = format!("questions_{core}.smt2");
    write(folder, &name, &asked.text)?;
    let log = toolchain.try_run(Program::Yices, |command| {
        command
            .current_dir(folder)
            .arg("--incremental")
            .arg(format!("--timeout={}", round.seconds()))
            .arg(&name);
    })?;
    asked
        .read(&log.text())
        .ok_or_else(|| no_result(property, Program::Yices, &log))
}

/// sby's last word: `DONE (PASS, rc=0)`. It stops without one (`AttributeError`) where the time limit ends before yosys has prepared the design.
fn verdict(log: &str, method: Method) -> Option<Verdict> {
    let Some((_, word)) = log.rsplit_once("DONE (") else {
        return timed_out(log).then_some(Verdict::Open);
    };
    match (word.split(',').next()?, method) {
        ("PASS", Method::Cover(_)) => Some(Verdict::Reached),
        ("PASS", _) => Some(Verdict::Holds),
        ("FAIL", _) => Some(Verdict::Fails),
        ("UNKNOWN" | "TIMEOUT", _) => Some(Verdict::Open),
        _ => None,
    }
}

/// Whether the time limit of the property ended sby.
fn timed_out(log: &str) -> bool {
    log.contains("] Reached TIMEOUT (")
}

/// The clock count of [`Proof::clocks`]. sby counts steps from 0 and checks step N once it says "in step N..".
fn clocks(log: &str, method: Method, verdict: Verdict) -> Option<u32> {
    let number = |marker: &str| {
        let (_, rest) = log.rsplit_once(marker)?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    };
    match (method, verdict) {
        // The last step may have been at work when the time ran out; those before it are done.
        (Method::Induction(_), Verdict::Fails | Verdict::Open) => {
            number("Checking assertions in step ")
        }
        (Method::Cover(_), Verdict::Reached) => number(" step "),
        _ => None,
    }
}

/// The names in lines such as `summary:   failed assertion formal_bank.stale_active at checker.sv:50.5-50.60 step 20`.
fn failed_assertions(log: &str) -> Vec<String> {
    let mut names: Vec<String> = log
        .lines()
        .filter_map(|line| line.split_once("failed assertion "))
        .filter_map(|(_, rest)| rest.split_whitespace().next())
        .map(|name| name.rsplit('.').next().unwrap_or(name).to_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The tool as words for the shell that sby starts it with.
fn shell_words(found: &Found) -> OsString {
    let command = found.command();
    let quoted = |word: &OsStr| format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"));
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    OsString::from(words.map(quoted).collect::<Vec<_>>().join(" "))
}

/// `PATH` with the solver's folder in front: smtbmc looks for it there.
fn path_with(solver: &Found) -> OsString {
    let mut path = OsString::new();
    if let Some(folder) = solver.path.parent() {
        path.push(folder);
        path.push(":");
    }
    path.push(std::env::var_os("PATH").unwrap_or_default());
    path
}

fn no_result(property: &Property, program: Program, log: &Log) -> FormalError {
    FormalError::NoResult {
        property: property.name,
        tool: program.name(),
        status: log.status.clone(),
        log: log.tail(15),
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), FormalError> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(io("write", &path))
}

fn io<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(std::io::Error) -> FormalError + 'a {
    move |source| FormalError::Io {
        action,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDUCTION: Method = Method::Induction(20);

    /// What sby prints when the time ends while yosys prepares the design.
    const BEFORE_THE_DESIGN: &str =
        "SBY  6:30:37 [proof] engine_0: smtbmc --nopresat yices\nSBY  6:30:39 [proof] Reached TIMEOUT (1 seconds). Terminating all subprocesses.\n\
         SBY  6:30:39 [proof] base: terminating process\nTraceback (most recent call last):\nAttributeError: 'NoneType' object has no attribute 'hierarchy'\n";

    #[test]
    fn a_time_limit_that_ends_before_the_design_is_prepared_leaves_the_property_open() {
        for method in [INDUCTION, Method::Cover(20), Method::ByAssertion] {
            assert_eq!(verdict(BEFORE_THE_DESIGN, method), Some(Verdict::Open));
        }
        assert!(timed_out(BEFORE_THE_DESIGN));
        assert_eq!(clocks(BEFORE_THE_DESIGN, INDUCTION, Verdict::Open), None);
    }

    #[test]
    fn the_last_word_of_sby_is_the_verdict_and_a_log_without_one_is_none() {
        let done = |word: &str| format!("SBY  6:30:39 [proof] DONE ({word}, rc=0)\n");
        assert_eq!(verdict(&done("PASS"), INDUCTION), Some(Verdict::Holds));
        assert_eq!(
            verdict(&done("PASS"), Method::Cover(9)),
            Some(Verdict::Reached)
        );
        assert_eq!(verdict(&done("FAIL"), INDUCTION), Some(Verdict::Fails));
        assert_eq!(verdict(&done("TIMEOUT"), INDUCTION), Some(Verdict::Open));
        assert_eq!(verdict(&done("UNKNOWN"), INDUCTION), Some(Verdict::Open));
        assert_eq!(verdict(&done("ERROR"), INDUCTION), None);
        assert_eq!(
            verdict("Traceback (most recent call last):\n", INDUCTION),
            None
        );
        assert!(!timed_out(&done("UNKNOWN")));
    }
}
