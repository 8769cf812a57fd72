//! Distinct probe positions.

use crate::prelude::*;
use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};

block! {
    /// Whether a draw meets a position that is taken: the position found a clock ago, or one of those before it.
    ///
    /// New inputs in every clock. No reset.
    pub struct DrawCheck {
        about: About = About::new(
            "draw_check",
            "A draw waits for its turn, and is compared with each position found before it. One clock.",
        ),
        pub clock: Signal<In, Clock>,
        pub draw: Bus<In> = Bus::new(bits).doc("draw"),
        pub taken: Wire<In> = Wire::default().doc("it has met a position already"),
        pub position: Bus<In> = Bus::new(bits).doc("position to compare with"),
        pub draw_out: Bus<Out> = Bus::new(bits).doc("the draw, a clock later"),
        pub taken_out: Wire<Out> = Wire::default().doc("it has met a position, this one included"),
        draw_r: Reg = Reg::new(bits),
        taken_r: Flag,
    }

    /// For positions of `bits` bits.
    pub fn new(bits: usize) {}
}

impl Logic for DrawCheck {
    #[hdl_gen]
    fn update(&mut self) {
        self.draw_r.d.next = self.draw.val();
        self.taken_r.d.next = self.taken.val() || (self.draw.val() == self.position.val());
        self.draw_out.next = self.draw_r.q.val();
        self.taken_out.next = self.taken_r.q.val();
    }
}

block! {
    /// The position of a draw whose turn has come: the draw, or, where that is taken, the position kept for it.
    ///
    /// New inputs in every clock. No reset.
    pub struct DrawSettle {
        about: About = About::new(
            "draw_settle",
            "The position of a draw: the draw, or where that is taken the position kept for it. One clock.",
        ),
        pub clock: Signal<In, Clock>,
        pub draw: Bus<In> = Bus::new(bits).doc("draw"),
        pub taken: Wire<In> = Wire::default().doc("it has met a position already"),
        pub position: Bus<In> = Bus::new(bits).doc("last position to compare with"),
        pub kept: Bus<In> = Bus::new(bits).doc("position that no draw before this one can be, constant"),
        pub settled: Bus<Out> = Bus::new(bits).doc("position, a clock later"),
        settled_r: Reg = Reg::new(bits),
    }

    /// For positions of `bits` bits.
    pub fn new(bits: usize) {}
}

impl Logic for DrawSettle {
    #[hdl_gen]
    fn update(&mut self) {
        self.settled_r.d.next = self.draw.val();
        if self.taken.val() || (self.draw.val() == self.position.val()) {
            self.settled_r.d.next = self.kept.val();
        }
        self.settled.next = self.settled_r.q.val();
    }
}

block! {
    /// k positions that differ from each other, every set of k equally likely (Floyd's algorithm: Bentley and Floyd, CACM 1987). k - 1 clocks.
    ///
    /// Draw `t_i` lies in 0 .. r - k + i; its position is `t_i`, unless an earlier one has that: then r - k + i, which no earlier one can have.
    ///
    /// ```text
    /// clock          0          1              2          ...
    /// draw 0     position 0
    /// draw 1     check 0 -> position 1
    /// draw 2     check 0    check 1 -> position 2
    /// draw 3     check 0    check 1     check 2 -> position 3
    /// ```
    ///
    /// Which check meets which position depends on k, so this block's kernel is a list of connections built at run time.
    /// New inputs in every clock. No reset.
    pub struct DistinctDraws {
        about: About = About::new(
            "hash_draws",
            format!("{k} positions of 0 to {} that differ from each other: a draw that is taken gives way to the position kept for it (Bentley and Floyd, CACM 1987).", range - 1),
        ),
        pub clock: Signal<In, Clock>,
        pub draw: Vec<Bus<In>> = (0..k).map(|i| Bus::new(bits).doc(format!("draw {i}, 0 to {}", kept(i)))).collect(),
        pub index: Vec<Bus<Out>> = (0..k).map(|i| Bus::new(bits).doc(format!("position of probe {i}, {} later", counted(k - 1, "clock")))).collect(),
        check: Vec<DrawCheck> = checks.iter().map(|_| DrawCheck::new(bits)).collect(),
        settle: Vec<DrawSettle> = settles.iter().map(|_| DrawSettle::new(bits)).collect(),
        found: Vec<Delay> = (0..k).map(|i| Delay::new(bits, k - 1 - i)).collect(),
        kept: Vec<Const> = (1..k).map(|i| Const::new(kept(i), bits)).collect(),
        never: Wire<Local>,
        _checks: Vec<Meeting> = checks,
        _settles: Vec<Meeting> = settles,
    }

    /// For `k` probes (at least 2) on `range` positions of `bits` bits.
    pub fn new(k: usize, range: u128, bits: usize) {
        let (mut checks, mut settles) = (Vec::new(), Vec::new());
        for probe in 1..k {
            let mut draw = Draw::Fresh(probe);
            for position in 0..probe - 1 {
                checks.push(Meeting { draw, position });
                draw = Draw::Checked(checks.len() - 1);
            }
            let position = probe - 1;
            settles.push(Meeting { draw, position });
        }
        let kept = |probe: usize| range - (k - probe) as u128;
    }
}

/// What a check or a settlement looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Meeting {
    /// The draw, and whether it is taken: an input, or a check's results.
    draw: Draw,
    /// The position, by its probe.
    position: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Draw {
    /// A draw that nothing has been compared with.
    Fresh(usize),
    /// What a check passes on.
    Checked(usize),
}

impl DistinctDraws {
    fn drawn(&self, draw: Draw) -> (UInt, bool) {
        match draw {
            Draw::Fresh(probe) => (self.draw[probe].val(), self.never.val()),
            Draw::Checked(check) => {
                let check = &self.check[check];
                (check.draw_out.val(), check.taken_out.val())
            }
        }
    }

    fn drawn_names(draw: Draw) -> (String, String) {
        match draw {
            Draw::Fresh(probe) => (format!("draw[{probe}]"), "never".into()),
            Draw::Checked(check) => (
                format!("check[{check}]$draw_out"),
                format!("check[{check}]$taken_out"),
            ),
        }
    }

    /// The position of a probe in the clock in which it is found.
    fn position(&self, probe: usize) -> UInt {
        match probe {
            0 => self.draw[0].val(),
            _ => self.settle[probe - 1].settled.val(),
        }
    }

    fn position_name(probe: usize) -> String {
        match probe {
            0 => "draw[0]".into(),
            _ => format!("settle[{}]$settled", probe - 1),
        }
    }
}

impl Logic for DistinctDraws {
    fn update(&mut self) {
        let clock = self.clock.val();
        self.never.next = false;
        for c in 0..self.check.len() {
            let Meeting { draw, position } = self._checks[c];
            let ((draw, taken), position) = (self.drawn(draw), self.position(position));
            let check = &mut self.check[c];
            check.clock.next = clock;
            check.draw.next = draw;
            check.taken.next = taken;
            check.position.next = position;
        }
        for s in 0..self.settle.len() {
            let Meeting { draw, position } = self._settles[s];
            let ((draw, taken), position) = (self.drawn(draw), self.position(position));
            let settle = &mut self.settle[s];
            settle.clock.next = clock;
            settle.draw.next = draw;
            settle.taken.next = taken;
            settle.position.next = position;
            settle.kept.next = self.kept[s].val();
        }
        for probe in 0..self.index.len() {
            let position = self.position(probe);
            self.found[probe].clock.next = clock;
            self.found[probe].d.next = position;
            self.index[probe].next = self.found[probe].q.val();
        }
    }
    fn connect(&mut self) {
        self.never.connect();
        self.index.iter_mut().for_each(|index| index.connect());
        for check in &mut self.check {
            check.clock.connect();
            check.draw.connect();
            check.taken.connect();
            check.position.connect();
        }
        for settle in &mut self.settle {
            settle.clock.connect();
            settle.draw.connect();
            settle.taken.connect();
            settle.position.connect();
            settle.kept.connect();
        }
        for found in &mut self.found {
            found.clock.connect();
            found.d.connect();
        }
    }
    fn hdl(&self) -> Verilog {
        let signal = VerilogExpression::Signal;
        let mut list = vec![VerilogStatement::Assignment(
            signal("never$next".into()),
            VerilogExpression::Literal(false.into()),
        )];
        let mut connect = |target: String, source: String| {
            list.push(VerilogStatement::Assignment(signal(target), signal(source)));
        };
        let meetings = [("check", &self._checks), ("settle", &self._settles)];
        for (block, meetings) in meetings {
            for (n, Meeting { draw, position }) in meetings.iter().enumerate() {
                let (draw, taken) = Self::drawn_names(*draw);
                connect(format!("{block}[{n}]$clock$next"), "clock".into());
                connect(format!("{block}[{n}]$draw$next"), draw);
                connect(format!("{block}[{n}]$taken$next"), taken);
                connect(
                    format!("{block}[{n}]$position$next"),
                    Self::position_name(*position),
                );
            }
        }
        for n in 0..self.settle.len() {
            connect(format!("settle[{n}]$kept$next"), format!("kept[{n}]"));
        }
        for i in 0..self.index.len() {
            connect(format!("found[{i}]$clock$next"), "clock".into());
            connect(format!("found[{i}]$d$next"), Self::position_name(i));
            connect(format!("index[{i}]$next"), format!("found[{i}]$q"));
        }
        Verilog::Combinatorial(list)
    }
}
