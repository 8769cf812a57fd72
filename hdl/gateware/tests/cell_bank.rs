//! A bank of cells holds what a plain array holds, whatever slots follow one another.

use bloomline_hdl::cells::CellBank;
use bloomline_hdl::shape::{ones, CellShape};
use bloomline_language::wires::sim::NativeSim;
use bloomline_language::wires::UInt;
use bloomline_spec::{CellGeometry, Design, FilterSpec};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// Slots of a run.
const SLOTS: usize = 6_000;
/// Slots between two clears.
const CLEAR_EVERY: usize = 700;
/// Empty slots before and behind a clear.
const QUIET: usize = 12;

/// The filter with one bank of `words` words of cells of `bits` bits; `amount_bits` makes it a Count-Min sketch, one bit a static filter.
fn geometry(bits: u32, amount_bits: u32, words: u64) -> CellGeometry {
    let lanes = 1 << (32 / bits).ilog2();
    let memory_bits = words * lanes * u64::from(bits);
    let (kind, section) = match (bits, amount_bits) {
        (1, _) => ("static", String::new()),
        (_, 0) => (
            "counting",
            format!("[filter.counting]\ncounter_bits = {bits}\nthreshold = 1\n"),
        ),
        _ => (
            "count-min",
            format!("[filter.count-min]\ncounter_bits = {bits}\namount_bits = {amount_bits}\n"),
        ),
    };
    let text = format!(
        "name = \"bank\"\n[filter]\nkind = \"{kind}\"\nmemory_bits = {memory_bits}\nhashes = 1\nhashing = \"double\"\nitems = 1\n{section}[key]\nbits = 32\n"
    );
    let spec = FilterSpec::from_toml(&text, Path::new("bank.toml")).expect("well formed");
    match spec.design() {
        Ok(Design::Cells(geometry)) => geometry,
        other => panic!("{text}: {other:?}"),
    }
}

/// What enters stage 0.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Empty,
    Clear,
    Query,
    Insert(u128),
    Remove,
    Refresh,
    Store(u128),
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    kind: Kind,
    position: usize,
}

impl Slot {
    fn writes(&self) -> bool {
        !matches!(self.kind, Kind::Empty | Kind::Clear)
    }

    fn is_item(&self) -> bool {
        matches!(self.kind, Kind::Query | Kind::Insert(_) | Kind::Remove)
    }
}

/// What a slot leaves: its word, and of an item its cell, whether that was above 0, and whether it could not be taken from.
#[derive(Debug, Default, PartialEq)]
struct Left {
    word: u128,
    cell: u128,
    above: bool,
    underflow: bool,
}

/// The plain array.
struct Array {
    shape: CellShape,
    words: Vec<u128>,
    saturated: usize,
    underflows: usize,
    kept_at_most: usize,
}

impl Array {
    fn apply(&mut self, slot: &Slot) -> Left {
        let CellShape {
            cell_bits, lanes, ..
        } = self.shape;
        if slot.kind == Kind::Clear {
            self.words.fill(0);
        }
        let most = ones(cell_bits);
        let low = slot.position % lanes * cell_bits;
        let word = &mut self.words[slot.position / lanes];
        let before = *word >> low & most;
        let after = match slot.kind {
            Kind::Insert(amount) => (before + amount).min(most),
            Kind::Remove if before == most => most,
            Kind::Remove => before.saturating_sub(1),
            _ => before,
        };
        let removes = slot.kind == Kind::Remove;
        self.saturated += usize::from(matches!(slot.kind, Kind::Insert(a) if before + a > most));
        self.underflows += usize::from(removes && before == 0);
        self.kept_at_most += usize::from(removes && before == most);
        *word = *word & !(most << low) | after << low;
        if let Kind::Store(data) = slot.kind {
            *word = data;
        }
        Left {
            word: *word,
            cell: after,
            above: before > 0,
            underflow: removes && before == 0,
        }
    }
}

fn draw(rng: &mut ChaCha8Rng, shape: &CellShape, at: usize) -> Slot {
    let in_clear = at % CLEAR_EVERY;
    let near_clear = !(QUIET..=CLEAR_EVERY - QUIET).contains(&in_clear);
    // half of the slots go to two words, so that every distance between slots of one word is frequent
    let word = if rng.random() {
        rng.random_range(0..2)
    } else {
        rng.random_range(0..shape.words)
    };
    let lane = rng.random_range(0..shape.lanes);
    let amount = match (shape.amount_bits, rng.random_range(0..4)) {
        (0, _) => 1,
        (_, 0) => 0,
        (bits, 1) => ones(bits),
        (bits, _) => rng.random::<u128>() & ones(bits),
    };
    let data = match rng.random_range(0..3) {
        0 => 0,
        1 => ones(shape.used_bits),
        _ => rng.random::<u128>() & ones(shape.used_bits),
    };
    let kind = match rng.random_range(0..20) {
        _ if in_clear == 0 => Kind::Clear,
        _ if near_clear => Kind::Empty,
        0..2 => Kind::Empty,
        2..4 => Kind::Refresh,
        4 => Kind::Store(data),
        5..8 => Kind::Query,
        8..13 if shape.removes == 1 => Kind::Remove,
        _ => Kind::Insert(amount),
    };
    Slot {
        kind,
        position: word * shape.lanes + lane,
    }
}

/// Runs a bank against the array; how often a word was forwarded over each distance, saturations, underflows, removals at the greatest value.
fn run(geometry: &CellGeometry, seed: u64) -> ([usize; 4], Array) {
    let shape = CellShape::of(geometry);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let slots: Vec<Slot> = (0..SLOTS).map(|at| draw(&mut rng, &shape, at)).collect();
    let mut array = Array {
        shape,
        words: vec![0; shape.words],
        saturated: 0,
        underflows: 0,
        kept_at_most: 0,
    };
    let left: Vec<Left> = slots.iter().map(|slot| array.apply(slot)).collect();
    let word = |slot: &Slot| slot.position / shape.lanes;
    let distances = [1, 2, 3, 4].map(|d| {
        let pairs = slots.windows(d + 1);
        pairs
            .filter(|w| w[0].writes() && w[d].is_item() && word(&w[0]) == word(&w[d]))
            .count()
    });

    let mut sim =
        NativeSim::new(CellBank::new(&shape), |bank| &mut bank.clock).expect("a sound bank");
    let empty = Slot {
        kind: Kind::Empty,
        position: 0,
    };
    // epoch of clock t stands at place t + 2
    let mut epochs = vec![1_u128; 3];
    for clock in 0..SLOTS + 8 {
        // the slot whose position is given in clock t stands in stage s in clock t + 1 + s
        let at = |stage: usize| {
            let index = clock.checked_sub(stage + 1);
            index.and_then(|index| slots.get(index)).unwrap_or(&empty)
        };
        let entering = slots.get(clock).unwrap_or(&empty);
        let bank = sim.block_mut();
        let direct = matches!(entering.kind, Kind::Refresh | Kind::Store(_));
        bank.direct.next = direct;
        bank.direct_address.next = UInt::new(word(entering) as u128, shape.word_address_bits);
        let shown = if direct { 0 } else { entering.position };
        bank.index.next = UInt::new(shown as u128, shape.index_bits);
        let writing = (0..4).map(|i| u128::from(at(2 + i).writes()) << i).sum();
        bank.writing.next = UInt::new(writing, 4);
        bank.storing.next = matches!(at(2).kind, Kind::Store(_));
        let data = match at(2).kind {
            Kind::Store(data) => data,
            _ => ones(shape.used_bits),
        };
        bank.store_word.next = UInt::new(data, shape.used_bits);
        bank.epoch.next = UInt::new(epochs[clock + 2], 4);
        bank.inserting.next = matches!(at(3).kind, Kind::Insert(_));
        for removing in &mut bank.removing {
            removing.next = at(3).kind == Kind::Remove;
        }
        for amount in &mut bank.amount {
            let value = match at(3).kind {
                Kind::Insert(value) => value,
                _ => ones(shape.cell_bits),
            };
            amount.next = UInt::new(value, shape.cell_bits);
        }
        bank.write_epoch.next = UInt::new(epochs[clock], 4);
        bank.recycled.next = at(5).kind == Kind::Clear;
        let clears = usize::from(at(2).kind == Kind::Clear);
        epochs.push(epochs[clock + 2] + clears as u128);
        sim.settle().expect("no loop");

        if let Some(slot) = clock.checked_sub(7).filter(|&slot| slot < SLOTS) {
            let bank = sim.block();
            let got = Left {
                word: bank.word_6.val().get(),
                cell: bank.cell.first().map_or(0, |cell| cell.val().get()),
                above: bank.above.val(),
                underflow: bank.underflow.first().is_some_and(|flag| flag.val()),
            };
            let expected = &left[slot];
            let context = || format!("seed {seed}, slot {slot} {:?}", slots[slot]);
            if slots[slot].writes() {
                assert_eq!(got.word, expected.word, "{}", context());
            }
            if slots[slot].is_item() {
                assert_eq!(got.above, expected.above, "{}", context());
                assert_eq!(got.underflow, expected.underflow, "{}", context());
                if shape.counts == 1 {
                    assert_eq!(got.cell, expected.cell, "{}", context());
                    let full = bank.cell_full[0].val();
                    assert_eq!(
                        full,
                        expected.cell == ones(shape.cell_bits),
                        "{}",
                        context()
                    );
                }
            }
        }
        sim.step().expect("no loop");
    }
    (distances, array)
}

#[test]
fn a_bank_holds_what_an_array_holds_at_every_distance_and_width() {
    let counting = [2, 3, 4, 5, 8, 11, 16].map(|bits| (bits, 0));
    let sketches = [
        (8, 8),
        (8, 3),
        (10, 1),
        (16, 16),
        (17, 9),
        (32, 32),
        (32, 1),
    ];
    let kinds = [(1, 0)].into_iter().chain(counting).chain(sketches);
    // every fourth for `cargo test`
    let step = match std::env::var_os("BLOOMLINE_SOAK") {
        Some(_) => 1,
        None => 4,
    };
    for (seed, (bits, amount_bits)) in kinds.enumerate().step_by(step) {
        let geometry = geometry(bits, amount_bits, 8 << (seed % 3));
        let (distances, array) = run(&geometry, seed as u64);
        for (distance, &count) in (1..).zip(&distances) {
            assert!(count > 200, "{bits} bits: {count} pairs {distance} apart");
        }
        if bits > 1 && amount_bits != 1 {
            assert!(array.saturated > 20, "{bits} bits: {}", array.saturated);
        }
        if amount_bits == 0 && bits > 1 {
            assert!(array.underflows > 20, "{bits} bits: {}", array.underflows);
            assert!(
                array.kept_at_most > 20,
                "{bits} bits: {}",
                array.kept_at_most
            );
        }
    }
}

#[test]
fn a_bank_says_when_every_word_bears_the_epoch() {
    let shape = CellShape::of(&geometry(4, 0, 8));
    let mut sim =
        NativeSim::new(CellBank::new(&shape), |bank| &mut bank.clock).expect("a sound bank");
    let mut full = Vec::new();
    // each word twice, one slot a clock: only the first visit counts
    for clock in 0..32_usize {
        let bank = sim.block_mut();
        bank.direct.next = true;
        bank.direct_address.next = UInt::new(clock as u128 / 2 % 8, 3);
        let writing = (0..4)
            .filter(|i| (i + 3..i + 19).contains(&clock))
            .map(|i| 1 << i)
            .sum();
        bank.writing.next = UInt::new(writing, 4);
        bank.epoch.next = UInt::new(1, 4);
        bank.write_epoch.next = UInt::new(1, 4);
        sim.settle().expect("no loop");
        full.push(sim.block().full.val());
        sim.step().expect("no loop");
    }
    // the slot given in clock 14 is the first of the last word: in stage 5 in clock 20
    assert_eq!(full.iter().position(|&full| full), Some(21));
}
