//! Minimum of the k cells of an item.

use crate::prelude::*;
use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};

block! {
    /// The smaller of two numbers, and whether either has a cell at its greatest value behind it. One clock.
    ///
    /// New inputs in every clock. No reset.
    pub struct LeastOfTwo {
        about: About = About::new(
            "least_of_two",
            "The smaller of two numbers, a clock later, and whether either comes from a cell at its greatest value.",
        ),
        pub clock: Signal<In, Clock>,
        pub left: Bus<In> = Bus::new(bits).doc("one"),
        pub left_full: Wire<In> = Wire::default().doc("it comes from a cell at its greatest value"),
        pub right: Bus<In> = Bus::new(bits).doc("the other"),
        pub right_full: Wire<In> = Wire::default().doc("likewise"),
        pub least: Bus<Out> = Bus::new(bits).doc("the smaller"),
        pub full: Wire<Out> = Wire::default().doc("either"),
        least_r: Reg = Reg::new(bits),
        full_r: Flag,
    }

    /// Of numbers of `bits` bits.
    pub fn new(bits: usize) {}
}

impl Logic for LeastOfTwo {
    #[hdl_gen]
    fn update(&mut self) {
        self.least_r.d.next = self.left.val();
        if self.right.val() < self.left.val() {
            self.least_r.d.next = self.right.val();
        }
        self.full_r.d.next = self.left_full.val() || self.right_full.val();
        self.least.next = self.least_r.q.val();
        self.full.next = self.full_r.q.val();
    }
}

block! {
    /// The least of k cells, and whether any is at its greatest value: a tree, one rank of registers a level.
    ///
    /// ```text
    /// stage 6       6 + 1              ...   D = 6 + ceil(log2 k)
    /// k cells | least of pairs |  ...  | least
    /// ```
    ///
    /// With an odd number on a level the last one is paired with itself, which delays it. With one cell the tree is a wire.
    /// Which nodes are pairs depends on k, so this block's kernel is a list of connections built at run time, as in [`crate::hash::HashUnit`].
    /// New inputs in every clock. No reset.
    pub struct LeastTree {
        about: About = About::new(
            "least_tree",
            format!("The least of {}, a rank of registers a level, and whether any is at its greatest value.", counted(cells, "cell")),
        ),
        pub clock: Signal<In, Clock>,
        pub cell: Vec<Bus<In>> = (0..cells).map(|i| Bus::new(bits).doc(format!("stage 6: the item's cell in bank {i}"))).collect(),
        pub cell_full: Vec<Wire<In>> = (0..cells).map(|_| Wire::default().doc("stage 6: it is at its greatest value")).collect(),
        pub least: Bus<Out> = Bus::new(bits).doc("stage D: the least of them"),
        pub full: Wire<Out> = Wire::default().doc("stage D: one of them is at its greatest value"),
        node: Vec<LeastOfTwo> = pairs.iter().map(|_| LeastOfTwo::new(bits)).collect(),
        _pairs: Vec<(Source, Source)> = pairs,
        _root: Source = level[0],
    }

    /// Of `cells` cells (at least 1) of `bits` bits.
    pub fn new(cells: usize, bits: usize) {
        let mut pairs = Vec::new();
        let mut level: Vec<Source> = (0..cells).map(Source::Cell).collect();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| {
                    pairs.push((pair[0], pair[pair.len() - 1]));
                    Source::Node(pairs.len() - 1)
                })
                .collect();
        }
    }
}

/// Where a number of the tree comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A cell of the item.
    Cell(usize),
    /// A pair's result.
    Node(usize),
}

impl Source {
    fn value(self) -> String {
        match self {
            Source::Cell(i) => format!("cell[{i}]"),
            Source::Node(n) => format!("node[{n}]$least"),
        }
    }

    fn full(self) -> String {
        match self {
            Source::Cell(i) => format!("cell_full[{i}]"),
            Source::Node(n) => format!("node[{n}]$full"),
        }
    }
}

impl LeastTree {
    fn value(&self, source: Source) -> (UInt, bool) {
        match source {
            Source::Cell(i) => (self.cell[i].val(), self.cell_full[i].val()),
            Source::Node(n) => (self.node[n].least.val(), self.node[n].full.val()),
        }
    }
}

impl Logic for LeastTree {
    fn update(&mut self) {
        for n in 0..self.node.len() {
            let (left, right) = self._pairs[n];
            let (left, right) = (self.value(left), self.value(right));
            let node = &mut self.node[n];
            node.clock.next = self.clock.val();
            (node.left.next, node.left_full.next) = left;
            (node.right.next, node.right_full.next) = right;
        }
        (self.least.next, self.full.next) = self.value(self._root);
    }
    fn connect(&mut self) {
        self.least.connect();
        self.full.connect();
        for node in &mut self.node {
            node.clock.connect();
            node.left.connect();
            node.left_full.connect();
            node.right.connect();
            node.right_full.connect();
        }
    }
    fn hdl(&self) -> Verilog {
        let mut list = Vec::new();
        let mut connect = |target: String, source: String| {
            let signal = VerilogExpression::Signal;
            list.push(VerilogStatement::Assignment(signal(target), signal(source)));
        };
        for (n, (left, right)) in self._pairs.iter().enumerate() {
            connect(format!("node[{n}]$clock$next"), "clock".into());
            connect(format!("node[{n}]$left$next"), left.value());
            connect(format!("node[{n}]$left_full$next"), left.full());
            connect(format!("node[{n}]$right$next"), right.value());
            connect(format!("node[{n}]$right_full$next"), right.full());
        }
        connect("least$next".into(), self._root.value());
        connect("full$next".into(), self._root.full());
        Verilog::Combinatorial(list)
    }
}
