//! Claims that every construct of the kernel language means the same in macro-written Rust, in the interpreter the fuzz test
//! rests on, and in the emitted Verilog.

use crate::language_support::harness::{emit, Batch};
use crate::language_support::interpret::{Interpreted, PortOf};
use crate::language_support::slots::{Loaded, Slot};
use bloomline_language::bundle;
use bloomline_language::emit::{verilog, Options};
use bloomline_language::wires::prelude::*;
use bloomline_language::wires::sim::NativeSim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A block written with the macro that a test can drive beside its interpreted twin.
trait Kernel: Block + Sized + 'static {
    fn new() -> Self;
    fn clock(&mut self) -> &mut Signal<In, Clock>;
    fn drive(&mut self, a: UInt, b: UInt, yes: bool, key: Wide);
    fn outputs(&self) -> Vec<(&'static str, Loaded)>;
}

/// A constant of Rust in a kernel.
const FEW: usize = 2;

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
    odd: u128,
    sure: bool,
    w: usize,
}

impl Kernel for Operators {
    fn new() -> Self {
        Operators {
            clock: Default::default(),
            a: Bus::new(8),
            b: Bus::new(8),
            yes: Wire::default(),
            key: WideBus::new(200),
            arithmetic: (0..20).map(|_| Bus::new(8)).collect(),
            flags: (0..20).map(|_| Wire::default()).collect(),
            joined: Bus::new(20),
            wide: (0..4).map(|_| WideBus::new(200)).collect(),
            low: Const::new(3, 8),
            odd: 7,
            sure: true,
            w: 8,
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
        self.arithmetic[9].next = bits_to((self.a.val() + self.b.val()) >> 3, self.w);
        self.arithmetic[10].next =
            bits_to(bits_to((self.a.val() + self.b.val()) >> 3, 4) + 9, self.w);
        self.arithmetic[11].next = bits_to(self.key.val() >> self.low.val(), self.w);
        self.arithmetic[12].next = bits_of(self.yes.val() && self.a.val().any(), self.w);
        self.arithmetic[13].next = self.a.val().replace_bit(2, self.yes.val());
        self.arithmetic[14].next = self.a.val().replace_bit(self.b.val(), self.yes.val());
        self.arithmetic[15].next = bits_to(
            ((bits_to(self.a.val(), 4) * bits_to(self.b.val(), 4) + 7) << 1) & 12,
            self.w,
        );
        self.arithmetic[16].next = bits_to(7, self.w);
        self.arithmetic[17].next = self.a.val() + self.odd;
        self.arithmetic[18].next = bits_to(self.odd, self.w) << 2;
        self.arithmetic[19].next = self.a.val() >> FEW;
        self.flags[18].next = self.sure && self.a.val().get_bit(FEW);
        self.flags[19].next = self.b.val() < self.odd;
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
    last: usize,
    firsts: Vec<usize>,
    shown: bool,
    hidden: bool,
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
            last: 3,
            firsts: vec![1, 0],
            shown: true,
            hidden: false,
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
        clock!(self, clock, seen_before);
        comment!("A chain: each link reads the one before.");
        self.chain[0].next = self.a.val();
        for i in 1..self._k {
            self.chain[i].next = self.chain[i - 1].val() + self.b.val();
        }
        for i in 0..self._k {
            self.part[i].input.next = self.b.val();
            self.marks.set_bit(i, self.chain[i].val() > self.a.val());
        }
        self.best.next = bits_to(0, self._w);
        for i in 0..4 {
            if self.chain[i].val() > self.best.val() {
                self.best.next = self.chain[i].val() ^ i;
            } else if self.part[i].output.val() == 2 {
                self.best.next = self.best.val() + i + 1;
            }
        }
        for i in 0..2 {
            if i == 1 && self.shown {
                self.best.next = self.best.val() + self.chain[self.firsts[i]].val();
            } else if self.hidden {
                self.best.next = self.chain[self._k].val();
            }
        }
        match self.yes.val() {
            true => self.out[0].next = self.best.val(),
            false => {
                self.out[0].next = self.chain[self.last].val();
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
    if let Some(found) = Batch::new(blocks, &mut rng).disagreement(2000, true, &mut rng) {
        panic!("{found}");
    }
}

bundle! {
    /// A number with a handshake, for tests.
    Handshake {
        ahead valid: bool,
        back ready: bool,
        ahead data: UInt,
        back answer: UInt,
    }
}

impl<S: bloomline_language::wires::Side> Handshake<S> {
    fn new() -> Self {
        Self::of_widths(|member| match member {
            "data" | "answer" => Some(8),
            _ => Some(1),
        })
    }
}

block! {
    /// Adds one on the way, and tells what came last on the way back.
    struct Stage {
        pub clock: Signal<In, Clock>,
        pub s: Handshake<Slave> = Handshake::new(),
        pub m: Handshake<Master> = Handshake::new(),
        last: Reg = Reg::new(8),
    }

    fn new() {}
}

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        self.m.valid.next = self.s.valid.val();
        self.m.data.next = self.s.data.val() + 1;
        self.s.ready.next = self.m.ready.val();
        self.s.answer.next = self.last.q.val() ^ self.m.answer.val();
        self.last.d.next = self.last.q.val();
        if self.s.valid.val() && self.m.ready.val() {
            self.last.d.next = self.s.data.val();
        }
    }
}

/// Writes two stages in a row, whose kernel connects them.
macro_rules! row {
    ($name:ident) => {
        #[derive(LogicBlock)]
        struct $name {
            pub clock: Signal<In, Clock>,
            pub s: Handshake<Slave>,
            pub m: Handshake<Master>,
            first: Stage,
            second: Vec<Stage>,
        }

        impl $name {
            fn new() -> Self {
                $name {
                    clock: Default::default(),
                    s: Handshake::new().doc("data", "what goes in"),
                    m: Handshake::new().named("out"),
                    first: Stage::new(),
                    second: vec![Stage::new()],
                }
            }
        }
    };
}

row!(Bundled);

impl Logic for Bundled {
    #[hdl_gen]
    fn update(&mut self) {
        self.s.link(&mut self.first.s);
        self.first.m.join(&mut self.second[0].s);
        self.m.link(&mut self.second[0].m);
    }
}

row!(InParts);

impl Logic for InParts {
    #[hdl_gen]
    fn update(&mut self) {
        self.s.link_part(
            &mut self.first.s,
            Handshake::<Slave>::part(&["valid", "data"]),
        );
        self.s.link_part(
            &mut self.first.s,
            Handshake::<Slave>::part(&["ready", "answer"]),
        );
        self.first.m.join_part(
            &mut self.second[0].s,
            Handshake::<Master>::part(&["ready", "data"]),
        );
        self.first.m.join_part(
            &mut self.second[0].s,
            Handshake::<Master>::part(&["valid", "answer"]),
        );
        self.m.link(&mut self.second[0].m);
    }
}

row!(OneByOne);

impl Logic for OneByOne {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, first, second[0]);
        self.first.s.valid.next = self.s.valid.val();
        self.s.ready.next = self.first.s.ready.val();
        self.first.s.data.next = self.s.data.val();
        self.s.answer.next = self.first.s.answer.val();
        self.second[0].s.valid.next = self.first.m.valid.val();
        self.first.m.ready.next = self.second[0].s.ready.val();
        self.second[0].s.data.next = self.first.m.data.val();
        self.first.m.answer.next = self.second[0].s.answer.val();
        self.m.valid.next = self.second[0].m.valid.val();
        self.second[0].m.ready.next = self.m.ready.val();
        self.m.data.next = self.second[0].m.data.val();
        self.second[0].m.answer.next = self.m.answer.val();
    }
}

/// Prints a row of stages and runs it; what comes out, clock by clock.
macro_rules! printed_and_run {
    ($name:ident) => {{
        let mut block = $name::new();
        block.connect_all();
        let text = verilog(&block, "row", &Options::default())
            .unwrap_or_else(|e| panic!("{e}"))
            .text();
        let mut sim = NativeSim::new($name::new(), |b| &mut b.clock).expect("settles");
        let mut rng = ChaCha8Rng::seed_from_u64(13);
        let mut out = vec![];
        for _ in 0..500 {
            let block = sim.block_mut();
            block.s.valid.next = rng.random();
            block.s.data.next = UInt::new(rng.random_range(0..256), 8);
            block.m.ready.next = rng.random();
            block.m.answer.next = UInt::new(rng.random_range(0..256), 8);
            sim.step().expect("runs");
            let block = sim.block();
            out.push((
                block.m.valid.val(),
                block.m.data.val().get(),
                block.s.ready.val(),
                block.s.answer.val().get(),
            ));
        }
        (text, out)
    }};
}

#[test]
fn connected_bundles_print_and_run_as_their_members_connected_one_by_one() {
    let one_by_one = printed_and_run!(OneByOne);
    assert!(one_by_one.0.contains("s_valid") && one_by_one.0.contains("out_valid"));
    let distinct: std::collections::HashSet<_> = one_by_one.1.iter().collect();
    assert!(distinct.len() > 400, "the row does next to nothing");
    assert_eq!(printed_and_run!(Bundled), one_by_one);
    assert_eq!(printed_and_run!(InParts), one_by_one);
}

#[test]
fn members_that_one_side_lacks_are_left_out() {
    let few = Handshake::<Slave>::part(&["valid", "ready"]);
    let outer = Handshake::<Slave>::new();
    let inner = Handshake::<Slave>::new().only(few);
    let members: Vec<_> = outer
        .link_ties(&inner)
        .iter()
        .map(|tie| tie.member)
        .collect();
    assert_eq!(members, ["valid", "ready"]);
    let inner = Handshake::<Slave>::new().without(few);
    let members: Vec<_> = outer
        .link_ties(&inner)
        .iter()
        .map(|tie| tie.member)
        .collect();
    assert_eq!(members, ["data", "answer"]);
}
