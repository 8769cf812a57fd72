//! Operations on values of any width.

use super::{limb_width, mask, shifted, Bits, Graph, Id, Op};

impl Graph {
    pub fn wide_constant(&mut self, limbs: &[u64], width: u32) -> Bits {
        let limbs = (0..width.div_ceil(64))
            .map(|i| {
                let value = limbs.get(i as usize).copied().unwrap_or(0);
                self.constant(value, limb_width(width, i))
            })
            .collect();
        Bits { width, limbs }
    }

    pub fn wide_value(&self, a: &Bits) -> Option<Vec<u64>> {
        a.limbs.iter().map(|l| self.value(*l)).collect()
    }

    pub fn part(&mut self, a: &Bits, low: u32, width: u32) -> Bits {
        if low == 0 && width == a.width {
            return a.clone();
        }
        let limbs = (0..width.div_ceil(64))
            .map(|i| {
                let (mut at, mut left) = (low + 64 * i, limb_width(width, i));
                let mut pieces = vec![];
                while left > 0 {
                    let source = a.limbs[(at / 64) as usize];
                    let offset = at % 64;
                    let here = left.min(self.width(source) - offset);
                    pieces.push(self.slice(source, offset, here));
                    at += here;
                    left -= here;
                }
                self.concat(&pieces)
            })
            .collect();
        Bits { width, limbs }
    }

    /// Parts together, lowest first.
    pub fn join(&mut self, parts: &[Bits]) -> Bits {
        if let [one] = parts {
            return one.clone();
        }
        let width = parts.iter().map(|p| p.width).sum();
        let (mut limbs, mut pieces, mut filled) = (vec![], vec![], 0);
        for part in parts {
            let mut low = 0;
            while low < part.width {
                let here = (64 - filled).min(part.width - low);
                let bits = self.part(part, low, here);
                pieces.push(bits.limbs[0]);
                filled += here;
                low += here;
                if filled == 64 {
                    limbs.push(self.concat(&pieces));
                    pieces.clear();
                    filled = 0;
                }
            }
        }
        if filled > 0 {
            limbs.push(self.concat(&pieces));
        }
        Bits { width, limbs }
    }

    /// Cuts or extends, by zeros or by the sign.
    pub fn resize(&mut self, a: &Bits, width: u32, signed: bool) -> Bits {
        if width <= a.width {
            return self.part(a, 0, width);
        }
        let more = width - a.width;
        let high = if signed {
            let sign = self.part(a, a.width - 1, 1);
            let (ones, zeros) = (
                self.wide_constant(&vec![u64::MAX; more.div_ceil(64) as usize], more),
                self.wide_constant(&[], more),
            );
            self.wide_choose(sign.limbs[0], &ones, &zeros)
        } else {
            self.wide_constant(&[], more)
        };
        self.join(&[a.clone(), high])
    }

    pub fn each(&mut self, a: &Bits, f: impl Fn(&mut Self, Id) -> Id) -> Bits {
        let limbs = a.limbs.iter().map(|x| f(self, *x)).collect();
        Bits {
            width: a.width,
            limbs,
        }
    }

    pub fn both(&mut self, a: &Bits, b: &Bits, f: impl Fn(&mut Self, Id, Id) -> Id) -> Bits {
        let limbs = a
            .limbs
            .iter()
            .zip(&b.limbs)
            .map(|(x, y)| f(self, *x, *y))
            .collect();
        Bits {
            width: a.width,
            limbs,
        }
    }

    pub fn wide_choose(&mut self, condition: Id, a: &Bits, b: &Bits) -> Bits {
        self.both(a, b, |graph, x, y| graph.choose(condition, x, y))
    }

    /// `a + b` or, with `subtract`, `a - b`.
    pub fn wide_sum(&mut self, a: &Bits, b: &Bits, subtract: bool) -> Bits {
        let mut limbs: Vec<Id> = vec![];
        let mut carry: Option<Id> = None;
        for (i, (&x, &y)) in a.limbs.iter().zip(&b.limbs).enumerate() {
            let width = self.width(x);
            let first = if subtract {
                self.sub(x, y)
            } else {
                self.add(x, y)
            };
            let total = match carry {
                None => first,
                Some(carry) => {
                    let carry = self.zero_extend(carry, width);
                    if subtract {
                        self.sub(first, carry)
                    } else {
                        self.add(first, carry)
                    }
                }
            };
            limbs.push(total);
            if i + 1 < a.limbs.len() {
                let (out, more) = if subtract {
                    (self.less(x, y), self.less(first, total))
                } else {
                    (self.less(first, x), self.less(total, first))
                };
                carry = Some(if carry.is_some() {
                    self.or(out, more)
                } else {
                    out
                });
            }
        }
        Bits {
            width: a.width,
            limbs,
        }
    }

    pub fn zero_extend(&mut self, a: Id, width: u32) -> Id {
        let have = self.width(a);
        if have == width {
            return a;
        }
        let zeros = self.constant(0, width - have);
        self.concat(&[a, zeros])
    }

    pub fn wide_product(&mut self, a: &Bits, b: &Bits) -> Bits {
        if a.width <= 64 {
            return self.both(a, b, Self::mul);
        }
        let mut sum = self.wide_constant(&[], a.width);
        let zero = sum.clone();
        for i in 0..a.width {
            let bit = self.part(b, i, 1).limbs[0];
            if self.value(bit) == Some(0) {
                continue;
            }
            let shifted = self.shift_by(a, i, true);
            let term = self.wide_choose(bit, &shifted, &zero);
            sum = self.wide_sum(&sum, &term, false);
        }
        sum
    }

    pub fn shift_by(&mut self, a: &Bits, by: u32, left: bool) -> Bits {
        if by == 0 {
            return a.clone();
        }
        if by >= a.width {
            return self.wide_constant(&[], a.width);
        }
        let zeros = self.wide_constant(&[], by);
        if left {
            let rest = self.part(a, 0, a.width - by);
            self.join(&[zeros, rest])
        } else {
            let rest = self.part(a, by, a.width - by);
            self.join(&[rest, zeros])
        }
    }

    pub fn wide_shift(&mut self, a: &Bits, by: &Bits, left: bool) -> Bits {
        if let Some(amount) = self.wide_value(by) {
            let high = amount[1..].iter().any(|l| *l != 0);
            let by = if high { u64::MAX } else { amount[0] };
            return self.shift_by(a, by.min(u64::from(a.width)) as u32, left);
        }
        if a.width <= 64 && by.width <= 64 {
            let f = if left {
                Self::shift_left
            } else {
                Self::shift_right
            };
            let limb = f(self, a.limbs[0], by.limbs[0]);
            return Bits {
                width: a.width,
                limbs: vec![limb],
            };
        }
        let mut result = a.clone();
        for bit in 0..by.width {
            let condition = self.part(by, bit, 1).limbs[0];
            let amount = if bit < 20 { 1u32 << bit } else { a.width };
            let shifted = self.shift_by(&result, amount.min(a.width), left);
            result = self.wide_choose(condition, &shifted, &result);
        }
        result
    }

    fn tree(&mut self, mut list: Vec<Id>, f: impl Fn(&mut Self, Id, Id) -> Id) -> Id {
        while list.len() > 1 {
            list = list
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => f(self, a, b),
                    _ => pair[0],
                })
                .collect();
        }
        list[0]
    }

    pub fn wide_equal(&mut self, a: &Bits, b: &Bits) -> Id {
        let equal = self.both(a, b, Self::equal).limbs;
        self.tree(equal, Self::and)
    }

    pub fn wide_less(&mut self, a: &Bits, b: &Bits) -> Id {
        let mut less = self.constant(0, 1);
        for (&x, &y) in a.limbs.iter().zip(&b.limbs) {
            let (here, same) = (self.less(x, y), self.equal(x, y));
            let below = self.and(same, less);
            less = self.or(here, below);
        }
        less
    }

    /// Any bit is one.
    pub fn any(&mut self, a: &Bits) -> Id {
        let zero = self.wide_constant(&[], a.width);
        let none = self.wide_equal(a, &zero);
        self.not(none)
    }

    pub fn all(&mut self, a: &Bits) -> Id {
        let ones = self.wide_constant(&vec![u64::MAX; a.limbs.len()], a.width);
        self.wide_equal(a, &ones)
    }

    pub fn wide_parity(&mut self, a: &Bits) -> Id {
        let bits = a.limbs.iter().map(|l| self.parity(*l)).collect();
        self.tree(bits, Self::xor)
    }

    /// Result of a node for the values of its operands.
    pub fn compute(&self, id: Id, get: impl Fn(Id) -> u64) -> u64 {
        let width = self.width(id);
        let result = match self.op(id) {
            Op::Constant(value) => *value,
            Op::Input(_) | Op::Register(_) | Op::Read { .. } => 0,
            Op::Not(a) => !get(*a),
            Op::And(a, b) => get(*a) & get(*b),
            Op::Or(a, b) => get(*a) | get(*b),
            Op::Xor(a, b) => get(*a) ^ get(*b),
            Op::Add(a, b) => get(*a).wrapping_add(get(*b)),
            Op::Sub(a, b) => get(*a).wrapping_sub(get(*b)),
            Op::Mul(a, b) => get(*a).wrapping_mul(get(*b)),
            Op::Equal(a, b) => u64::from(get(*a) == get(*b)),
            Op::Less(a, b) => u64::from(get(*a) < get(*b)),
            Op::Parity(a) => u64::from(get(*a).count_ones() & 1),
            Op::Choose(c, a, b) => {
                if get(*c) != 0 {
                    get(*a)
                } else {
                    get(*b)
                }
            }
            Op::ShiftLeft(a, b) => shifted(get(*a), get(*b), true),
            Op::ShiftRight(a, b) => shifted(get(*a), get(*b), false),
            Op::Slice(a, low) => get(*a) >> low,
            Op::Concat(parts) => {
                let (mut value, mut at) = (0, 0);
                for part in parts {
                    value |= get(*part) << at;
                    at += self.width(*part);
                }
                value
            }
            Op::Table(a, table) => self.tables[*table as usize][get(*a) as usize],
        };
        result & mask(width)
    }
}
