use super::report::{duration_text, result_of};
use super::{Check, ClaimsError, Entry, Journal, Step, Verdict};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How checks are run.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Checks at a time.
    pub jobs: usize,
    /// Time of the whole run: a check that is not expected to end within it is left for the next run.
    pub budget: Option<Duration>,
    /// Run also what passed in the same tree before.
    pub fresh: bool,
}

/// Where checks run.
#[derive(Debug, Clone)]
pub struct Place {
    /// Root of the source tree.
    pub root: PathBuf,
    /// Folder of the programs of this build, such as `bloomline`.
    pub programs: PathBuf,
    /// Folder of the journal and of what each check printed.
    pub records: PathBuf,
}

impl Place {
    /// The source tree at `root`, and the folder that holds this very program, with `claims` beside it for the records.
    ///
    /// # Errors
    /// When the system does not say where this program is.
    pub fn of_this_program(root: &Path) -> Result<Self, ClaimsError> {
        let file = std::env::current_exe().map_err(ClaimsError::file("this program"))?;
        let programs = file.parent().unwrap_or(Path::new(".")).to_path_buf();
        Ok(Self {
            root: root.to_path_buf(),
            records: programs.with_file_name("claims"),
            programs,
        })
    }

    /// The journal's file.
    pub fn journal(&self) -> PathBuf {
        self.records.join("journal.jsonl")
    }
}

/// A check is ended when it takes this many times its estimate and more than [`LEAST_PATIENCE_SECONDS`].
const PATIENCE: f64 = 10.0;
const LEAST_PATIENCE_SECONDS: f64 = 600.0;

/// What a run came to.
#[derive(Debug, Default)]
pub struct Summary {
    /// Checks that ran, or had passed in the same tree, each with its entry.
    pub ended: Vec<(Check, Entry)>,
    /// How many of them had passed in the same tree before.
    pub reused: usize,
    /// Checks for which there was no time.
    pub left: Vec<Check>,
}

impl Summary {
    /// Whether nothing that ran failed.
    pub fn is_good(&self) -> bool {
        let failed = |verdict| matches!(verdict, Verdict::Failed | Verdict::TimedOut);
        !self.ended.iter().any(|(_, entry)| failed(entry.verdict))
    }
}

/// What the threads of a run share.
struct Shared<'a> {
    /// Checks not begun, the next one last.
    queue: Vec<Check>,
    summary: Summary,
    journal: &'a mut Journal,
    /// The journal could not be written: no further check begins.
    stopped: Option<ClaimsError>,
}

/// Runs the checks in their order, except those that the journal says passed in this very tree.
///
/// # Errors
/// When a program does not start, or a log or the journal cannot be written.
pub fn run(
    checks: Vec<Check>,
    place: &Place,
    tree: &str,
    journal: &mut Journal,
    manner: Manner,
) -> Result<Summary, ClaimsError> {
    let logs = place.records.join("logs");
    fs::create_dir_all(&logs).map_err(ClaimsError::file(&logs))?;
    let mut summary = Summary::default();
    let mut queue = Vec::new();
    for check in checks {
        match journal.passed_in(&check.key(), tree) {
            Some(entry) if !manner.fresh => summary.ended.push((check, entry.clone())),
            _ => queue.push(check),
        }
    }
    summary.reused = summary.ended.len();
    let bar = progress_bar(&queue);
    queue.reverse();
    let started = Instant::now();
    let shared = Mutex::new(Shared {
        queue,
        summary,
        journal,
        stopped: None,
    });
    let lock = || shared.lock().unwrap_or_else(|broken| broken.into_inner());
    std::thread::scope(|scope| {
        for _ in 0..manner.jobs.max(1) {
            scope.spawn(|| loop {
                let next = {
                    let mut shared = lock();
                    match shared.stopped {
                        None => shared.take(started.elapsed(), manner),
                        Some(_) => None,
                    }
                };
                let Some(check) = next else { return };
                bar.set_message(check.key());
                let ended = one(&check, place, tree, &logs);
                bar.inc(weight(&check));
                let mut shared = lock();
                let written = ended.and_then(|entry| {
                    bar.suspend(|| {
                        eprintln!("{}", line(&entry));
                        if matches!(entry.verdict, Verdict::Failed | Verdict::TimedOut) {
                            eprint!("{}", last_printed(&logs, &entry.check));
                        }
                    });
                    shared.journal.add(entry.clone())?;
                    shared.summary.ended.push((check, entry));
                    Ok(())
                });
                if let Err(error) = written {
                    shared.stopped.get_or_insert(error);
                }
            });
        }
    });
    bar.finish_and_clear();
    let shared = shared
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    match shared.stopped {
        Some(error) => Err(error),
        None => Ok(shared.summary),
    }
}

impl Shared<'_> {
    /// The next check for which there is time; those for which there is none are left.
    fn take(&mut self, elapsed: Duration, manner: Manner) -> Option<Check> {
        while let Some(check) = self.queue.pop() {
            // An equal check of another claim may have ended meanwhile.
            let key = check.key();
            let same = |(other, _): &&(Check, Entry)| other.key() == key;
            if let Some(entry) = self.summary.ended.iter().find(same).map(|(_, e)| e.clone()) {
                self.summary.ended.push((check, entry));
                continue;
            }
            let expected = self
                .journal
                .last_seconds(&check.key())
                .unwrap_or(check.estimate_seconds);
            let fits = manner.budget.is_none_or(|budget| {
                elapsed + Duration::from_secs_f64(expected.min(1e9)) <= budget
            });
            if fits {
                return Some(check);
            }
            self.summary.left.push(check);
        }
        None
    }
}

/// Runs one check to its end.
fn one(check: &Check, place: &Place, tree: &str, logs: &Path) -> Result<Entry, ClaimsError> {
    let key = check.key();
    let [stdout, stderr] = ["out", "err"].map(|kind| log_path(logs, &key, kind));
    let create = |path: &Path| File::create(path).map_err(ClaimsError::file(path));
    let mut command = check.command(&place.root, &place.programs);
    command
        .stdin(std::process::Stdio::null())
        .stdout(create(&stdout)?)
        .stderr(create(&stderr)?);
    let started = Instant::now();
    let mut child = command.spawn().map_err(|source| ClaimsError::Start {
        program: command.get_program().to_string_lossy().into_owned(),
        source,
    })?;
    let patience = LEAST_PATIENCE_SECONDS.max(PATIENCE * check.estimate_seconds);
    let waited = |source| ClaimsError::Start {
        program: key.clone(),
        source,
    };
    let status = loop {
        if let Some(status) = child.try_wait().map_err(waited)? {
            break Some(status);
        }
        if started.elapsed().as_secs_f64() > patience {
            child.kill().map_err(waited)?;
            child.wait().map_err(waited)?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = fs::read(&stdout).map_err(ClaimsError::file(&stdout))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let verdict = verdict(check, status, &text);
    let result = match verdict {
        Verdict::Passed | Verdict::Skipped => result_of(&check.step, &text),
        Verdict::Failed => format!("see {}", stdout.display()),
        Verdict::TimedOut => format!("ended after {patience:.0} s; see {}", stdout.display()),
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    Ok(Entry {
        check: key,
        tree: tree.to_owned(),
        verdict,
        seconds: started.elapsed().as_secs_f64(),
        ended: now.map_or(0, |since| since.as_secs()),
        result,
    })
}

fn verdict(check: &Check, status: Option<ExitStatus>, stdout: &str) -> Verdict {
    let Some(status) = status else {
        return Verdict::TimedOut;
    };
    // A test that is not there passes with none run.
    let ran = match check.step {
        Step::Test { .. } => stdout.contains("test result: ok. 1 passed"),
        Step::Run(_) => true,
    };
    let skipped = stdout.lines().any(super::report::is_skip);
    match (status.success() && ran, skipped) {
        (false, _) => Verdict::Failed,
        (true, true) => Verdict::Skipped,
        (true, false) => Verdict::Passed,
    }
}

/// A file for what a check prints.
fn log_path(logs: &Path, key: &str, kind: &str) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let mut name: String = key.chars().map(plain).collect();
    name.truncate(180);
    logs.join(format!("{name}.{kind}"))
}

/// Lines of each stream that are shown of a check that failed or timed out: its log may be on another machine.
const LINES_OF_FAILED: usize = 20;

/// The end of what a check printed, indented.
fn last_printed(logs: &Path, key: &str) -> String {
    let end_of = |kind| {
        let bytes = fs::read(log_path(logs, key, kind)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let end = &lines[lines.len().saturating_sub(LINES_OF_FAILED)..];
        end.iter().map(|line| format!("    {line}\n")).collect()
    };
    let ends: [String; 2] = ["out", "err"].map(end_of);
    ends.concat()
}

/// What a check counts in the progress bar: its estimate in tenths of a second.
fn weight(check: &Check) -> u64 {
    (check.estimate_seconds * 10.0).ceil() as u64
}

fn progress_bar(queue: &[Check]) -> ProgressBar {
    let bar = ProgressBar::new(queue.iter().map(weight).sum());
    let style =
        ProgressStyle::with_template("{bar:30} {percent:>3} % {elapsed} (about {eta} left) {msg}");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn line(entry: &Entry) -> String {
    let verdict = match entry.verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "FAILED",
        Verdict::TimedOut => "TIMED OUT",
        Verdict::Skipped => "skipped",
    };
    let time = duration_text(entry.seconds);
    format!("{verdict:9} {time:>10}  {}  {}", entry.check, entry.result)
}
