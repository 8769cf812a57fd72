//! Gates under construction.

use super::Gate;
use crate::ir::{Graph, Id, Op};
use rustc_hash::FxHashMap;

/// Index of a plane.
pub(crate) type Plane = u32;
pub(crate) const NONE: Plane = u32::MAX;
pub(crate) const ZERO: Plane = 0;
pub(crate) const ONE: Plane = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) gate: Gate,
    pub(crate) a: Plane,
    pub(crate) b: Plane,
    pub(crate) c: Plane,
}

impl Node {
    pub(crate) fn operands(&self) -> impl Iterator<Item = Plane> {
        [self.a, self.b, self.c].into_iter().filter(|p| *p != NONE)
    }
}

/// Gates under construction.
#[derive(Default)]
pub(crate) struct Net {
    pub(crate) nodes: Vec<Node>,
    known: FxHashMap<Node, Plane>,
}

impl Net {
    /// Forgets every plane and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.known.clear();
    }

    pub(crate) fn leaf(&mut self) -> Plane {
        self.nodes.push(Node {
            gate: Gate::Leaf,
            a: NONE,
            b: NONE,
            c: NONE,
        });
        self.nodes.len() as Plane - 1
    }

    pub(crate) fn put(&mut self, gate: Gate, a: Plane, b: Plane, c: Plane) -> Plane {
        let node = Node { gate, a, b, c };
        let nodes = &mut self.nodes;
        *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as Plane - 1
        })
    }

    pub(crate) fn inverted(&self, a: Plane) -> Option<Plane> {
        let node = self.nodes[a as usize];
        (node.gate == Gate::Not).then_some(node.a)
    }

    pub(crate) fn not(&mut self, a: Plane) -> Plane {
        match (a, self.inverted(a)) {
            (ZERO, _) => ONE,
            (ONE, _) => ZERO,
            (_, Some(x)) => x,
            _ => self.put(Gate::Not, a, NONE, NONE),
        }
    }

    pub(crate) fn and(&mut self, a: Plane, b: Plane) -> Plane {
        let (a, b) = (a.min(b), a.max(b));
        if a == ZERO {
            return ZERO;
        }
        if a == ONE || a == b {
            return b;
        }
        match (self.inverted(a), self.inverted(b)) {
            (Some(x), _) if x == b => ZERO,
            (_, Some(y)) if y == a => ZERO,
            (Some(x), Some(y)) => {
                let any = self.or(x, y);
                self.not(any)
            }
            (Some(x), None) => self.put(Gate::AndNot, b, x, NONE),
            (None, Some(y)) => self.put(Gate::AndNot, a, y, NONE),
            (None, None) => self.put(Gate::And, a, b, NONE),
        }
    }

    pub(crate) fn or(&mut self, a: Plane, b: Plane) -> Plane {
        let (a, b) = (a.min(b), a.max(b));
        if a == ONE || b == ONE {
            return ONE;
        }
        if a == ZERO || a == b {
            return b;
        }
        // a | !b = !(b & !a)
        let none = match (self.inverted(a), self.inverted(b)) {
            (Some(x), _) if x == b => return ONE,
            (_, Some(y)) if y == a => return ONE,
            (Some(x), Some(y)) => self.and(x, y),
            (Some(x), None) => self.put(Gate::AndNot, x, b, NONE),
            (None, Some(y)) => self.put(Gate::AndNot, y, a, NONE),
            (None, None) => return self.put(Gate::Or, a, b, NONE),
        };
        self.not(none)
    }

    pub(crate) fn xor(&mut self, a: Plane, b: Plane) -> Plane {
        let (x, y) = (self.inverted(a), self.inverted(b));
        let odd = x.is_some() ^ y.is_some() ^ (a == ONE) ^ (b == ONE);
        let strip = |whole: Plane, inner: Option<Plane>| match whole {
            ONE => ZERO,
            _ => inner.unwrap_or(whole),
        };
        let (x, y) = (strip(a, x), strip(b, y));
        let (x, y) = (x.min(y), x.max(y));
        let sum = if x == y {
            ZERO
        } else if x == ZERO {
            y
        } else {
            self.put(Gate::Xor, x, y, NONE)
        };
        if odd {
            self.not(sum)
        } else {
            sum
        }
    }

    pub(crate) fn choose(&mut self, c: Plane, a: Plane, b: Plane) -> Plane {
        if a == b || c == ONE {
            return a;
        }
        if c == ZERO {
            return b;
        }
        if let Some(c) = self.inverted(c) {
            return self.choose(c, b, a);
        }
        if a == ONE || a == c {
            return self.or(c, b);
        }
        if b == ZERO || b == c {
            return self.and(c, a);
        }
        if a == ZERO || b == ONE {
            let not = self.not(c);
            return if a == ZERO {
                self.and(not, b)
            } else {
                self.or(not, a)
            };
        }
        if self.inverted(a) == Some(b) || self.inverted(b) == Some(a) {
            return self.xor(c, b);
        }
        self.put(Gate::Choose, c, a, b)
    }

    pub(crate) fn tree(
        &mut self,
        mut list: Vec<Plane>,
        f: fn(&mut Self, Plane, Plane) -> Plane,
    ) -> Plane {
        while list.len() > 1 {
            list = list
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => f(self, a, b),
                    _ => pair[0],
                })
                .collect();
        }
        list.first().copied().unwrap_or(ZERO)
    }

    /// Sum with carry in; the carry out.
    pub(crate) fn add(
        &mut self,
        a: &[Plane],
        b: &[Plane],
        mut carry: Plane,
    ) -> (Vec<Plane>, Plane) {
        let sum = a
            .iter()
            .zip(b)
            .map(|(&a, &b)| {
                let differ = self.xor(a, b);
                let sum = self.xor(differ, carry);
                carry = self.choose(differ, carry, a);
                sum
            })
            .collect();
        (sum, carry)
    }

    pub(crate) fn shift(&mut self, a: &[Plane], by: &[Plane], left: bool) -> Vec<Plane> {
        let mut now = a.to_vec();
        for (k, &bit) in by.iter().enumerate() {
            let amount = if k < 16 { 1usize << k } else { usize::MAX };
            now = (0..now.len())
                .map(|i| {
                    let from = if left {
                        i.checked_sub(amount)
                    } else {
                        i.checked_add(amount).filter(|j| *j < a.len())
                    };
                    let moved = from.map_or(ZERO, |j| now[j]);
                    self.choose(bit, moved, now[i])
                })
                .collect();
        }
        now
    }

    /// The bits of a node's result; the caller knows those of leaves.
    pub(crate) fn bits<'p>(
        &mut self,
        graph: &Graph,
        op: &Op,
        width: u32,
        of: &dyn Fn(Id) -> &'p [Plane],
    ) -> Vec<Plane> {
        let each = |net: &mut Self, a: Id, b: Id, f: fn(&mut Self, Plane, Plane) -> Plane| {
            let pairs = of(a).iter().zip(of(b));
            pairs.map(|(a, b)| f(net, *a, *b)).collect()
        };
        match *op {
            Op::Constant(value) => (0..width).map(|i| (value >> i & 1) as Plane).collect(),
            Op::Input(_) | Op::Register(_) | Op::Read { .. } => vec![],
            Op::Not(a) => of(a).iter().map(|a| self.not(*a)).collect(),
            Op::And(a, b) => each(self, a, b, Self::and),
            Op::Or(a, b) => each(self, a, b, Self::or),
            Op::Xor(a, b) => each(self, a, b, Self::xor),
            Op::Add(a, b) => self.add(of(a), of(b), ZERO).0,
            Op::Sub(a, b) => {
                let not: Vec<Plane> = of(b).iter().map(|b| self.not(*b)).collect();
                self.add(of(a), &not, ONE).0
            }
            Op::Mul(a, b) => {
                let (a, b) = (of(a), of(b));
                let mut sum = vec![ZERO; width as usize];
                for (i, &bit) in b.iter().enumerate() {
                    let term: Vec<Plane> = (0..width as usize)
                        .map(|j| match j.checked_sub(i) {
                            Some(j) => self.and(bit, a[j]),
                            None => ZERO,
                        })
                        .collect();
                    sum = self.add(&sum, &term, ZERO).0;
                }
                sum
            }
            Op::Equal(a, b) => {
                let differ: Vec<Plane> = each(self, a, b, Self::xor);
                let any = self.tree(differ, Self::or);
                vec![self.not(any)]
            }
            Op::Less(a, b) => {
                let not: Vec<Plane> = of(b).iter().map(|b| self.not(*b)).collect();
                let mut carry = ONE;
                for (&a, &b) in of(a).iter().zip(&not) {
                    let differ = self.xor(a, b);
                    carry = self.choose(differ, carry, a);
                }
                vec![self.not(carry)]
            }
            Op::Parity(a) => vec![self.tree(of(a).to_vec(), Self::xor)],
            Op::Choose(c, a, b) => {
                let c = of(c)[0];
                let pairs = of(a).iter().zip(of(b));
                pairs.map(|(a, b)| self.choose(c, *a, *b)).collect()
            }
            Op::ShiftLeft(a, b) => self.shift(of(a), of(b), true),
            Op::ShiftRight(a, b) => self.shift(of(a), of(b), false),
            Op::Slice(a, low) => of(a)[low as usize..(low + width) as usize].to_vec(),
            Op::Concat(ref parts) => parts.iter().flat_map(|p| of(*p)).copied().collect(),
            Op::Table(a, table) => {
                let (index, entries) = (of(a), &graph.tables[table as usize]);
                (0..width)
                    .map(|bit| {
                        let mut column: Vec<Plane> =
                            entries.iter().map(|e| (e >> bit & 1) as Plane).collect();
                        for &bit in index {
                            column = column
                                .chunks(2)
                                .map(|pair| self.choose(bit, pair[1], pair[0]))
                                .collect();
                        }
                        column[0]
                    })
                    .collect()
            }
        }
    }
}
