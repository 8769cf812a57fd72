use crate::pipeline::epochs::Write;
use crate::pipeline::slot::{Content, Slot};
use crate::pipeline::slots::Slots;
use bloomline_spec::{Geometry, Layout, WORD_BITS};

/// Stage in which a refresh writes its word.
const REFRESH_STAGE: u32 = 5;

/// The one array's port to memory: which word is written in a clock, and when a refresh may come.
#[derive(Debug, Clone)]
pub(crate) struct FoldedArray {
    hashes: u32,
    interval: u64,
    /// Clocks from acceptance to stage 0, and to the first write.
    front: u32,
    to_write: u32,
    /// Clock in which an item or force stood in stage 0 last.
    entered: Option<u64>,
    /// Word that a refresh writes in this clock.
    refreshing: Option<u32>,
}

impl FoldedArray {
    /// For the shared layout; the partitioned one has none.
    pub fn of(geometry: &Geometry) -> Option<FoldedArray> {
        let timing = geometry.timing();
        (geometry.layout() == Layout::Shared).then(|| FoldedArray {
            hashes: geometry.hashes(),
            interval: timing.initiation_interval.into(),
            front: timing.front_clocks,
            to_write: timing.front_clocks + timing.write_stage,
            entered: None,
            refreshing: None,
        })
    }

    /// Looks at what stands where in clock `now`, before a reset empties any of it.
    pub fn look(&mut self, now: u64, slots: &mut Slots<Slot>) {
        let mut content = |stage: u32| slots.entered(now, self.front + stage).content;
        if matches!(content(0), Content::Item(_) | Content::Force(_)) {
            self.entered = Some(now);
        }
        let reading = (1..REFRESH_STAGE).any(|stage| matches!(content(stage), Content::Item(_)))
            || matches!(content(1), Content::Fetch);
        self.refreshing = match content(REFRESH_STAGE) {
            Content::Refresh { address } if !reading => Some(address),
            Content::Set { word, .. } => Some(word),
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
    pub fn written(
        &self,
        now: u64,
        slots: &mut Slots<Slot>,
        current: Write,
    ) -> Option<(u32, Write)> {
        let item = (0..self.hashes).find_map(|probe| {
            let slot = slots.entered(now, self.to_write + probe);
            let stores = slot.stores && matches!(slot.content, Content::Item(_));
            let position = slot.probes.positions().get(probe as usize).copied();
            position
                .filter(|_| stores)
                .map(|position| (position / WORD_BITS, slot.write))
        });
        item.or_else(|| self.refreshing.map(|address| (address, current)))
    }
}
