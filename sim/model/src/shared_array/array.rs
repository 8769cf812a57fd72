use crate::hash::Probes;
use crate::pipeline::epochs::Write;
use crate::pipeline::slot::{Content, Slot};
use crate::pipeline::slots::Slots;
use bloomline_spec::{Layout, RecyclingGeometry, WORD_BITS};

/// Stage in which a refresh writes its word.
const REFRESH_STAGE: u32 = 5;

/// The one array's port to memory: which word is written in a clock, and when a refresh may come.
#[derive(Debug, Clone)]
pub(crate) struct SharedArray {
    hashes: u32,
    interval: u64,
    /// Clocks from acceptance to stage 0, and to the first write.
    front: u32,
    to_write: u32,
    /// Clocks from acceptance to the stage in which positions are there: stage 0, or -2 with an error-correcting code.
    to_positions: u32,
    /// Clock in which an item or force stood in that stage last.
    entered: Option<u64>,
    /// Word that a refresh or a set writes in this clock, and whether it is a set.
    refreshing: Option<(u32, bool)>,
}

/// The word that is written in a clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArrayWrite {
    pub word: u32,
    pub by: Write,
    /// Of an item: which of its probes, and all of them.
    pub probe: Option<(u32, Probes)>,
    /// A set adds bits to it.
    pub sets: bool,
}

impl SharedArray {
    /// For the shared layout; the partitioned one has none.
    pub fn of(geometry: &RecyclingGeometry) -> Option<SharedArray> {
        let timing = geometry.timing();
        (geometry.layout() == Layout::Shared).then(|| SharedArray {
            hashes: geometry.hashes(),
            interval: timing.initiation_interval.into(),
            front: timing.front_clocks,
            to_write: timing.front_clocks + timing.write_stage,
            to_positions: timing.front_clocks - geometry.read_ahead_clocks(),
            entered: None,
            refreshing: None,
        })
    }

    /// Looks at what stands where in clock `now`, before a reset empties any of it.
    pub fn look(&mut self, now: u64, slots: &mut Slots<Slot>) {
        let entering = slots.entered(now, self.to_positions).content;
        if matches!(entering, Content::Item(_) | Content::Force(_)) {
            self.entered = Some(now);
        }
        let mut content = |stage: u32| slots.entered(now, self.front + stage).content;
        let writes_later =
            |content: Content| matches!(content, Content::Item(_) | Content::Set { .. });
        let reading = (1..REFRESH_STAGE).any(|stage| writes_later(content(stage)))
            || matches!(content(1), Content::Fetch);
        self.refreshing = match content(REFRESH_STAGE) {
            Content::Refresh { address } if !reading => Some((address, false)),
            Content::Set { word, .. } => Some((word, true)),
            _ => None,
        };
    }

    /// Whether a refresh that is made in clock `now` finds the array to itself.
    pub fn free(&self, now: u64) -> bool {
        self.entered
            .is_none_or(|entered| now - entered >= self.interval - 1)
    }

    /// The word that is written in clock `now`: by the item that is on its writes, else by a refresh, which writes as `current`
    /// says.
    pub fn written(&self, now: u64, slots: &mut Slots<Slot>, current: Write) -> Option<ArrayWrite> {
        let item = (0..self.hashes).find_map(|probe| {
            let slot = slots.entered(now, self.to_write + probe);
            let stores = slot.stores && matches!(slot.content, Content::Item(_));
            let position = slot.probes.positions().get(probe as usize).copied();
            position.filter(|_| stores).map(|position| ArrayWrite {
                word: position / WORD_BITS,
                by: slot.write,
                probe: Some((probe, slot.probes)),
                sets: false,
            })
        });
        let refreshed = |(word, sets)| ArrayWrite {
            word,
            by: current,
            probe: None,
            sets,
        };
        item.or_else(|| self.refreshing.map(refreshed))
    }

    /// The word that is read for what stands in a stage in clock `now`: in stage i + 1 of probe i of an item or in stage 1 of anything else, or so many stages from there;
    /// `fetched` is what a fetch reads.
    pub fn read(
        &self,
        now: u64,
        slots: &mut Slots<Slot>,
        fetched: u32,
        stages: i32,
    ) -> Option<u32> {
        let first = self.front.saturating_add_signed(1 + stages);
        let direct = match slots.entered(now, first).content {
            Content::Refresh { address } => Some(address),
            Content::Fetch => Some(fetched),
            Content::Set { word, .. } => Some(word),
            _ => None,
        };
        let item = |probe: u32| {
            let slot = slots.entered(now, first + probe);
            let positions =
                matches!(slot.content, Content::Item(_)).then(|| slot.probes.positions())?;
            positions
                .get(probe as usize)
                .map(|position| position / WORD_BITS)
        };
        direct.or_else(|| (0..self.hashes).find_map(item))
    }

    /// Whether a set stands in stage 4, where it takes the bits that it sets.
    pub fn takes_bits(&self, now: u64, slots: &mut Slots<Slot>) -> bool {
        let slot = slots.entered(now, self.front + REFRESH_STAGE - 1);
        matches!(slot.content, Content::Set { .. })
    }
}
