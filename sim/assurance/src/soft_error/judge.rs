//! Classification of the effect of a bit flip on the verdict stream.

use super::{Run, Workload};
use bloomline_spec::{VERDICT_SEEN, VERDICT_TRIPPED};
use std::collections::HashMap;

/// Effect of a bit flip, from harmless to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// None: every verdict and, at the end, every register is correct.
    None,
    /// Every verdict is correct; a register or counter is wrong at the end.
    Registers,
    /// Some verdicts are wrong, none after the second recycle behind the flip.
    Passing,
    /// Recycles come at other items, for some cycles or for good; no key of the last two cycles is forgotten.
    Shifted,
    /// Verdicts are wrong after the second recycle, or keys are forgotten.
    Lasting,
    /// Verdicts are lost, doubled or out of order, but the filter goes on accepting items.
    Broken,
    /// The filter accepts no more items.
    Stopped,
}

impl Effect {
    /// Every effect, from harmless to worst.
    pub const ALL: [Effect; 7] = [
        Effect::None,
        Effect::Registers,
        Effect::Passing,
        Effect::Shifted,
        Effect::Lasting,
        Effect::Broken,
        Effect::Stopped,
    ];

    /// Heading of its column in a table.
    pub fn words(self) -> &'static str {
        match self {
            Effect::None => "nothing",
            Effect::Registers => "a register or counter",
            Effect::Passing => "verdicts, until the second recycle",
            Effect::Shifted => "when it recycles",
            Effect::Lasting => "verdicts, lasting",
            Effect::Broken => "stream broken",
            Effect::Stopped => "stream stopped",
        }
    }
}

impl Workload {
    /// What the flip in `run` did, against a run of the same workload without it.
    pub fn effect(&self, sound: &Run, run: &Run) -> Effect {
        if run.stopped {
            return Effect::Stopped;
        }
        let tags = |run: &Run| {
            run.verdicts
                .iter()
                .map(|verdict| verdict.0)
                .collect::<Vec<_>>()
        };
        if tags(sound) != tags(run) {
            return Effect::Broken;
        }
        let pairs = sound.verdicts.iter().zip(&run.verdicts);
        let wrong: Vec<usize> = pairs
            .enumerate()
            .filter(|(_, (sound, run))| sound.1 != run.1)
            .map(|(i, _)| i)
            .collect();
        let Some(&last) = wrong.last() else {
            return match sound.registers == run.registers {
                true => Effect::None,
                false => Effect::Registers,
            };
        };
        if last <= second_trip(sound, run.flipped_at) {
            return Effect::Passing;
        }
        let unknown = self.false_positives(run) <= 10 + 3 * self.false_positives(sound);
        if trips(sound) != trips(run) && unknown && self.remembers(run) {
            return Effect::Shifted;
        }
        Effect::Lasting
    }

    /// What is behind [`Workload::effect`]: which verdicts differ, where both runs recycled, and which items' keys were forgotten.
    pub fn account(&self, sound: &Run, run: &Run) -> String {
        let pairs = sound.verdicts.iter().zip(&run.verdicts).enumerate();
        let wrong: Vec<usize> = pairs
            .filter(|(_, (sound, run))| sound != run)
            .map(|(i, _)| i)
            .collect();
        let forgotten = self.by_memory(run).filter(|&(known, seen)| known && !seen);
        format!(
            "flipped at item {}; wrong {wrong:?}; recycled at {:?}, to be at {:?}; {} forgotten; {} seen that are unknown, to be {}",
            run.flipped_at,
            trips(run),
            trips(sound),
            forgotten.count(),
            self.false_positives(run),
            self.false_positives(sound),
        )
    }

    /// Whether every key of the last two cycles, as the run itself recycled, was seen, behind the second recycle after the flip.
    fn remembers(&self, run: &Run) -> bool {
        self.by_memory(run).all(|(known, seen)| seen || !known)
    }

    /// Keys that were seen though they were of neither cycle.
    fn false_positives(&self, run: &Run) -> usize {
        self.by_memory(run)
            .filter(|&(known, seen)| seen && !known)
            .count()
    }

    /// For each item behind the second recycle after the flip: whether its key was inserted since the recycle before the last, and
    /// whether it was seen.
    fn by_memory<'a>(&'a self, run: &'a Run) -> impl Iterator<Item = (bool, bool)> + 'a {
        let from = second_trip(run, run.flipped_at);
        let mut inserted: HashMap<u64, usize> = HashMap::new();
        let (mut opened, mut before) = (0, 0);
        let items = run.verdicts.iter().enumerate();
        items.filter_map(move |(i, &(_, flags))| {
            let known = inserted.get(&self.keys[i]).is_some_and(|&at| at >= before);
            if self.inserts[i] {
                inserted.insert(self.keys[i], i);
            }
            if flags >> VERDICT_TRIPPED & 1 == 1 {
                (before, opened) = (opened, i);
            }
            (i > from).then_some((known, flags >> VERDICT_SEEN & 1 == 1))
        })
    }
}

/// Items that tripped.
fn trips(run: &Run) -> Vec<usize> {
    let items = run.verdicts.iter().enumerate();
    items
        .filter(|(_, verdict)| verdict.1 >> VERDICT_TRIPPED & 1 == 1)
        .map(|(i, _)| i)
        .collect()
}

/// The item of the second recycle behind item `from`, or the last item.
fn second_trip(run: &Run, from: usize) -> usize {
    let behind = trips(run).into_iter().filter(|&i| i > from).nth(1);
    behind.unwrap_or(run.verdicts.len())
}
