//! Cover of gates by lookup tables: the shallowest that there is, then less area where that costs no depth.
//!
//! Priority cuts (Mishchenko, Cho, Chatterjee and Brayton, "Combinational and sequential mapping with priority cuts", ICCAD 2007).

use crate::gates::net::{Net, Plane, NONE};
use crate::gates::Gate;
use rustc_hash::FxHashMap as HashMap;

/// Cuts that are kept of a gate.
const KEPT: usize = 8;
const MOST_INPUTS: usize = 6;
/// Passes that choose by depth and flow of area; two by exact area follow.
const PASSES: usize = 4;

/// Tables that a function takes, by the number of its inputs.
pub(super) type Sizes = [u32; MOST_INPUTS + 1];

/// Inputs of a table, in order.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// One more than a table has, so that the last one is always [`NONE`], which comes after every plane.
    leaves: [Plane; MOST_INPUTS + 1],
    size: u8,
    /// A bit for each input, which several may share: what has more bits has too many inputs.
    sign: u64,
}

impl Cut {
    fn of(leaf: Plane) -> Self {
        let mut leaves = [NONE; MOST_INPUTS + 1];
        leaves[0] = leaf;
        Self {
            leaves,
            size: 1,
            sign: 1 << (leaf % u64::BITS),
        }
    }

    fn leaves(&self) -> &[Plane] {
        &self.leaves[..usize::from(self.size)]
    }

    fn is_like(&self, other: &Cut) -> bool {
        self.sign == other.sign && self.leaves == other.leaves
    }

    /// Whether another cut has all inputs of this one.
    fn is_within(&self, other: &Cut) -> bool {
        self.size <= other.size
            && self.sign & !other.sign == 0
            && self
                .leaves()
                .iter()
                .all(|leaf| other.leaves().contains(leaf))
    }

    /// The inputs of both, if a table has as many.
    #[inline]
    fn with(&self, other: &Cut) -> Option<Cut> {
        let sign = self.sign | other.sign;
        let fits = usize::from(self.size + other.size) <= MOST_INPUTS;
        if !fits && sign.count_ones() as usize > MOST_INPUTS {
            return None;
        }
        let mut leaves = [NONE; MOST_INPUTS + 1];
        let (mut i, mut j, mut size) = (0, 0, 0);
        loop {
            let (x, y) = (self.leaves[i], other.leaves[j]);
            let next = x.min(y);
            if next == NONE {
                break;
            }
            if size == MOST_INPUTS {
                return None;
            }
            leaves[size] = next;
            size += 1;
            i += usize::from(x == next);
            j += usize::from(y == next);
        }
        Some(Cut {
            leaves,
            size: size as u8,
            sign,
        })
    }
}

/// The best cuts of a gate, best first; of those of one rank the first found, and none that has all inputs of a better one.
#[derive(Debug, Clone, Copy)]
struct Kept {
    cuts: [Cut; KEPT],
    ranks: [u64; KEPT],
    depths: [u32; KEPT],
    number: usize,
}

impl Kept {
    fn none() -> Self {
        Self {
            cuts: [Cut::of(NONE); KEPT],
            ranks: [0; KEPT],
            depths: [0; KEPT],
            number: 0,
        }
    }

    /// Whether a cut of a rank has a place.
    fn takes(&self, rank: u64) -> bool {
        self.number < KEPT || rank < self.ranks[KEPT - 1]
    }

    /// Rank and depth of a cut that is among them.
    fn known(&self, cut: &Cut) -> Option<(u64, u32)> {
        let at = self.cuts().iter().position(|kept| kept.is_like(cut))?;
        Some((self.ranks[at], self.depths[at]))
    }

    fn insert(&mut self, cut: &Cut, rank: u64, depth: u32) {
        if !self.takes(rank) {
            return;
        }
        let at = (0..self.number)
            .rev()
            .find(|at| self.ranks[*at] <= rank)
            .map_or(0, |at| at + 1);
        if self.cuts[..at].iter().any(|kept| kept.is_within(cut)) {
            return;
        }
        let mut to = at;
        for from in at..self.number {
            if !cut.is_within(&self.cuts[from]) {
                self.cuts[to] = self.cuts[from];
                self.ranks[to] = self.ranks[from];
                self.depths[to] = self.depths[from];
                to += 1;
            }
        }
        self.number = to;
        self.number = (self.number + 1).min(KEPT);
        for to in (at + 1..self.number).rev() {
            self.cuts[to] = self.cuts[to - 1];
            self.ranks[to] = self.ranks[to - 1];
            self.depths[to] = self.depths[to - 1];
        }
        (self.cuts[at], self.ranks[at], self.depths[at]) = (*cut, rank, depth);
    }

    fn cuts(&self) -> &[Cut] {
        &self.cuts[..self.number]
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

struct Cover {
    sizes: Sizes,
    /// Gates in order, operands before what reads them.
    gates: Vec<Plane>,
    /// Of each plane its index among the gates, or [`NONE`].
    places: Vec<u32>,
    /// Operands of each gate, without inversions.
    operands: Vec<[Plane; 3]>,
    /// The cut that is chosen of each gate.
    best: Vec<Cut>,
    /// The cuts that are kept of each gate in this pass, behind them the gate itself; and where each gate's end.
    sets: Vec<Cut>,
    ends: Vec<usize>,
    uses: Vec<u32>,
    /// Readers that a gate has in the cover to come: those of earlier covers, the last one counted most.
    expected: Vec<f32>,
    costs: Vec<Cost>,
    required: Vec<u32>,
}

/// What a plane costs: tables up to it, and its share of the area of all of them.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    depth: u32,
    flow: f32,
}

/// Number of tables that make all `roots`.
pub(super) fn cover(net: &Net, roots: &[Plane], sizes: Sizes) -> u64 {
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
    let (mut gates, mut operands) = (vec![], vec![]);
    for plane in (0..size).rev() {
        let node = net.nodes[plane];
        if wanted[plane] > 0 && !matches!(node.gate, Gate::Leaf | Gate::Not) {
            let below = [node.a, node.b, node.c].map(|p| match p {
                NONE => NONE,
                _ => under(net, p),
            });
            for operand in below.into_iter().filter(|p| *p != NONE) {
                wanted[operand as usize] += 1;
            }
            gates.push(plane as Plane);
            operands.push(below);
        }
    }
    gates.reverse();
    operands.reverse();
    let mut places = vec![NONE; size];
    for (place, gate) in gates.iter().enumerate() {
        places[*gate as usize] = place as u32;
    }
    let mut cover = Cover {
        sizes,
        best: gates.iter().map(|gate| Cut::of(*gate)).collect(),
        sets: vec![],
        ends: vec![],
        gates,
        places,
        operands,
        expected: wanted.iter().map(|readers| *readers as f32).collect(),
        uses: wanted,
        costs: vec![Cost::default(); size],
        required: vec![u32::MAX; size],
    };
    ends.sort_unstable();
    for pass in 0..PASSES {
        cover.choose(pass);
        cover.measure(&ends);
        for (expected, uses) in cover.expected.iter_mut().zip(&cover.uses) {
            *expected = (2.0 * *expected + *uses as f32) / 3.0;
        }
    }
    cover.exact();
    cover.measure(&ends);
    cover.exact();
    let tables = cover.measure(&ends);
    tables + cover.copies(&ends, &polarities)
}

/// A rank in order of depth and then of size.
fn by_depth(depth: u32, size: u8) -> u32 {
    depth << 3 | u32::from(size)
}

/// A rank in order of size and then of depth.
fn by_size(depth: u32, size: u8) -> u32 {
    u32::from(size) << 28 | depth
}

impl Cover {
    /// Cuts of an operand, and behind them the operand itself.
    fn cuts<'s>(&'s self, operand: Plane, itself: &'s Cut) -> &'s [Cut] {
        match self.places[operand as usize] {
            NONE => std::slice::from_ref(itself),
            place => {
                let place = place as usize;
                let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
                &self.sets[start..self.ends[place]]
            }
        }
    }

    /// Every cut of a gate that a table has inputs for.
    fn candidates(&self, place: usize, mut see: impl FnMut(&Cut)) {
        let [first, second, third] = self.operands[place];
        let [one, two, three] = self.operands[place].map(Cut::of);
        let seconds = self.cuts(second, &two);
        let thirds = match third {
            NONE => &[],
            third => self.cuts(third, &three),
        };
        for x in self.cuts(first, &one) {
            for y in seconds {
                let Some(xy) = x.with(y) else {
                    continue;
                };
                if third == NONE {
                    see(&xy);
                }
                for z in thirds {
                    if let Some(xyz) = xy.with(z) {
                        see(&xyz);
                    }
                }
            }
        }
    }

    fn size(&self, cut: &Cut) -> u32 {
        self.sizes[usize::from(cut.size)]
    }

    /// Depth of a gate by a cut, and flow of area through it.
    fn cost_of(&self, cut: &Cut) -> Cost {
        let costs = cut.leaves().iter().map(|leaf| self.costs[*leaf as usize]);
        let own = self.size(cut) as f32;
        let all = costs.fold((0, own), |(depth, flow), cost| {
            (cost.depth.max(depth), flow + cost.flow)
        });
        Cost {
            depth: all.0 + 1,
            flow: all.1,
        }
    }

    fn forget_sets(&mut self) {
        self.sets.clear();
        self.ends.clear();
    }

    /// Keeps the cuts of a gate, behind those of all gates before it.
    fn keep(&mut self, place: usize, kept: &Kept) {
        self.sets.extend_from_slice(kept.cuts());
        self.sets.push(Cut::of(self.gates[place]));
        self.ends.push(self.sets.len());
    }

    /// Chooses a cut of each gate: the first time the shallowest, then the one of least flow that is not too deep.
    fn choose(&mut self, pass: usize) {
        self.forget_sets();
        for place in 0..self.gates.len() {
            let gate = self.gates[place] as usize;
            let latest = self.required[gate];
            let mut kept = Kept::none();
            let mut see = |cut: &Cut| {
                let Cost { depth, flow } = self.cost_of(cut);
                let first = match pass {
                    0 => u64::from(by_depth(depth, cut.size)) << 32,
                    _ => u64::from(depth > latest) << 63,
                };
                if !kept.takes(first) {
                    return;
                }
                // a positive number is in the order of its bits
                let flow = u64::from(flow.to_bits());
                let rank = match pass {
                    0 => first | flow,
                    _ => first | flow << 31 | u64::from(by_size(depth, cut.size)),
                };
                kept.insert(cut, rank, depth);
            };
            if pass > 0 {
                // not too deep, which no other cut may be
                see(&self.best[place]);
            }
            self.candidates(place, see);
            if kept.number > 0 {
                let best = kept.cuts[0];
                let Cost { depth, flow } = self.cost_of(&best);
                self.best[place] = best;
                self.costs[gate] = Cost {
                    depth,
                    flow: flow / self.expected[gate].max(1.0),
                };
            }
            self.keep(place, &kept);
        }
    }

    /// Tables of the cover; sets the uses of each, and until when each must be there.
    fn measure(&mut self, ends: &[Plane]) -> u64 {
        let deepest = ends.iter().map(|e| self.costs[*e as usize].depth).max();
        self.required.fill(u32::MAX);
        self.uses.fill(0);
        for &end in ends {
            self.uses[end as usize] += 1;
            self.required[end as usize] = deepest.unwrap_or(0);
        }
        let mut tables = 0;
        for (gate, best) in self.gates.iter().zip(&self.best).rev() {
            if self.uses[*gate as usize] == 0 {
                continue;
            }
            tables += u64::from(self.size(best));
            let latest = self.required[*gate as usize].saturating_sub(1);
            for &leaf in best.leaves() {
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

    /// The chosen cut of a plane that is a gate.
    fn below(&self, plane: Plane) -> Option<Cut> {
        let place = self.places[plane as usize];
        (place != NONE).then(|| self.best[place as usize])
    }

    /// Takes a table out of the cover; the tables that go with it.
    fn leave(&mut self, cut: &Cut) -> u32 {
        let mut area = self.size(cut);
        for &leaf in cut.leaves() {
            self.uses[leaf as usize] -= 1;
            if self.uses[leaf as usize] == 0 {
                area += self.below(leaf).map_or(0, |below| self.leave(&below));
            }
        }
        area
    }

    /// Puts it in again; the tables that come with it.
    fn enter(&mut self, cut: &Cut) -> u32 {
        let mut area = self.size(cut);
        for &leaf in cut.leaves() {
            self.uses[leaf as usize] += 1;
            if self.uses[leaf as usize] == 1 {
                area += self.below(leaf).map_or(0, |below| self.enter(&below));
            }
        }
        area
    }

    /// The fewest tables that a cut can add.
    fn least(&self, cut: &Cut) -> u32 {
        let new =
            |leaf: &&Plane| self.uses[**leaf as usize] == 0 && self.places[**leaf as usize] != NONE;
        self.size(cut) + cut.leaves().iter().filter(new).count() as u32
    }

    /// Chooses each gate's cut by the tables that it really adds.
    fn exact(&mut self) {
        let mut found = vec![];
        self.forget_sets();
        for place in 0..self.gates.len() {
            let gate = self.gates[place] as usize;
            found.clear();
            self.candidates(place, |cut| found.push(*cut));
            let latest = self.required[gate];
            let now = self.best[place];
            let used = self.uses[gate] > 0;
            if used {
                self.leave(&now);
            }
            let mut kept = Kept::none();
            for (index, cut) in found.iter().chain([&now]).enumerate() {
                if let Some((rank, depth)) = kept.known(cut) {
                    kept.insert(cut, rank, depth);
                    continue;
                }
                let Cost { depth, .. } = self.cost_of(cut);
                if depth > latest && index < found.len() {
                    continue;
                }
                let rank = |area: u32| u64::from(area) << 32 | u64::from(by_size(depth, cut.size));
                if kept.takes(rank(self.least(cut))) {
                    let area = self.enter(cut);
                    self.leave(cut);
                    kept.insert(cut, rank(area), depth);
                }
            }
            let best = kept.cuts[0];
            self.best[place] = best;
            self.costs[gate].depth = kept.depths[0];
            if used {
                self.enter(&best);
            }
            self.keep(place, &kept);
        }
    }
}
