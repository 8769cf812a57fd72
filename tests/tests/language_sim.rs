//! Claims about blocks written with run-time widths and their native simulation.

use bloomline_language::wires::prelude::*;
use bloomline_language::wires::sim::{NativeSim, SimError};
use bloomline_language::wires::Fault;

block! {
    /// Counts set lanes and remembers the running total.
    struct Tally {
        pub clock: Signal<In, Clock>,
        pub lanes: Vec<Wire<In>> = (0..lanes).map(|_| Wire::default().doc("A lane.")).collect(),
        pub key: WideBus<In> = WideBus::new(300),
        pub total: Bus<Out> = Bus::new(width).doc("Lanes set so far."),
        pub late: Bus<Out> = Bus::new(width),
        about: About = About::new("tally", "Counts lanes."),
        sum: Reg = Reg::new(width),
        seen: Vec<Flag> = (0..lanes).map(|_| Flag::default()).collect(),
        part: Vec<Slice> = (0..lanes).map(|i| Slice::new(lanes, i, 1)).collect(),
        delay: Delay = Delay::new(width, 3),
        marks: Bus<Local> = Bus::new(lanes),
        fresh: Bus<Local> = Bus::new(width),
        low: Const = Const::number(200),
        _lanes: usize = lanes,
        _width: usize = width,
    }

    fn new(lanes: usize, width: usize) {}
}

impl Logic for Tally {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, sum, delay);
        comment!("Every lane counts once.");
        self.marks.next = bits_to(0, self._lanes);
        self.fresh.next = self.sum.q.val() + bits_to(self.key.val() >> self.low.val(), self._width);
        for i in 0..self._lanes {
            clock!(self, clock, seen[i]);
            self.seen[i].d.next = self.lanes[i].val();
            self.marks.set_bit(i, self.seen[i].q.val());
            self.part[i].input.next = self.marks.val();
            if self.lanes[i].val() && self.sum.q.val() != 200 {
                self.fresh.next = self.fresh.val() + 1;
            }
        }
        self.sum.d.next = self.fresh.val();
        self.delay.d.next = self.sum.q.val();
        self.late.next = self.delay.q.val();
        self.total.next = self.sum.q.val();
    }
}

#[test]
fn a_block_with_run_time_widths_counts_and_delays() -> Result<(), SimError> {
    let mut sim = NativeSim::new(Tally::new(3, 8), |b| &mut b.clock)?;
    for i in 0..3 {
        sim.block_mut().lanes[i].next = i != 1;
    }
    for cycle in 0..10u64 {
        assert_eq!(u128::from(2 * cycle), sim.block().total.val().get());
        assert_eq!(
            u128::from(2 * cycle.saturating_sub(3)),
            sim.block().late.val().get()
        );
        sim.step()?;
    }
    assert_eq!(10, sim.cycles());
    Ok(())
}

/// Adds two buses whose widths differ.
#[derive(LogicBlock)]
struct Mismatch {
    pub clock: Signal<In, Clock>,
    pub a: Bus<In>,
    pub b: Bus<In>,
    pub sum: Bus<Out>,
}

impl Logic for Mismatch {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + self.b.val();
    }
}

#[test]
fn operands_of_different_width_are_reported_not_computed_silently() {
    let block = Mismatch {
        clock: Default::default(),
        a: Bus::new(4),
        b: Bus::new(5),
        sum: Bus::new(4),
    };
    let error = NativeSim::new(block, |b| &mut b.clock)
        .map(|_| ())
        .expect_err("widths 4 and 5 must not add");
    assert!(
        matches!(
            error,
            SimError::Fault {
                fault: Fault::WidthMismatch {
                    operator: "+",
                    left: 4,
                    right: 5
                },
                ..
            }
        ),
        "{error}"
    );
}

/// Two inverters in a ring.
#[derive(LogicBlock, Default)]
struct Ring {
    pub clock: Signal<In, Clock>,
    inverter: Inverter,
}

#[derive(LogicBlock, Default)]
struct Inverter {
    pub a: Wire<In>,
    pub y: Wire<Out>,
}

impl Logic for Inverter {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = !self.a.val();
    }
}

impl Logic for Ring {
    #[hdl_gen]
    fn update(&mut self) {
        self.inverter.a.next = self.inverter.y.val();
    }
}

#[test]
fn a_combinational_loop_is_a_typed_error_that_names_the_signals() {
    let error = NativeSim::new(Ring::default(), |b| &mut b.clock)
        .map(|_| ())
        .expect_err("a ring never settles");
    let SimError::NotSettled { changing, .. } = error else {
        panic!("{error}")
    };
    assert!(
        changing.iter().any(|path| path == "top.inverter.a"),
        "{changing:?}"
    );
}
