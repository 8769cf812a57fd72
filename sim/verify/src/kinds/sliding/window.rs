//! The sliding window as a verification sees it, however its elements are stored.

use super::dictionary::{cuckoo_tables, dictionary};
use bloomline_hdl::CardFilter;
use bloomline_model::{
    ClockedModel, CuckooEvent, CuckooFilter, CuckooPipelineModel, Modelled, Place, SlidingEvent,
    SlidingFilter, SlidingPipelineModel,
};
use bloomline_spec::{CuckooGeometry, Key, Operation, SlidingGeometry, CUCKOO_PHASES};
use bloomline_theory::{Figure, TheoryError};

/// What a window promises, and in which steps its elements grow old.
#[derive(Debug, Clone, Copy)]
pub struct Promise {
    /// n.
    pub window: u64,
    /// m.
    pub slack: u64,
    /// c.
    pub generations: u64,
    /// g.
    pub generation_items: u64,
    /// eps.
    pub target_fpr: f64,
}

impl Promise {
    /// n', (c + 1) g.
    pub fn live_items(&self) -> u64 {
        (self.generations + 1) * self.generation_items
    }
}

/// How an item was decided. `level` says how many places were full before the one that its element took, if it took one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    /// Its operation.
    pub operation: Operation,
    /// The verdict's bit.
    pub seen: bool,
    /// The verdict's bit.
    pub lost: bool,
    /// 0, 1 or 2 for an element that took an empty cell.
    pub level: Option<u8>,
}

/// What became of an item in the pipeline.
pub enum Event {
    /// It was decided.
    Item(Decided),
    /// Every element is forgotten.
    Clear,
}

/// Share of the insertions that went further than so many places, as theory has it.
pub struct Predicted {
    /// Key in JSON.
    pub key: &'static str,
    /// In words: "Insertions to the ..".
    pub place: &'static str,
    /// The share.
    pub share: f64,
}

/// The functional filter of a window.
pub trait WindowFilter: Clone {
    /// Does what the page says of one item.
    fn item(&mut self, key: &Key, operation: Operation) -> Decided;

    /// Probability that an absent key is seen now, given the live cells.
    fn probability_seen(&self) -> f64;

    /// The most by which that is greater of a key that was stored, in a place of this level, and has expired: elements of its identity find its cell, as long as one of them is live.
    fn revived(&self, level: u8) -> f64;

    /// Elements by which the generations of this key are ahead of those of others.
    fn lead(&self, key: &Key) -> u64;

    /// Whether the pipeline may have decided so where this filter decided as `own` says.
    fn allows(own: &Decided, found: &Decided) -> bool;
}

/// A geometry of a sliding window.
pub trait Window: CardFilter + Modelled<Pipeline = Self::Model> + Clone {
    /// The cycle-accurate model.
    type Model: ClockedModel + Clone + Send + Sync + 'static;
    /// The functional model.
    type Filter: WindowFilter + Send + Sync;
    /// What takes clocks in which no item comes, beside clear and reset.
    const HELD_BY: &'static str;

    /// What it promises.
    fn promise(&self) -> Promise;
    /// An empty filter.
    fn empty(&self) -> Self::Filter;
    /// Starts to keep events.
    fn watch(model: &mut Self::Model);
    /// The events since the last call.
    fn events(model: &mut Self::Model, each: impl FnMut(Event));
    /// Items are taken.
    fn running(model: &Self::Model) -> bool;
    /// Whether the scan has kept its promise so far.
    fn in_time(model: &Self::Model) -> bool;
    /// Average false-positive rate of distinct elements.
    fn rate(&self) -> Result<Figure, TheoryError>;
    /// Shares of the insertions that go further than the first place; and the share that is lost.
    fn overflow(&self) -> Result<(Vec<Predicted>, f64), TheoryError>;
}

/// A filter on tables of buckets, with its live cells. Within a generation none goes stale, so only insertions change their number; where a generation begins they are counted anew.
#[derive(Clone)]
pub struct Buckets {
    filter: SlidingFilter,
    generation_items: u64,
    live_items: u64,
    front_buckets: f64,
    back_buckets: f64,
    fingerprints: f64,
    live: [u64; 3],
}

impl WindowFilter for Buckets {
    fn item(&mut self, key: &Key, operation: Operation) -> Decided {
        let outcome = self.filter.apply(key, operation);
        let level = outcome.inserted.map(level);
        if operation.inserts() {
            if self.filter.elements().is_multiple_of(self.generation_items) {
                self.live = [Place::Front, Place::Back, Place::Store]
                    .map(|place| self.filter.live_cells(place));
            } else if let Some(level) = level {
                self.live[usize::from(level)] += 1;
            }
        }
        Decided {
            operation,
            seen: outcome.verdict.seen,
            lost: outcome.verdict.lost,
            level,
        }
    }

    /// For two independent positions that fall anywhere: the live values of a bucket differ, and so do those of front table and store together.
    fn probability_seen(&self) -> f64 {
        let [front, back, store] = self.live.map(|cells| cells as f64);
        let front = (front + store) / self.front_buckets / self.fingerprints;
        let back = back / self.back_buckets / self.fingerprints;
        front + back - front * back
    }

    /// In the back table any element of its back identity, where one of an absent key would mostly have stood in the front table; else those that stand in the back table, and
    /// of its front identity would have found its cell.
    fn revived(&self, level: u8) -> f64 {
        if level == 1 {
            self.live_items as f64 / self.back_buckets / self.fingerprints
        } else {
            self.live[1] as f64 / self.front_buckets / self.fingerprints
        }
    }

    fn lead(&self, _: &Key) -> u64 {
        0
    }

    fn allows(own: &Decided, found: &Decided) -> bool {
        own == found
    }
}

fn level(place: Place) -> u8 {
    match place {
        Place::Front => 0,
        Place::Back => 1,
        Place::Store => 2,
    }
}

impl Window for SlidingGeometry {
    type Model = SlidingPipelineModel;
    type Filter = Buckets;
    const HELD_BY: &'static str = "the scan";

    fn promise(&self) -> Promise {
        Promise {
            window: self.window(),
            slack: self.slack(),
            generations: self.generations().into(),
            generation_items: self.generation_items(),
            target_fpr: self.target_fpr(),
        }
    }

    fn empty(&self) -> Buckets {
        Buckets {
            filter: SlidingFilter::new(self),
            generation_items: self.generation_items(),
            live_items: self.live_items(),
            front_buckets: self.front_buckets() as f64,
            back_buckets: self.back_buckets() as f64,
            fingerprints: f64::from(self.fingerprint_bits()).exp2(),
            live: [0; 3],
        }
    }

    fn watch(model: &mut SlidingPipelineModel) {
        model.keep_events();
    }

    fn events(model: &mut SlidingPipelineModel, mut each: impl FnMut(Event)) {
        for event in model.drain_events() {
            each(match event {
                SlidingEvent::Item(decision) => Event::Item(Decided {
                    operation: decision.operation,
                    seen: decision.outcome.verdict.seen,
                    lost: decision.outcome.verdict.lost,
                    level: decision.outcome.inserted.map(level),
                }),
                SlidingEvent::Clear => Event::Clear,
            });
        }
    }

    fn running(model: &SlidingPipelineModel) -> bool {
        model.running()
    }

    fn in_time(model: &SlidingPipelineModel) -> bool {
        model.check().is_ok()
    }

    fn rate(&self) -> Result<Figure, TheoryError> {
        dictionary(self).mean_false_positive_rate()
    }

    fn overflow(&self) -> Result<(Vec<Predicted>, f64), TheoryError> {
        let dictionary = dictionary(self);
        let predicted = dictionary.overflow(self.live_items())?;
        let shares = vec![
            Predicted {
                key: "to_back",
                place: "back table",
                share: dictionary.mean_to_back()?.value,
            },
            Predicted {
                key: "to_store",
                place: "store",
                share: predicted.to_store.value,
            },
        ];
        Ok((shares, predicted.lost.value))
    }
}

/// A filter on cuckoo tables.
#[derive(Clone)]
pub struct Cuckoo {
    filter: CuckooFilter,
    row_bits: u32,
    leads: [u64; CUCKOO_PHASES],
}

impl WindowFilter for Cuckoo {
    fn item(&mut self, key: &Key, operation: Operation) -> Decided {
        let outcome = self.filter.apply(key, operation);
        Decided {
            operation,
            seen: outcome.verdict.seen,
            lost: outcome.verdict.lost,
            level: outcome.inserted.then_some(0),
        }
    }

    fn probability_seen(&self) -> f64 {
        self.filter.probability_seen()
    }

    /// A key has one identity in all tables, so it is found wherever an element has it, stored before or not.
    fn revived(&self, _: u8) -> f64 {
        0.0
    }

    fn lead(&self, key: &Key) -> u64 {
        let probes = self.filter.hasher().probes(key);
        let identity = probes.positions().first().copied().unwrap_or(0);
        self.leads[(identity >> self.row_bits) as usize % CUCKOO_PHASES]
    }

    /// The functional filter knows no places, and loses nothing.
    fn allows(own: &Decided, found: &Decided) -> bool {
        let same = own.seen == found.seen && own.operation == found.operation;
        same && (found.lost || own.level.is_some() == found.level.is_some())
    }
}

impl Window for CuckooGeometry {
    type Model = CuckooPipelineModel;
    type Filter = Cuckoo;
    const HELD_BY: &'static str = "scan and stash";

    fn promise(&self) -> Promise {
        Promise {
            window: self.window(),
            slack: self.slack(),
            generations: self.generations().into(),
            generation_items: self.generation_items(),
            target_fpr: self.target_fpr(),
        }
    }

    fn empty(&self) -> Cuckoo {
        Cuckoo {
            filter: CuckooFilter::new(self),
            row_bits: self.row_bits(),
            leads: std::array::from_fn(|phase| self.phase_lead(phase)),
        }
    }

    fn watch(model: &mut CuckooPipelineModel) {
        model.keep_events();
    }

    fn events(model: &mut CuckooPipelineModel, mut each: impl FnMut(Event)) {
        for event in model.drain_events() {
            each(match event {
                CuckooEvent::Item(decision) => Event::Item(Decided {
                    operation: decision.operation,
                    seen: decision.outcome.verdict.seen,
                    lost: decision.outcome.verdict.lost,
                    level: decision.outcome.inserted.then_some(decision.stashed.into()),
                }),
                CuckooEvent::Clear => Event::Clear,
            });
        }
    }

    fn running(model: &CuckooPipelineModel) -> bool {
        model.running()
    }

    fn in_time(model: &CuckooPipelineModel) -> bool {
        model.check().is_ok()
    }

    fn rate(&self) -> Result<Figure, TheoryError> {
        cuckoo_tables(self).mean_false_positive_rate()
    }

    fn overflow(&self) -> Result<(Vec<Predicted>, f64), TheoryError> {
        let stashed = Predicted {
            key: "to_stash",
            place: "stash",
            share: cuckoo_tables(self).displacement()?.stashed.value,
        };
        Ok((vec![stashed], 0.0))
    }
}
