//! Divides the solver's questions among the cores, and repeats those that it did not answer in time.

use super::by_assertion::{Answers, Assertion};
use super::FormalError;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Assertions that the solver is asked about in one run, the first time: reading the design takes it about a second.
const TOGETHER: usize = 8;
/// Most seconds for an answer the first time. Some take minutes one way and seconds another.
const FIRST_SECONDS: u64 = 30;

/// Assertions that the solver is asked about in one run.
#[derive(Debug)]
pub struct Round {
    pub assertions: Vec<Assertion>,
    /// Times that they were asked about before; each time is twice as long, and takes another way.
    pub times: u32,
}

impl Round {
    fn first(assertions: &[Assertion]) -> Round {
        Round {
            assertions: assertions.to_vec(),
            times: 0,
        }
    }

    /// Most seconds for an answer.
    pub fn seconds(&self) -> u64 {
        FIRST_SECONDS << self.times.min(10)
    }

    /// Those that the time ran out at, each by itself.
    fn again(&self, late: Vec<Assertion>) -> impl Iterator<Item = Round> + use<> {
        let times = self.times + 1;
        late.into_iter().map(move |assertion| Round {
            assertions: vec![assertion],
            times,
        })
    }
}

#[derive(Debug)]
struct Queue {
    waiting: VecDeque<Round>,
    /// Rounds that some core is at.
    asked: usize,
    /// What ended the work early.
    ended: Option<Result<Answers, FormalError>>,
}

/// Questions that every core takes from, until there are none or one is answered otherwise than hoped.
#[derive(Debug)]
pub struct Asking {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Asking {
    pub fn of(assertions: &[Assertion]) -> Asking {
        Asking {
            queue: Mutex::new(Queue {
                waiting: assertions.chunks(TOGETHER).map(Round::first).collect(),
                asked: 0,
                ended: None,
            }),
            changed: Condvar::new(),
        }
    }

    fn locked(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next round; none where all is done.
    fn next(&self) -> Option<Round> {
        let mut queue = self.locked();
        loop {
            if queue.ended.is_some() {
                return None;
            }
            if let Some(round) = queue.waiting.pop_front() {
                queue.asked += 1;
                return Some(round);
            }
            if queue.asked == 0 {
                return None;
            }
            // one that is asked may come again
            queue = self
                .changed
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Asks round by round, on one core.
    pub fn work(&self, deadline: Instant, ask: impl Fn(&Round) -> Result<Answers, FormalError>) {
        while let Some(round) = self.next() {
            let answers = ask(&round);
            let mut queue = self.locked();
            queue.asked -= 1;
            match answers {
                Ok(Answers::All) => {}
                Ok(Answers::Late(late)) if Instant::now() < deadline => {
                    queue.waiting.extend(round.again(late));
                }
                other => {
                    queue.ended.get_or_insert(other);
                }
            }
            self.changed.notify_all();
        }
    }

    /// What all cores found.
    pub fn ending(self) -> Result<Answers, FormalError> {
        let queue = self
            .queue
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        queue.ended.unwrap_or(Ok(Answers::All))
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_assertion::assertions;
    use super::*;
    use std::time::Duration;

    fn asking() -> Asking {
        let design: String = (0..=TOGETHER)
            .map(|number| format!("; yosys-smt2-assert {number} kept{number} checker.sv:4.5-4.9\n"))
            .collect();
        Asking::of(&assertions(&design))
    }

    #[test]
    fn what_is_late_is_asked_again_by_itself_for_twice_as_long() {
        let (asking, asked) = (asking(), Mutex::new(Vec::new()));
        let soon = Instant::now() + Duration::from_secs(60);
        asking.work(soon, |round| {
            let number = round.assertions.len();
            asked
                .lock()
                .expect("one core")
                .push((number, round.times, round.seconds()));
            Ok(match round.times {
                0 => Answers::Late(round.assertions[..1].to_vec()),
                _ => Answers::All,
            })
        });
        let first = (TOGETHER, 0, FIRST_SECONDS);
        let again = (1, 1, 2 * FIRST_SECONDS);
        assert_eq!(
            asked.into_inner().expect("one core"),
            [first, (1, 0, FIRST_SECONDS), again, again]
        );
        assert_eq!(asking.ending().expect("answers"), Answers::All);
    }

    #[test]
    fn one_other_answer_ends_the_work_and_time_does() {
        let open = || Answers::Open(vec!["kept".to_owned()]);
        let later = asking();
        later.work(Instant::now() + Duration::from_secs(60), |_| Ok(open()));
        assert_eq!(later.locked().waiting.len(), 1);
        assert_eq!(later.ending().expect("answers"), open());
        let over = asking();
        over.work(Instant::now(), |round| {
            Ok(Answers::Late(round.assertions.clone()))
        });
        assert!(matches!(over.ending().expect("answers"), Answers::Late(_)));
    }
}
