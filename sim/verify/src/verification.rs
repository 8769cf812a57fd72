use crate::kinds::run_design;
use crate::lanes::MODEL_EVERY;
use crate::plan::{Plan, Watch};
use crate::report::{Claim, Fact, ReportData};
use crate::stats::Verdict;
use crate::text::{per_second, whole};
use crate::VerifyError;
use bloomline_spec::Design;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// Columns of a line's name.
const NAME_COLUMNS: usize = 23;

/// What a verification of a filter of any kind found.
///
/// Serialises as the object of `verify --json`: the numbers of the kind, and `claims`. Printed, it is the text of `verify`.
#[derive(Debug, Clone)]
pub struct Verification {
    verdict: Verdict,
    values: Value,
    lines: Vec<Fact>,
    report: ReportData,
}

/// Runs the gateware of a design on the plan's keys, and tells how far it is.
///
/// # Errors
/// [`VerifyError`] when it cannot be run. A mismatch is no error: it is in the result.
pub fn verify(
    design: &Design,
    plan: &Plan,
    watch: &Watch<'_>,
) -> Result<Verification, VerifyError> {
    let found = run_design(design, plan, watch)?;
    let mut report = found.report().clone();
    let mut values = found.values()?;
    values["claims"] = serde_json::to_value(&report.results)?;
    values["simulator"] = plan.simulator.name().into();
    let mut lines = found.lines();
    let open = undecided(&report).count();
    if found.verdict() == Verdict::Pass && open > 0 {
        let told = lines.iter_mut().find(|line| line.name == "verdict");
        if let Some(line) = told {
            let have = if open == 1 { "has" } else { "have" };
            let of = report.results.len();
            line.value += &format!("; {open} of {of} claims {have} too little evidence");
        }
    }
    lines.push(Fact::new("simulator", plan.simulator.name()));
    if let Some(lanes) = plan.lanes {
        values["lanes"] = lanes.into();
        let text = format!(
            "{lanes} independent filters, each with {} keys of its own and every output checked on every clock, at least {} against the cycle-accurate model",
            whole(plan.items_a_filter() as f64),
            lanes / MODEL_EVERY
        );
        lines.push(Fact::new("lanes", text.clone()));
        report.provenance.push(Fact::new("lanes", text));
    }
    if let Some(items_per_cycle) = values["items_per_cycle"].as_f64() {
        let (items, clock_hz) = (
            items_per_cycle * design.clock_hz() as f64,
            design.clock_hz(),
        );
        values["items_per_second"] = items.into();
        let throughput = format!(
            "{} items a second at {} MHz",
            per_second(items),
            clock_hz as f64 / 1e6
        );
        let highlights = &mut report.highlights;
        highlights.retain(|fact| fact.name != "items a clock");
        highlights.push(Fact::new(
            format!("items a second at {} MHz", clock_hz as f64 / 1e6),
            per_second(items),
        ));
        lines.push(Fact::new("throughput", throughput));
    }
    report
        .provenance
        .push(Fact::new("simulator", plan.simulator.name()));
    Ok(Verification {
        verdict: found.verdict(),
        values,
        lines,
        report,
    })
}

fn undecided(report: &ReportData) -> impl Iterator<Item = &Claim> {
    let claims = report.results.iter();
    claims.filter(|claim| claim.verdict == Some(Verdict::Inconclusive))
}

impl Verification {
    /// Pass or fail, over all that was tested.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// What was measured, beside what was expected.
    pub fn claims(&self) -> &[Claim] {
        &self.report.results
    }

    /// The claims that too little evidence leaves open.
    pub fn undecided(&self) -> impl Iterator<Item = &Claim> {
        undecided(&self.report)
    }

    /// A number of the object by its key, such as `mismatches`.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// The source of the keys.
    pub fn source(&self) -> &str {
        self.values["source"].as_str().unwrap_or_default()
    }

    /// The result in lines.
    pub fn lines(&self) -> &[Fact] {
        &self.lines
    }

    /// The report, but for title, specification and predictions, which the caller knows.
    pub fn report(&self) -> &ReportData {
        &self.report
    }
}

impl Serialize for Verification {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.values.serialize(serializer)
    }
}

impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, line) in self.lines.iter().enumerate() {
            if place > 0 {
                writeln!(f)?;
            }
            write!(f, "{:<NAME_COLUMNS$}{}", line.name, line.value)?;
        }
        Ok(())
    }
}
