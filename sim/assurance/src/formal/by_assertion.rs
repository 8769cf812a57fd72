//! Induction over one clock, each assertion by itself.
//!
//! Where a proof has hundreds of assertions, a step that asks for all of them at once is one question with hundreds of ways to fail, which no solver
//! answers in time; each alone takes seconds. All of them are assumed of the clock before, so that what is proved is their conjunction; and of the same clock those that are listed before,
//! each of which follows from the clock before without the later ones. So a conclusion takes a moment where the assertions that it rests on stand before it.

use std::fmt::Write;

/// An assertion, as yosys lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    number: u32,
    name: String,
}

/// What the solver is asked about a design, and what its answers mean.
#[derive(Debug)]
pub struct Questions {
    assertions: Vec<Assertion>,
    /// SMT-LIB: the design, then `check-sat` by `check-sat`.
    pub text: String,
}

/// What the answers say.
#[derive(Debug, PartialEq, Eq)]
pub enum Answers {
    /// Every assertion holds in every clock.
    All,
    /// These do not hold in the first clock.
    Broken(Vec<String>),
    /// These do not follow from the clock before.
    Open(Vec<String>),
    /// Nothing speaks against any, but the time ran out at these.
    Late(Vec<Assertion>),
}

/// The assertions of `design`, which yosys wrote in SMT-LIB, in the order in which they stand in the checker.
pub fn assertions(design: &str) -> Vec<Assertion> {
    design.lines().filter_map(assertion).collect()
}

/// Names of assertions, each once.
pub fn names(assertions: &[Assertion]) -> Vec<String> {
    let mut names: Vec<String> = assertions.iter().map(|one| one.name.clone()).collect();
    names.dedup();
    names
}

impl Questions {
    /// About `design`, which yosys wrote in SMT-LIB for the module `top`; each may use those of lower numbers in the same
    /// clock. Another seed takes the solver another way.
    pub fn new(design: &str, top: &str, mut assertions: Vec<Assertion>, seed: u32) -> Questions {
        assertions.sort_by_key(|assertion| assertion.number);
        let mut text = format!("(set-option :random-seed {seed})\n(set-logic QF_UFBV)\n{design}\n");
        for state in ["before", "now"] {
            let _ = writeln!(text, "(declare-fun |{state}| () |{top}_s|)");
            for what in ["is", "u", "h"] {
                let _ = writeln!(text, "(assert (|{top}_{what}| |{state}|))");
            }
        }
        // The first clock: power-up. Whether the assumptions can be met is asked first.
        let ask = |text: &mut String, number: u32| {
            let _ = writeln!(
                text,
                "(push 1)(assert (not (|{top}_a {number}| |now|)))(check-sat)(pop 1)"
            );
        };
        let _ = writeln!(text, "(push 1)(assert (|{top}_i| |now|))(check-sat)");
        for assertion in &assertions {
            ask(&mut text, assertion.number);
        }
        // Every other clock.
        let _ = writeln!(
            text,
            "(pop 1)(assert (|{top}_a| |before|))(assert (|{top}_t| |before| |now|))(check-sat)"
        );
        let mut known = 0;
        for assertion in &assertions {
            for number in known..assertion.number {
                let _ = writeln!(text, "(assert (|{top}_a {number}| |now|))");
            }
            known = assertion.number;
            ask(&mut text, assertion.number);
        }
        Questions { assertions, text }
    }

    /// What the solver's output says; `None` where it is not that of these questions, or where assumptions that nothing meets would prove
    /// anything.
    pub fn read(&self, output: &str) -> Option<Answers> {
        let answers: Vec<&str> = output
            .lines()
            .map(str::trim)
            .filter(|line| matches!(*line, "sat" | "unsat" | "unknown"))
            .collect();
        let count = 1 + self.assertions.len();
        if answers.len() != 2 * count {
            return None;
        }
        let (first, step) = answers.split_at(count);
        let with = |answers: &[&str], answer: &str| -> Vec<Assertion> {
            let asked = self.assertions.iter().zip(&answers[1..]);
            let these = asked.filter(|(_, own)| **own == answer);
            these.map(|(assertion, _)| assertion.clone()).collect()
        };
        if first[0] == "unsat" || step[0] == "unsat" {
            return None;
        }
        let (broken, open) = (with(first, "sat"), with(step, "sat"));
        let late = match first[0] == "unknown" || step[0] == "unknown" {
            true => self.assertions.clone(),
            false => {
                let mut late = with(first, "unknown");
                late.extend(with(step, "unknown"));
                late
            }
        };
        Some(
            match (broken.is_empty(), open.is_empty(), late.is_empty()) {
                (false, ..) => Answers::Broken(names(&broken)),
                (_, false, _) => Answers::Open(names(&open)),
                (.., false) => Answers::Late(late),
                _ => Answers::All,
            },
        )
    }
}

/// The assertion of a line such as `; yosys-smt2-assert 7 agent[0].copy_as_entry checker.sv:50.5-50.60`.
fn assertion(line: &str) -> Option<Assertion> {
    let rest = line.strip_prefix("; yosys-smt2-assert ")?;
    let mut words = rest.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let name = words.next()?;
    let place = words.next().unwrap_or_default();
    // one that the checker gives no name is told by its place
    let name = match name.contains("_witness_.") || name.contains('$') {
        true => place.split('-').next().unwrap_or(place),
        false => name.rsplit('.').next().unwrap_or(name),
    };
    Some(Assertion {
        number,
        name: name.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DESIGN: &str =
        "; yosys-smt2-assert 0 _witness_.check_assert_checker_sv_3_1 checker.sv:3.5-3.20\n\
                          (define-fun |m_a 0| ((state |m_s|)) Bool true)\n\
                          ; yosys-smt2-assert 1 part.kept checker.sv:4.5-4.9\n";

    fn questions() -> Questions {
        Questions::new(DESIGN, "m", assertions(DESIGN), 0)
    }

    #[test]
    fn each_assertion_is_asked_of_the_first_clock_and_of_every_other() {
        let text = questions().text;
        assert_eq!(text.matches("(check-sat)").count(), 6);
        assert_eq!(text.matches("(assert (not (|m_a 1| |now|)))").count(), 2);
        // in a clock behind another the second may use the first, never the other way round
        let (first, step) = text.split_once("|m_t|").expect("two parts");
        assert!(!first.contains("(assert (|m_a 0| |now|))"));
        let (before, _) = step.split_once("(not (|m_a 1|").expect("it is asked");
        let (_, since) = before.split_once("(not (|m_a 0|").expect("it is asked");
        assert!(since.contains("(assert (|m_a 0| |now|))"));
        assert!(!text.contains("(assert (|m_a 1| |now|))"));
        assert_eq!(
            text.matches("(push 1)").count(),
            text.matches("(pop 1)").count()
        );
        assert!(assertions("").is_empty());
    }

    #[test]
    fn only_whole_answers_prove() {
        let read = |output: &str| questions().read(output);
        let named = |name: &str| vec![name.to_owned()];
        assert_eq!(
            read("sat\nunsat\nunsat\nsat\nunsat\nunsat\n"),
            Some(Answers::All)
        );
        let first = "sat\nunsat\nsat\nsat\nunsat\nunknown";
        assert_eq!(read(first), Some(Answers::Broken(named("kept"))));
        let step = "sat\nunsat\nunsat\nsat\nsat\nunknown";
        assert_eq!(read(step), Some(Answers::Open(named("checker.sv:3.5"))));
        // the time ran out
        let late = |places: &[usize]| {
            let all = assertions(DESIGN);
            Some(Answers::Late(
                places.iter().map(|&at| all[at].clone()).collect(),
            ))
        };
        assert_eq!(read("sat\nunsat\nunsat\nsat\nunsat\nunknown\n"), late(&[1]));
        assert_eq!(read("sat\nunknown\nunsat\nsat\nunsat\nunsat\n"), late(&[0]));
        assert_eq!(
            read("sat\nunsat\nunsat\nunknown\nunsat\nunsat\n"),
            late(&[0, 1])
        );
        // assumptions that nothing meets, and answers that are missing
        assert_eq!(read("unsat\nunsat\nunsat\nsat\nunsat\nunsat\n"), None);
        assert_eq!(read("sat\nunsat\nunsat\nunsat\nunsat\nunsat\n"), None);
        assert_eq!(read("sat\nunsat\nunsat\nsat\nunsat\n"), None);
        assert_eq!(read("(error \"no\")"), None);
    }
}
