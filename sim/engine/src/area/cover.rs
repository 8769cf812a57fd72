//! Cover of gates by lookup tables: the shallowest that there is, then less area where that costs no depth.
//!
//! Priority cuts (Mishchenko, Cho, Chatterjee and Brayton, "Combinational and sequential mapping with priority cuts", ICCAD 2007).

use crate::gates::net::{Net, Node, Plane, NONE};
use crate::gates::Gate;
use rustc_hash::FxHashMap as HashMap;

/// Cuts that are kept of a gate.
const KEPT: usize = 6;
const MOST_INPUTS: usize = 6;
/// Passes that choose by depth and flow of area; two by exact area follow.
const PASSES: usize = 4;

/// Inputs of a table.
#[derive(Debug, Clone, Copy)]
struct Cut {
    leaves: [Plane; MOST_INPUTS],
    size: u8,
    depth: u32,
    flow: f32,
}

impl Cut {
    fn of(leaf: Plane) -> Self {
        let mut leaves = [NONE; MOST_INPUTS];
        leaves[0] = leaf;
        Self {
            leaves,
            size: 1,
            depth: 0,
            flow: 0.0,
        }
    }

    fn leaves(&self) -> &[Plane] {
        &self.leaves[..usize::from(self.size)]
    }

    /// The inputs of both, if a table has as many.
    fn with(&self, other: &Cut, most: usize) -> Option<Cut> {
        let (a, b) = (self.leaves(), other.leaves());
        let mut leaves = [NONE; MOST_INPUTS];
        let (mut i, mut j, mut size) = (0, 0, 0);
        while i < a.len() || j < b.len() {
            if size == most {
                return None;
            }
            let next = match (a.get(i), b.get(j)) {
                (Some(x), Some(y)) if x == y => {
                    j += 1;
                    i += 1;
                    *x
                }
                (Some(x), Some(y)) if x < y => {
                    i += 1;
                    *x
                }
                (Some(x), None) => {
                    i += 1;
                    *x
                }
                (_, Some(y)) => {
                    j += 1;
                    *y
                }
                (None, None) => break,
            };
            leaves[size] = next;
            size += 1;
        }
        Some(Cut {
            leaves,
            size: size as u8,
            depth: 0,
            flow: 0.0,
        })
    }
}

/// The plane without its inversions.
pub(super) fn under(net: &Net, mut plane: Plane) -> Plane {
    while net.nodes[plane as usize].gate == Gate::Not {
        plane = net.nodes[plane as usize].a;
    }
    plane
}

/// Whether a root is the inverse of what synthesis has a node for: a conjunction, as which it also sees disjunctions and choices, inverted.
fn is_inverse(net: &Net, root: Plane) -> bool {
    let node = net.nodes[root as usize];
    match node.gate {
        Gate::Not => !is_inverse(net, node.a),
        gate => matches!(gate, Gate::Or | Gate::Choose),
    }
}

/// What roots want of a gate.
#[derive(Debug, Clone, Copy, Default)]
struct Wanted {
    as_it_is: bool,
    inverted: bool,
}

struct Cover<'n> {
    net: &'n Net,
    inputs: usize,
    /// Gates in order, operands before what reads them.
    gates: Vec<Plane>,
    best: Vec<Cut>,
    uses: Vec<u32>,
    depth: Vec<u32>,
    flow: Vec<f32>,
    required: Vec<u32>,
}

/// Number of tables of `inputs` inputs that make all `roots`.
pub(super) fn cover(net: &Net, roots: &[Plane], inputs: usize) -> u64 {
    let size = net.nodes.len();
    let mut wanted = vec![0u32; size];
    let mut ends: Vec<Plane> = vec![];
    let mut polarities: HashMap<Plane, Wanted> = HashMap::default();
    for &root in roots {
        let inverted = is_inverse(net, root);
        let root = under(net, root);
        if net.nodes[root as usize].gate != Gate::Leaf {
            ends.push(root);
            wanted[root as usize] += 1;
            let wanted = polarities.entry(root).or_default();
            wanted.inverted |= inverted;
            wanted.as_it_is |= !inverted;
        }
    }
    for plane in (0..size).rev() {
        let node = net.nodes[plane];
        if wanted[plane] > 0 && node.gate != Gate::Not {
            for operand in operands(net, &node) {
                wanted[operand as usize] += 1;
            }
        }
    }
    let is_gate = |p: &Plane| {
        wanted[*p as usize] > 0 && !matches!(net.nodes[*p as usize].gate, Gate::Leaf | Gate::Not)
    };
    let mut cover = Cover {
        net,
        inputs,
        gates: (0..size as Plane).filter(is_gate).collect(),
        best: (0..size as Plane).map(Cut::of).collect(),
        uses: wanted,
        depth: vec![0; size],
        flow: vec![0.0; size],
        required: vec![u32::MAX; size],
    };
    ends.sort_unstable();
    let mut sets: Vec<Vec<Cut>> = vec![vec![]; size];
    for pass in 0..PASSES {
        cover.choose(pass, &mut sets);
        cover.measure(&ends);
    }
    cover.exact(&mut sets);
    cover.measure(&ends);
    cover.exact(&mut sets);
    let tables = cover.measure(&ends);
    tables + cover.copies(&ends, &polarities)
}

fn operands<'n>(net: &'n Net, node: &Node) -> impl Iterator<Item = Plane> + 'n {
    [node.a, node.b, node.c]
        .into_iter()
        .filter(|p| *p != NONE)
        .map(move |p| under(net, p))
}

/// Cuts of a plane and the plane itself.
fn with_itself(sets: &[Vec<Cut>], plane: Plane) -> impl Iterator<Item = Cut> + '_ {
    let itself = std::iter::once(Cut::of(plane));
    sets[plane as usize].iter().copied().chain(itself)
}

impl Cover<'_> {
    /// Every cut of a gate that a table has inputs for.
    fn candidates(&self, sets: &[Vec<Cut>], gate: Plane, found: &mut Vec<Cut>) {
        let node = self.net.nodes[gate as usize];
        found.clear();
        let mut parts = operands(self.net, &node);
        let (Some(first), second, third) = (parts.next(), parts.next(), parts.next()) else {
            return;
        };
        for x in with_itself(sets, first) {
            let Some(second) = second else {
                found.push(x);
                continue;
            };
            for y in with_itself(sets, second) {
                let Some(xy) = x.with(&y, self.inputs) else {
                    continue;
                };
                match third {
                    None => found.push(xy),
                    Some(third) => {
                        let all = with_itself(sets, third);
                        found.extend(all.filter_map(|z| xy.with(&z, self.inputs)));
                    }
                }
            }
        }
        for cut in found {
            self.rate(cut);
        }
    }

    fn rate(&self, cut: &mut Cut) {
        let (mut depth, mut flow) = (0, 1.0);
        for &leaf in cut.leaves() {
            depth = depth.max(self.depth[leaf as usize]);
            flow += self.flow[leaf as usize];
        }
        cut.depth = depth + 1;
        cut.flow = flow;
    }

    /// Chooses a cut of each gate: the first time the shallowest, then the one of least flow that is not too deep.
    fn choose(&mut self, pass: usize, sets: &mut [Vec<Cut>]) {
        let mut found = vec![];
        for at in 0..self.gates.len() {
            let gate = self.gates[at];
            self.candidates(sets, gate, &mut found);
            if pass == 0 {
                found.sort_by(|x, y| {
                    (x.depth, x.size)
                        .cmp(&(y.depth, y.size))
                        .then(x.flow.total_cmp(&y.flow))
                });
            } else {
                let latest = self.required[gate as usize];
                found.sort_by(|x, y| {
                    (x.depth > latest)
                        .cmp(&(y.depth > latest))
                        .then(x.flow.total_cmp(&y.flow))
                        .then(x.depth.cmp(&y.depth))
                        .then(x.size.cmp(&y.size))
                });
            }
            found.dedup_by(|x, y| x.leaves == y.leaves);
            found.truncate(KEPT);
            if let Some(&best) = found.first() {
                self.best[gate as usize] = best;
                self.depth[gate as usize] = best.depth;
                let readers = self.uses[gate as usize].max(1) as f32;
                self.flow[gate as usize] = best.flow / readers;
            }
            sets[gate as usize].clone_from(&found);
        }
    }

    /// Tables of the cover; sets the uses of each, and until when each must be there.
    fn measure(&mut self, ends: &[Plane]) -> u64 {
        let deepest = ends.iter().map(|e| self.depth[*e as usize]).max();
        self.required.fill(u32::MAX);
        self.uses.fill(0);
        for &end in ends {
            self.uses[end as usize] += 1;
            self.required[end as usize] = deepest.unwrap_or(0);
        }
        let mut tables = 0;
        for &gate in self.gates.iter().rev() {
            if self.uses[gate as usize] == 0 {
                continue;
            }
            tables += 1;
            let latest = self.required[gate as usize].saturating_sub(1);
            for &leaf in self.best[gate as usize].leaves() {
                self.uses[leaf as usize] += 1;
                let required = &mut self.required[leaf as usize];
                *required = (*required).min(latest);
            }
        }
        tables
    }

    /// Tables that are there a second time: of a gate that other tables read as it is, and a root inverted.
    fn copies(&self, ends: &[Plane], wanted: &HashMap<Plane, Wanted>) -> u64 {
        let mut read = self.uses.clone();
        for &end in ends {
            read[end as usize] -= 1;
        }
        let twice = |(plane, wanted): &(&Plane, &Wanted)| {
            wanted.inverted && (wanted.as_it_is || read[**plane as usize] > 0)
        };
        wanted.iter().filter(twice).count() as u64
    }

    fn is_gate(&self, plane: Plane) -> bool {
        self.net.nodes[plane as usize].gate != Gate::Leaf
    }

    /// Takes a table out of the cover; the tables that go with it.
    fn leave(&mut self, cut: &Cut) -> u32 {
        let mut area = 1;
        for &leaf in cut.leaves() {
            self.uses[leaf as usize] -= 1;
            if self.uses[leaf as usize] == 0 && self.is_gate(leaf) {
                let below = self.best[leaf as usize];
                area += self.leave(&below);
            }
        }
        area
    }

    /// Puts it in again; the tables that come with it.
    fn enter(&mut self, cut: &Cut) -> u32 {
        let mut area = 1;
        for &leaf in cut.leaves() {
            self.uses[leaf as usize] += 1;
            if self.uses[leaf as usize] == 1 && self.is_gate(leaf) {
                let below = self.best[leaf as usize];
                area += self.enter(&below);
            }
        }
        area
    }

    /// Chooses each gate's cut by the tables that it really adds.
    fn exact(&mut self, sets: &mut [Vec<Cut>]) {
        let mut found = vec![];
        for at in 0..self.gates.len() {
            let gate = self.gates[at];
            self.candidates(sets, gate, &mut found);
            let latest = self.required[gate as usize];
            found.retain(|cut| cut.depth <= latest);
            let mut now = self.best[gate as usize];
            self.rate(&mut now);
            found.push(now);
            let used = self.uses[gate as usize] > 0;
            if used {
                self.leave(&now);
            }
            for cut in &mut found {
                cut.flow = self.enter(cut) as f32;
                self.leave(cut);
            }
            found.sort_by(|x, y| {
                x.flow
                    .total_cmp(&y.flow)
                    .then(x.depth.cmp(&y.depth))
                    .then(x.size.cmp(&y.size))
            });
            found.dedup_by(|x, y| x.leaves == y.leaves);
            found.truncate(KEPT);
            let best = found[0];
            self.best[gate as usize] = best;
            self.depth[gate as usize] = best.depth;
            if used {
                self.enter(&best);
            }
            sets[gate as usize].clone_from(&found);
        }
    }
}
