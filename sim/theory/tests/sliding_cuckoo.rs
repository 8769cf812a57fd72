//! Cuckoo tables of a sliding-window filter against every sequence of few identities, and against a simulation of first fit with exchanges.

use bloomline_theory::sliding::CuckooTables;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// The example `recent`: 7 generations of 2,341 elements in 4 tables of 1,024 rows of 5 cells of 14 + 4 bits.
const RECENT: CuckooTables = CuckooTables {
    generations: 7,
    generation_items: 2341,
    rows: 1024,
    row_cells: 5,
    stash_cells: 32,
    fingerprint_bits: 14,
    generation_bits: 4,
};

fn generation(element: u64, fingerprint: u64, g: u64) -> u64 {
    (element + fingerprint % 8 * g / 8) / g
}

/// Rates of every sequence of elements are added up: mean over a generation, and the greatest of a moment.
#[test]
fn the_rate_is_that_of_all_sequences_of_few_identities() {
    let tables = CuckooTables {
        generations: 1,
        generation_items: 3,
        rows: 1,
        row_cells: 2,
        stash_cells: 0,
        fingerprint_bits: 4,
        generation_bits: 1,
    };
    let (c, g, identities) = (1, 3, tables.fingerprints());
    assert_eq!(identities, 24);
    // more than c g + g - 1 elements back nothing is live
    let length = 5u32;
    let chances = [0.5, 0.3, 0.1, 0.01];
    let bounds = chances.map(|chance| tables.peak_rate_exceeded_by(chance).expect("legal").value);
    let greatest = tables.greatest_false_positive_rate().expect("legal").value;
    let rates: Vec<f64> = (0..g)
        .map(|x| {
            let now = 4 * g + x;
            let mut live = 0u64;
            let mut above = [0u64; 4];
            for sequence in 0..identities.pow(length) {
                let mut found = 0u32;
                let mut rest = sequence;
                for back in 1..=u64::from(length) {
                    let r = rest % identities;
                    rest /= identities;
                    let age = generation(now, r, g) - generation(now - back, r, g);
                    found |= u32::from(age <= c) << r;
                }
                live += u64::from(found.count_ones());
                let rate = f64::from(found.count_ones()) / identities as f64;
                assert!(rate <= greatest + 1e-12);
                for (above, bound) in above.iter_mut().zip(bounds) {
                    *above += u64::from(rate > bound + 1e-12);
                }
            }
            let sequences = identities.pow(length) as f64;
            for (above, chance) in above.into_iter().zip(chances) {
                assert!(above as f64 / sequences <= chance, "{x} {chance}: {above}");
            }
            live as f64 / identities.pow(length) as f64 / identities as f64
        })
        .collect();
    let mean = rates.iter().sum::<f64>() / g as f64;
    let peak = rates.iter().copied().fold(0.0, f64::max);
    let predicted = tables.mean_false_positive_rate().expect("legal");
    assert!((predicted.value / mean - 1.0).abs() < 1e-12, "{mean}");
    let predicted = tables.peak_false_positive_rate().expect("legal");
    assert!((predicted.value / peak - 1.0).abs() < 1e-12, "{peak}");
}

/// The elements of the example at the moment at which most are live, drawn 2,000 times.
#[test]
fn few_filters_exceed_the_rate_that_is_said_to_be_unlikely() {
    const FILTERS: usize = 2_000;
    let tables = RECENT;
    let g = tables.generation_items;
    let identities = tables.rows * tables.fingerprints();
    let peak = tables.peak_false_positive_rate().expect("legal").value;
    let mut random = ChaCha8Rng::seed_from_u64(77);
    // the last element of a generation: the moment before one of the phases changes
    let now = 20 * g + g - 1;
    let mut rates: Vec<f64> = (0..FILTERS)
        .map(|_| {
            let mut live: Vec<u64> = (1..(tables.generations + 1) * g)
                .filter_map(|back| {
                    let identity = random.random_range(0..identities);
                    let age = generation(now, identity, g) - generation(now - back, identity, g);
                    (age <= tables.generations).then_some(identity)
                })
                .collect();
            live.sort_unstable();
            live.dedup();
            live.len() as f64 / identities as f64
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let mean = rates.iter().sum::<f64>() / FILTERS as f64;
    assert!((mean / peak - 1.0).abs() < 1e-3, "{mean} {peak}");
    for chance in [0.1, 0.01] {
        let bound = tables.peak_rate_exceeded_by(chance).expect("legal").value;
        let above = rates.iter().filter(|rate| **rate > bound).count() as f64;
        let expected = FILTERS as f64 * chance;
        assert!(above <= expected + 3.1 * expected.sqrt(), "{above}");
        let quantile = rates[(FILTERS as f64 * (1.0 - chance)) as usize];
        assert!(bound < 1.004 * quantile, "{bound} {quantile}");
    }
    let greatest = tables.greatest_false_positive_rate().expect("legal").value;
    assert!(rates.iter().all(|rate| *rate < greatest) && greatest < 1.1 * peak);
    assert!([0.0, 1.0, f64::NAN]
        .into_iter()
        .all(|chance| tables.peak_rate_exceeded_by(chance).is_err()));
}

#[test]
fn the_mean_is_the_sum_over_a_generation() {
    for tables in [
        RECENT,
        CuckooTables {
            generations: 1,
            generation_items: 64,
            rows: 16,
            row_cells: 3,
            fingerprint_bits: 8,
            generation_bits: 3,
            ..RECENT
        },
        CuckooTables {
            generations: 64,
            generation_items: 16_384,
            rows: 1 << 18,
            fingerprint_bits: 13,
            generation_bits: 8,
            ..RECENT
        },
    ] {
        let identities = (tables.rows * tables.fingerprints()) as f64;
        let g = tables.generation_items;
        let seen = |n: u64| -(n as f64 * (-identities.recip()).ln_1p()).exp_m1();
        let mean = (0..g)
            .map(|j| seen(tables.generations * g + j))
            .sum::<f64>()
            / g as f64;
        let predicted = tables.mean_false_positive_rate().expect("legal").value;
        assert!((predicted / mean - 1.0).abs() < 1e-12, "{predicted} {mean}");
        let first_order = (tables.generations as f64 + 0.5) * g as f64 / identities;
        assert!(
            predicted < first_order && predicted > first_order * (1.0 - first_order),
            "{tables:?}"
        );
        let peak = tables.peak_false_positive_rate().expect("legal").value;
        let first_order = (tables.generations as f64 + 9.0 / 16.0) * g as f64 / identities;
        assert!(
            peak > predicted
                && peak < first_order
                && peak > first_order * (1.0 - first_order) * 0.999,
            "{tables:?}"
        );
    }
}

#[test]
fn live_elements_are_counted_by_phase() {
    let multiple = CuckooTables {
        generation_items: 2048,
        ..RECENT
    };
    assert_eq!(multiple.mean_live(), 7.0 * 2048.0 + 1023.5);
    assert_eq!(multiple.peak_live(), 7.0 * 2048.0 + 9.0 * 128.0 - 1.0);
    let peak = 7.0 * 2341.0 + 9.0 * 2341.0 / 16.0;
    assert!(
        (peak - 2.0..peak).contains(&RECENT.peak_live()),
        "{}",
        RECENT.peak_live()
    );
    assert!((RECENT.load() - 0.857).abs() < 5e-4);
}

/// A cell, or an entry of the stash: identity and generation.
#[derive(Clone, Copy)]
struct Cell {
    row: u64,
    fingerprint: u64,
    generation: u64,
}

#[derive(Default, Debug)]
struct Counts {
    elements: f64,
    seen: f64,
    inserted: f64,
    stashed: f64,
    moves: f64,
}

/// Distinct keys through the tables, each chain of exchanges to its end before the next key.
struct Simulation {
    sizes: CuckooTables,
    cells: Vec<Option<Cell>>,
    victims: [usize; 4],
    now: u64,
    random: ChaCha8Rng,
}

impl Simulation {
    /// Cells of the row of an identity in a table; the rows of a fingerprint are drawn by a hash function.
    fn row(&self, table: usize, row: u64, fingerprint: u64) -> std::ops::Range<usize> {
        let draw = (fingerprint * 4 + table as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let draw = (draw ^ (draw >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let turn = if table == 0 { 0 } else { draw >> 32 };
        let place = table as u64 * self.sizes.rows + (row ^ (turn % self.sizes.rows));
        let cells = self.sizes.row_cells as usize;
        place as usize * cells..(place as usize + 1) * cells
    }

    fn generation(&self, fingerprint: u64) -> u64 {
        generation(self.now, fingerprint, self.sizes.generation_items)
    }

    fn free(&self, row: std::ops::Range<usize>) -> Option<usize> {
        row.clone().find(|&place| {
            self.cells[place].is_none_or(|cell| {
                self.generation(cell.fingerprint) - cell.generation > self.sizes.generations
            })
        })
    }

    fn element(&mut self, counts: &mut Counts) {
        self.store(counts);
        self.now += 1;
    }

    fn store(&mut self, counts: &mut Counts) {
        let row = self.random.random_range(0..self.sizes.rows);
        let fingerprint = self.random.random_range(0..self.sizes.fingerprints());
        let generation = self.generation(fingerprint);
        counts.elements += 1.0;
        let first = (fingerprint / 8 % 4) as usize;
        let rows = [0, 1, 2, 3].map(|by| self.row((first + by) % 4, row, fingerprint));
        let stored = rows.iter().cloned().flatten().find(|&place| {
            self.cells[place].is_some_and(|cell| {
                (cell.row, cell.fingerprint) == (row, fingerprint)
                    && generation - cell.generation <= self.sizes.generations
            })
        });
        let own = Cell {
            row,
            fingerprint,
            generation,
        };
        if let Some(place) = stored {
            counts.seen += 1.0;
            self.cells[place] = Some(own);
            return;
        }
        counts.inserted += 1.0;
        match rows.iter().find_map(|row| self.free(row.clone())) {
            Some(place) => self.cells[place] = Some(own),
            None => {
                counts.stashed += 1.0;
                self.exchange(own, first, counts);
            }
        }
    }

    fn exchange(&mut self, mut cell: Cell, mut table: usize, counts: &mut Counts) {
        loop {
            counts.moves += 1.0;
            let row = self.row(table, cell.row, cell.fingerprint);
            if let Some(place) = self.free(row.clone()) {
                self.cells[place] = Some(cell);
                return;
            }
            let place = row.start + self.victims[table] % row.len();
            self.victims[table] += 1;
            cell = self.cells[place].replace(cell).expect("a full row");
            table = (table + self.random.random_range(1..4)) % 4;
        }
    }

    fn run(sizes: CuckooTables, elements: u64, seed: u64) -> Counts {
        let cells = 4 * sizes.rows as usize * sizes.row_cells as usize;
        let mut simulation = Simulation {
            sizes,
            cells: vec![None; cells],
            victims: [0; 4],
            now: 0,
            random: ChaCha8Rng::seed_from_u64(seed),
        };
        let mut counts = Counts::default();
        for _ in 0..3 * (sizes.generations + 1) * sizes.generation_items {
            simulation.element(&mut counts);
        }
        let mut counts = Counts::default();
        // whole generations, over which the rate is a mean
        for _ in 0..elements.next_multiple_of(sizes.generation_items) {
            simulation.element(&mut counts);
        }
        counts
    }
}

/// Tables of 2,048 rows filled to a load, in thousandths.
fn filled(row_cells: u32, load: u64, generations: u64) -> CuckooTables {
    let live = load * 4 * 2048 * u64::from(row_cells) / 1000;
    CuckooTables {
        generations,
        generation_items: 2 * live / (2 * generations + 1),
        rows: 2048,
        row_cells,
        ..RECENT
    }
}

#[test]
fn stashed_and_moves_are_as_simulated_within_their_stated_errors() {
    let cases = [
        RECENT,
        filled(3, 790, 7),
        filled(5, 700, 7),
        filled(5, 865, 2),
        filled(8, 910, 1),
        filled(8, 910, 24),
        CuckooTables {
            generation_items: 147,
            rows: 64,
            ..RECENT
        },
        CuckooTables {
            generation_items: 73,
            rows: 32,
            ..RECENT
        },
    ];
    for (seed, sizes) in (1..).zip(cases) {
        let counts = Simulation::run(sizes, 400_000, seed);
        let predicted = sizes.displacement().expect("legal");
        for (what, count, predicted) in [
            ("stashed", counts.stashed, &predicted.stashed),
            ("moves", counts.moves, &predicted.moves),
        ] {
            let ratio = count / counts.inserted / predicted.value;
            println!(
                "{sizes:?} {what}: {ratio} times the prediction {}",
                predicted.value
            );
            // the simulation's own deviation, chains counted as one event each
            let noise = 3.0 * 3.0 / counts.stashed.sqrt();
            assert!(
                (ratio - 1.0).abs() < predicted.accuracy.relative_error + noise,
                "seed {seed}, {sizes:?}, {what}: {ratio} times {}",
                predicted.value
            );
        }
    }
}

/// Measured clock by clock, with 2,000,000 distinct keys: 0.0764 of the insertions stashed, 0.2438 moves tried.
#[test]
fn the_pipeline_model_of_the_example_measures_what_is_predicted() {
    let predicted = RECENT.displacement().expect("legal");
    for (measured, predicted) in [(0.0764, &predicted.stashed), (0.2438, &predicted.moves)] {
        let ratio = measured / predicted.value;
        assert!(
            (ratio - 1.0).abs() < predicted.accuracy.relative_error,
            "{measured}: {ratio}"
        );
    }
}

/// Measured clock by clock in the model of the pipeline, with 400,000 to 2,000,000 distinct keys in a saturated stream.
#[test]
fn streams_are_held_as_often_as_measured_but_for_a_factor() {
    let cases = [
        (RECENT, 5, 0.080),
        (RECENT, 9, 0.010),
        (RECENT, 13, 0.0014),
        (RECENT, 17, 0.000_37),
        (
            CuckooTables {
                generations: 1,
                generation_items: 4960,
                rows: 256,
                row_cells: 8,
                ..RECENT
            },
            13,
            0.138,
        ),
        (
            CuckooTables {
                generations: 1,
                generation_items: 19_000,
                row_cells: 8,
                ..RECENT
            },
            13,
            0.000_66,
        ),
        (
            CuckooTables {
                generations: 8,
                generation_items: 3500,
                row_cells: 8,
                ..RECENT
            },
            13,
            0.0021,
        ),
        (
            CuckooTables {
                generations: 8,
                generation_items: 3500,
                row_cells: 8,
                ..RECENT
            },
            9,
            0.0098,
        ),
        (
            CuckooTables {
                generation_items: 586,
                rows: 256,
                ..RECENT
            },
            13,
            0.000_29,
        ),
    ];
    for (tables, limit, measured) in cases {
        let predicted = tables.held(limit).expect("legal");
        let ratio = predicted.value / measured;
        println!("{tables:?}, {limit}: {ratio} times the measured {measured}");
        assert!((0.1..10.0).contains(&ratio), "{tables:?}, {limit}: {ratio}");
        let error = (measured / predicted.value - 1.0).abs();
        assert!(error < predicted.accuracy.relative_error, "{error}");
    }
    // agents that have nothing to do hold nothing, and more entries hold less
    let idle = CuckooTables {
        row_cells: 64,
        ..RECENT
    };
    assert!(idle.held(0).expect("legal").value < 1e-9);
    let held: Vec<f64> = (0..40)
        .map(|limit| RECENT.held(limit).expect("legal").value)
        .collect();
    assert!(
        held.windows(2).all(|pair| pair[1] < pair[0]) && held[0] < 1.0,
        "{held:?}"
    );
}

#[test]
fn the_rate_of_distinct_keys_is_as_simulated() {
    // short fingerprints, so that seen keys are frequent
    let sizes = CuckooTables {
        fingerprint_bits: 8,
        rows: 256,
        generation_items: 585,
        ..RECENT
    };
    let counts = Simulation::run(sizes, 1_000_000, 9);
    let predicted = sizes.mean_false_positive_rate().expect("legal").value;
    let deviation = (predicted * (1.0 - predicted) / counts.elements).sqrt();
    let measured = counts.seen / counts.elements;
    assert!(
        (measured - predicted).abs() < 4.0 * deviation,
        "seed 9: {measured}, predicted {predicted}, deviation {deviation}"
    );
}

#[test]
fn the_fixed_point_is_found_at_once() {
    let begun = Instant::now();
    let many = 100;
    for _ in 0..many {
        std::hint::black_box(RECENT).displacement().expect("legal");
    }
    assert!(begun.elapsed() / many < Duration::from_millis(20));
}

#[test]
fn bits_are_those_of_cells_and_entries() {
    assert_eq!(RECENT.bits(), 4 * 1024 * 5 * 18 + 32 * (10 + 15 + 4 + 2));
}

#[test]
fn sizes_out_of_the_domain_are_refused_by_name() {
    let cases = [
        ("rows", CuckooTables { rows: 0, ..RECENT }),
        (
            "rows",
            CuckooTables {
                rows: 512,
                ..RECENT
            },
        ),
        (
            "rows",
            CuckooTables {
                rows: u64::MAX,
                ..RECENT
            },
        ),
        (
            "generations",
            CuckooTables {
                generations: u64::MAX,
                ..RECENT
            },
        ),
        (
            "generation_items",
            CuckooTables {
                generation_items: u64::MAX,
                ..RECENT
            },
        ),
        (
            "row_cells",
            CuckooTables {
                row_cells: u32::MAX,
                ..RECENT
            },
        ),
        (
            "fingerprint_bits",
            CuckooTables {
                fingerprint_bits: 60,
                ..RECENT
            },
        ),
        (
            "fingerprint_bits",
            CuckooTables {
                fingerprint_bits: 6,
                ..RECENT
            },
        ),
        (
            "fingerprint_bits",
            CuckooTables {
                fingerprint_bits: 4,
                generation_bits: 1,
                rows: 1,
                generation_items: 5,
                ..RECENT
            },
        ),
        (
            "generation_bits",
            CuckooTables {
                generation_bits: 0,
                ..RECENT
            },
        ),
    ];
    for (name, tables) in cases {
        let errors = [
            tables.displacement().map(|_| ()),
            tables.mean_false_positive_rate().map(|_| ()),
            tables.peak_false_positive_rate().map(|_| ()),
        ];
        for result in errors {
            let error = result.expect_err(name).to_string();
            assert!(error.contains(&format!(": {name} = ")), "{name}: {error}");
        }
    }
    let largest = CuckooTables {
        fingerprint_bits: u32::MAX,
        generation_bits: u32::MAX,
        rows: u64::MAX,
        stash_cells: u32::MAX,
        row_cells: u32::MAX,
        ..RECENT
    };
    assert!(largest.bits() > 0 && largest.fingerprints() > 0 && largest.checked().is_err());
}
