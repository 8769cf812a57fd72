//! Claims that every construct of the kernel language means the same in macro-written Rust, in the interpreter the fuzz test
//! rests on, and in the emitted Verilog.

use crate::language_support::harness::{emit, Batch};
use crate::language_support::interpret::{Interpreted, PortOf};
use crate::language_support::slots::{Loaded, Slot};
use bloomline_hdl::emit::{verilog, Options};
use bloomline_hdl::wires::prelude::*;
use bloomline_hdl::wires::sim::NativeSim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A block written with the macro that a test can drive beside its interpreted twin.
trait Kernel: Block + Sized + 'static {
    fn new() -> Self;
    fn clock(&mut self) -> &mut Signal<In, Clock>;
    fn drive(&mut self, a: UInt, b: UInt, yes: bool, key: Wide);
    fn outputs(&self) -> Vec<(&'static str, Loaded)>;
}

/// Operators, casts, slices and concatenations.
#[derive(LogicBlock)]
struct Operators {
    pub clock: Signal<In, Clock>,
    pub a: Bus<In>,
    pub b: Bus<In>,
    pub yes: Wire<In>,
    pub key: WideBus<In>,
    pub arithmetic: Vec<Bus<Out>>,
    pub flags: Vec<Wire<Out>>,
    pub joined: Bus<Out>,
    pub wide: Vec<WideBus<Out>>,
    low: Const,
    _w: usize,
}

impl Kernel for Operators {
    fn new() -> Self {
        Operators {
            clock: Default::default(),
            a: Bus::new(8),
            b: Bus::new(8),
            yes: Wire::default(),
            key: WideBus::new(200),
            arithmetic: (0..17).map(|_| Bus::new(8)).collect(),
            flags: (0..18).map(|_| Wire::default()).collect(),
            joined: Bus::new(20),
            wide: (0..4).map(|_| WideBus::new(200)).collect(),
            low: Const::new(3, 8),
            _w: 8,
        }
    }

    fn clock(&mut self) -> &mut Signal<In, Clock> {
        &mut self.clock
    }

    fn drive(&mut self, a: UInt, b: UInt, yes: bool, key: Wide) {
        (self.a.next, self.b.next, self.yes.next, self.key.next) = (a, b, yes, key);
    }

    fn outputs(&self) -> Vec<(&'static str, Loaded)> {
        let mut out: Vec<_> = self
            .arithmetic
            .iter()
            .map(|x| ("arithmetic", Loaded::Uint(x.val())))
            .collect();
        out.extend(self.flags.iter().map(|x| ("flags", Loaded::Bool(x.val()))));
        out.push(("joined", Loaded::Uint(self.joined.val())));
        out.extend(self.wide.iter().map(|x| ("wide", Loaded::Wide(x.val()))));
        out
    }
}

impl Logic for Operators {
    #[hdl_gen]
    fn update(&mut self) {
        self.arithmetic[0].next = self.a.val() + self.b.val();
        self.arithmetic[1].next = self.a.val() - self.b.val() - 1;
        self.arithmetic[2].next = self.a.val() * self.b.val() * 3;
        self.arithmetic[3].next = (self.a.val() & self.b.val()) | (self.a.val() ^ 0x5a);
        self.arithmetic[4].next = !self.a.val() + 200;
        self.arithmetic[5].next = -(self.a.val() + self.low.val());
        self.arithmetic[6].next = (self.a.val() << 3) + (self.b.val() >> self.low.val());
        self.arithmetic[7].next = self.a.val() << self.b.val();
        self.arithmetic[8].next = self.a.val() >> bits_to(self.b.val(), 3);
        self.arithmetic[9].next = bits_to((self.a.val() + self.b.val()) >> 3, self._w);
        self.arithmetic[10].next =
            bits_to(bits_to((self.a.val() + self.b.val()) >> 3, 4) + 9, self._w);
        self.arithmetic[11].next = bits_to(self.key.val() >> self.low.val(), self._w);
        self.arithmetic[12].next = bits_of(self.yes.val() && self.a.val().any(), self._w);
        self.arithmetic[13].next = self.a.val().replace_bit(2, self.yes.val());
        self.arithmetic[14].next = self.a.val().replace_bit(self.b.val(), self.yes.val());
        self.arithmetic[15].next = bits_to(
            ((bits_to(self.a.val(), 4) * bits_to(self.b.val(), 4) + 7) << 1) & 12,
            self._w,
        );
        self.arithmetic[16].next = bits_to(7, self._w);
        self.flags[0].next = (self.a.val() + 1) == self.b.val();
        self.flags[1].next = self.a.val() & self.b.val() == self.a.val();
        self.flags[2].next = self.a.val() < self.b.val();
        self.flags[3].next = self.a.val() <= 100;
        self.flags[4].next = self.a.val() > self.b.val() || self.yes.val();
        self.flags[5].next = self.a.val() >= self.low.val() && !self.yes.val();
        self.flags[6].next = self.a.val() != 3;
        self.flags[7].next = (self.a.val() | self.b.val()).all();
        self.flags[8].next = (self.a.val() + self.b.val()).any();
        self.flags[9].next = self.key.val().xor();
        self.flags[10].next = (self.a.val() + 3u64).get_bit(2);
        self.flags[11].next = self.a.val().get_bit(self.b.val());
        self.flags[12].next = self.a.val().get_bit(bits_to(self.b.val(), 3));
        self.flags[13].next = self.yes.val() ^ self.a.val().get_bit(9);
        self.flags[14].next = (self.key.val() ^ (self.key.val() >> 100)) == self.key.val();
        self.flags[15].next = self.yes.val() == self.a.val().xor();
        self.flags[16].next = true;
        self.flags[17].next = self.key.val().get_bit(self.a.val());
        self.joined.next = (bits_to(self.a.val(), 20) << 8) | bits_to(self.b.val(), 20);
        self.wide[0].next = self.key.val() & (self.key.val() << 1);
        self.wide[1].next = (bits_wide(self.a.val(), 200) << 150) | bits_wide(self.b.val(), 200);
        self.wide[2].next = !self.key.val() >> 7;
        self.wide[3].next = self.key.val().replace_bit(199, self.yes.val());
    }
}

/// Statements: defaults, branches, loops, bits, registers of every kind, slices, comments.
#[derive(LogicBlock)]
struct Statements {
    pub clock: Signal<In, Clock>,
    pub a: Bus<In>,
    pub b: Bus<In>,
    pub yes: Wire<In>,
    pub key: WideBus<In>,
    pub out: Vec<Bus<Out>>,
    pub late: Bus<Out>,
    pub seen: Wire<Out>,
    chain: Vec<Bus<Local>>,
    marks: Bus<Local>,
    best: Bus<Local>,
    part: Vec<Slice>,
    count: Reg,
    state: Reg,
    seen_before: Flag,
    cleared: ResetReg,
    kept: EnableReg,
    last: Const,
    _k: usize,
    _w: usize,
}

impl Kernel for Statements {
    fn new() -> Self {
        Statements {
            clock: Default::default(),
            a: Bus::new(8),
            b: Bus::new(8),
            yes: Wire::default(),
            key: WideBus::new(200),
            out: (0..4).map(|_| Bus::new(8)).collect(),
            late: Bus::new(8),
            seen: Wire::default(),
            chain: (0..4).map(|_| Bus::new(8)).collect(),
            marks: Bus::new(4),
            best: Bus::new(8),
            part: (0..4).map(|i| Slice::new(8, 2 * i, 2)).collect(),
            count: Reg::with_init(8, 250),
            state: Reg::new(2),
            seen_before: Flag::with_init(true),
            cleared: ResetReg::with_init(8, 17),
            kept: EnableReg::new(8),
            last: Const::number(3),
            _k: 4,
            _w: 8,
        }
    }

    fn clock(&mut self) -> &mut Signal<In, Clock> {
        &mut self.clock
    }

    fn drive(&mut self, a: UInt, b: UInt, yes: bool, key: Wide) {
        (self.a.next, self.b.next, self.yes.next, self.key.next) = (a, b, yes, key);
    }

    fn outputs(&self) -> Vec<(&'static str, Loaded)> {
        let mut out: Vec<_> = self
            .out
            .iter()
            .map(|x| ("out", Loaded::Uint(x.val())))
            .collect();
        out.push(("late", Loaded::Uint(self.late.val())));
        out.push(("seen", Loaded::Bool(self.seen.val())));
        out
    }
}

impl Logic for Statements {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, state);
        clock!(self, clock, seen_before, cleared, kept);
        comment!("A chain: each link reads the one before.");
        self.chain[0].next = self.a.val();
        for i in 1..self._k {
            self.chain[i].next = self.chain[i - 1].val() + self.b.val();
        }
        for i in 0..self._k {
            self.part[i].input.next = self.b.val();
            self.marks.next = self
                .marks
                .val()
                .replace_bit(i, self.chain[i].val() > self.a.val());
        }
        self.best.next = bits_to(0, self._w);
        for i in 0..4 {
            if self.chain[i].val() > self.best.val() {
                self.best.next = self.chain[i].val() ^ i;
            } else if self.part[i].output.val() == 2 {
                self.best.next = self.best.val() + i + 1;
            }
        }
        match self.yes.val() {
            true => self.out[0].next = self.best.val(),
            false => {
                self.out[0].next = self.chain[self.last.position()].val();
            }
        }
        self.out[1].next = self.count.q.val();
        self.out[2].next = self.cleared.q.val() + self.kept.q.val();
        self.out[3].next =
            bits_to(self.marks.val(), self._w) + bits_to(self.state.q.val(), self._w);
        if self.state.q.val() == 0 {
            self.state.d.next = bits_to(1, 2);
        } else if self.state.q.val() == 1 && self.yes.val() {
            self.state.d.next = bits_to(self.a.val(), 2);
            self.count.d.next = self.count.q.val() + 3;
        } else {
            self.count.d.next = self.best.val();
        }
        comment!("A hold that overrides.");
        if self.a.val() < 9 {
            self.count.d.next = self.count.q.val();
        }
        self.seen_before.d.next = self.yes.val() & self.marks.val().any();
        self.cleared.reset.next = self.seen_before.q.val() && self.yes.val();
        self.cleared.d.next = self.cleared.q.val() + 1;
        self.kept.enable.next = self.marks.val().get_bit(1);
        self.kept.d.next = self.b.val();
        self.late.next = self.kept.q.val();
        self.seen.next = self.seen_before.q.val();
    }
}

fn stimulus(rng: &mut ChaCha8Rng) -> (UInt, UInt, bool, Wide) {
    let small = rng.random_range(0..3) == 0;
    let mut number = || {
        UInt::new(
            if small {
                rng.random_range(0..10)
            } else {
                rng.random()
            },
            8,
        )
    };
    let (a, b) = (number(), number());
    (
        a,
        b,
        rng.random(),
        Wide::from_words(
            &[rng.random(), rng.random(), rng.random(), rng.random()],
            200,
        ),
    )
}

fn text(value: Loaded) -> String {
    format!("{value:?}")
}

/// Runs a macro-written kernel and its interpreted twin side by side.
fn agree_natively<K: Kernel>() {
    let twin = Interpreted::like(&K::new());
    let mut macro_sim = NativeSim::new(K::new(), K::clock).expect("settles");
    let mut twin_sim = NativeSim::new(twin, |b| &mut b.clock).expect("settles");
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for cycle in 0..2000 {
        let (a, b, yes, key) = stimulus(&mut rng);
        macro_sim.block_mut().drive(a, b, yes, key);
        let twin = twin_sim.block_mut();
        twin.slot("a").write(PortOf::Itself, Loaded::Uint(a));
        twin.slot("b").write(PortOf::Itself, Loaded::Uint(b));
        twin.slot("yes").write(PortOf::Itself, Loaded::Bool(yes));
        twin.slot("key").write(PortOf::Itself, Loaded::Wide(key));
        macro_sim.step().expect("runs");
        twin_sim.step().expect("runs");
        let is_output =
            |slot: &Slot| matches!(slot, Slot::Out(_) | Slot::OutFlag(_) | Slot::OutWide(_));
        let twin: Vec<_> = twin_sim
            .block()
            .slots
            .iter()
            .filter(|(_, slot)| is_output(slot))
            .collect();
        let outputs = macro_sim.block().outputs();
        assert_eq!(outputs.len(), twin.len());
        for ((name, value), (twin_name, slot)) in outputs.into_iter().zip(twin) {
            assert!(
                twin_name.starts_with(name),
                "{twin_name} stands where {name} should"
            );
            assert_eq!(
                text(value),
                text(slot.read(PortOf::Itself)),
                "cycle {cycle}, {twin_name}"
            );
        }
    }
}

#[test]
fn the_interpreter_computes_what_macro_written_kernels_compute() {
    agree_natively::<Operators>();
    agree_natively::<Statements>();
}

#[test]
fn a_twin_prints_as_its_macro_written_block() {
    fn check<K: Kernel>() {
        let mut block = K::new();
        block.connect_all();
        let mut twin = Interpreted::like(&block);
        twin.connect_all();
        let printed = verilog(&block, "k", &Options::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(printed.text(), emit(&twin, "k").text());
    }
    check::<Operators>();
    check::<Statements>();
}

#[test]
fn macro_written_kernels_compute_the_same_in_verilator() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let blocks = vec![
        (
            "operators".to_string(),
            Interpreted::like(&Operators::new()),
        ),
        (
            "statements".to_string(),
            Interpreted::like(&Statements::new()),
        ),
    ];
    if let Some(found) = Batch::new(blocks, &mut rng).disagreement(2000, &mut rng) {
        panic!("{found}");
    }
}
