use super::{Check, Claim, Entry, Step, Summary, Verdict};
use std::fmt::Write as _;

/// The longest result in characters that a row shows.
const RESULT_CHARACTERS: usize = 200;

/// What a check found, of what it printed: its last two lines, without what the test harness prints around them.
pub fn result_of(step: &Step, stdout: &str) -> String {
    let own = match step {
        Step::Test { name, .. } => stdout
            .split_once(&format!("---- {name} stdout ----\n"))
            .and_then(|(_, rest)| rest.split_once("\n\nsuccesses:"))
            .map_or("", |(own, _)| own),
        Step::Run(_) => stdout,
    };
    let lines: Vec<&str> = own
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let skipped = lines.iter().find(|line| is_skip(line));
    let text = match skipped {
        Some(line) => (*line).to_owned(),
        None => lines[lines.len().saturating_sub(2)..].join("; "),
    };
    text.chars().take(RESULT_CHARACTERS).collect()
}

/// Whether a test said with this line that something it needs is missing.
pub(super) fn is_skip(line: &str) -> bool {
    line.to_ascii_lowercase().starts_with("skipped: ")
}

/// A time in the units a reader would use.
pub(super) fn duration_text(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// The rows of the page "How we know" for the claims of which every check ended, under their headings.
pub fn markdown(claims: &[Claim], summary: &Summary) -> String {
    let mut text = String::new();
    let mut section = "";
    for claim in claims {
        let of_claim = |check: &Check| check.claim == claim.name;
        let ended: Vec<&Entry> = summary
            .ended
            .iter()
            .filter(|(check, _)| of_claim(check))
            .map(|(_, entry)| entry)
            .collect();
        if ended.is_empty() || summary.left.iter().any(of_claim) {
            continue;
        }
        if section != claim.section {
            section = &claim.section;
            let _ = write!(
                text,
                "\n## {section}\n\n| claim | result | command |\n|---|---|---|\n"
            );
        }
        let _ = writeln!(
            text,
            "| {} | {} | `claims --only {}` |",
            claim.says,
            result(&ended).replace('|', "\\|"),
            claim.name
        );
    }
    text
}

/// What a claim's checks found.
fn result(ended: &[&Entry]) -> String {
    let of = |verdict| ended.iter().filter(move |entry| entry.verdict == verdict);
    let seconds: f64 = ended.iter().map(|entry| entry.seconds).sum();
    let passed = of(Verdict::Passed).count();
    let mut text = format!(
        "{passed} of {} checks passed in {}",
        ended.len(),
        duration_text(seconds)
    );
    for (verdict, word) in [
        (Verdict::Failed, "FAILED"),
        (Verdict::TimedOut, "TIMED OUT"),
        (Verdict::Skipped, "skipped"),
    ] {
        for entry in of(verdict) {
            let _ = write!(text, "; {word}: {} ({})", entry.check, entry.result);
        }
    }
    let mut found: Vec<&str> = Vec::new();
    for entry in of(Verdict::Passed) {
        if !entry.result.is_empty() && !found.contains(&entry.result.as_str()) {
            found.push(&entry.result);
        }
    }
    match found.is_empty() {
        true => text,
        false => format!("{text}: {}", found.join("; ")),
    }
}
