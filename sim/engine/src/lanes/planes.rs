//! The state of many lanes, and the clock that moves it.

use crate::gates::{self, Gate, GateProgram};
use crate::machine::Machine;

/// The state of `64 * W` lanes, whatever `W`.
pub(super) trait Planes: Send {
    fn clock(&mut self, program: &GateProgram);
    fn load(&mut self, slot: usize, width: usize, values: &[u64]);
    fn store(&self, slots: &[u32], values: &mut [u64]);
    /// The planes, `W` words each, and the memories.
    fn parts(&mut self) -> (&mut [u64], &mut [Content]);
    fn values(&self) -> &[u64];
    fn stores(&self) -> &[Content];
}

/// Zeroed words; on huge pages where the system gives them, because lanes read far apart.
pub(super) enum Content {
    Mapped(memmap2::MmapMut, usize),
    Plain(Vec<u64>),
}

impl Content {
    fn new(words: usize) -> Self {
        match memmap2::MmapMut::map_anon((words * 8).max(1)) {
            Ok(map) => {
                #[cfg(target_os = "linux")]
                // Without them it is slower, not wrong.
                let _ = map.advise(memmap2::Advice::HugePage);
                Content::Mapped(map, words)
            }
            Err(_) => Content::Plain(vec![0; words]),
        }
    }
}

impl std::ops::Deref for Content {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        match self {
            // SAFETY: a mapping begins at a page, has that many words, and any bytes are words.
            Content::Mapped(map, words) => unsafe {
                std::slice::from_raw_parts(map.as_ptr().cast(), *words)
            },
            Content::Plain(words) => words,
        }
    }
}

impl std::ops::DerefMut for Content {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            // SAFETY: as above.
            Content::Mapped(map, words) => unsafe {
                std::slice::from_raw_parts_mut(map.as_mut_ptr().cast(), *words)
            },
            Content::Plain(words) => words,
        }
    }
}

pub(super) struct State<const W: usize> {
    /// `W` words a slot.
    planes: Content,
    /// Word `n` of a store's `words` at address `a` in lane `l` is at `(a * lanes + l) * words + n`.
    stores: Vec<Content>,
    /// Addresses of each lookup, by lane.
    addresses: Vec<[[u32; 64]; W]>,
    vectors: Vectors,
}

impl<const W: usize> State<W> {
    pub(super) fn new(program: &GateProgram) -> Self {
        check(program);
        let stores = program.stores.iter();
        Self {
            planes: Content::new(program.slots * W),
            stores: stores
                .map(|(addresses, words)| Content::new(addresses * words * 64 * W))
                .collect(),
            addresses: vec![[[0; 64]; W]; program.lookups.len()],
            vectors: Vectors::detect(),
        }
    }
}

/// Vector instructions of this processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vectors {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Vectors {
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") && has!("bmi1") && has!("bmi2") {
                return Self::Avx2;
            }
        }
        Self::Plain
    }
}

/// Checks every slot that [`clock_here`] uses without a check of its own.
fn check(program: &GateProgram) {
    let slot = |s: u32| assert!((s as usize) < program.slots, "a slot beyond the last");
    for batch in &program.batches {
        for code in &program.code[batch.from as usize..batch.to as usize] {
            let index = code[0] as usize;
            match batch.gate {
                Gate::Address => assert!(index < program.lookups.len(), "a lookup beyond the last"),
                Gate::Read => assert!(index < program.reads.len(), "a read beyond the last"),
                Gate::Write => assert!(index < program.writes.len(), "a write beyond the last"),
                Gate::Machine => {
                    let functions = program.machine.as_ref().map_or(0, Machine::functions);
                    assert!(index < functions, "a piece of code beyond the last");
                }
                _ => code.iter().for_each(|s| slot(*s)),
            }
        }
    }
}

impl<const W: usize> Planes for State<W> {
    fn clock(&mut self, program: &GateProgram) {
        assert_eq!(self.planes.len(), program.slots * W);
        // SAFETY (each): `check` has seen the program's slots, and `Vectors::detect` the processor.
        match self.vectors {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => unsafe { clock_avx2(self, program) },
            Vectors::Plain => unsafe { clock_here(self, program) },
        }
    }

    fn load(&mut self, slot: usize, width: usize, values: &[u64]) {
        let mut rows = [[0u64; W]; 64];
        for (lane, value) in values.iter().enumerate() {
            rows[lane % 64][lane / 64] = *value;
        }
        self.transpose(&mut rows);
        self.planes[slot * W..(slot + width) * W].copy_from_slice(rows[..width].as_flattened());
    }

    fn store(&self, slots: &[u32], values: &mut [u64]) {
        let mut rows = [[0u64; W]; 64];
        for (row, slot) in rows.iter_mut().zip(slots) {
            row.copy_from_slice(&self.planes[*slot as usize * W..][..W]);
        }
        self.transpose(&mut rows);
        for (lane, value) in values.iter_mut().enumerate() {
            *value = rows[lane % 64][lane / 64];
        }
    }

    fn parts(&mut self) -> (&mut [u64], &mut [Content]) {
        (&mut self.planes, &mut self.stores)
    }

    fn values(&self) -> &[u64] {
        &self.planes
    }

    fn stores(&self) -> &[Content] {
        &self.stores
    }
}

impl<const W: usize> State<W> {
    fn transpose(&self, rows: &mut [[u64; W]; 64]) {
        match self.vectors {
            Vectors::Plain => transpose::<W, 64>(rows),
            // SAFETY: the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => unsafe { transpose_avx2(rows) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn transpose_avx2<const W: usize>(rows: &mut [[u64; W]; 64]) {
    transpose::<W, 64>(rows);
}

/// The clock, compiled for processors with AVX2.
///
/// # Safety
/// The program must have passed [`check`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
unsafe fn clock_avx2<const W: usize>(state: &mut State<W>, program: &GateProgram) {
    // SAFETY: as this function's own condition.
    unsafe { clock_here(state, program) }
}

/// Transposes squares of `N` bits: bit `c` of row `r` goes to bit `r` of row `c`, in every word and every `N` bits of it.
#[inline(always)]
fn transpose<const W: usize, const N: usize>(rows: &mut [[u64; W]; N]) {
    let mut distance = N / 2;
    // The lower half of every 2 * distance bits.
    let mut low = match N {
        64 => 0x0000_0000_ffff_ffffu64,
        32 => 0x0000_ffff_0000_ffff,
        16 => 0x00ff_00ff_00ff_00ff,
        _ => 0x0f0f_0f0f_0f0f_0f0f,
    };
    while distance > 0 {
        let mut row = 0;
        while row < N {
            for i in row..row + distance {
                let (mut x, mut y) = (rows[i], rows[i + distance]);
                for w in 0..W {
                    let swap = ((x[w] >> distance) ^ y[w]) & low;
                    y[w] ^= swap;
                    x[w] ^= swap << distance;
                }
                rows[i] = x;
                rows[i + distance] = y;
            }
            row += 2 * distance;
        }
        distance /= 2;
        low ^= low << distance;
    }
}

/// The words of all lanes from planes, lowest bit first: `out[w][l]` is that of lane `64 w + l`.
#[inline(always)]
fn words_of<const W: usize>(planes: &[[u64; W]], slots: &[u32], out: &mut [[u64; W]; 64]) {
    if slots.len() <= 16 {
        let mut rows = [[0u64; W]; 16];
        for (row, slot) in rows.iter_mut().zip(slots) {
            *row = planes[*slot as usize];
        }
        transpose::<W, 16>(&mut rows);
        for (l, row) in rows.iter().enumerate() {
            for quarter in 0..4 {
                for w in 0..W {
                    out[16 * quarter + l][w] = row[w] >> (16 * quarter) & 0xffff;
                }
            }
        }
        return;
    }
    for (k, row) in out.iter_mut().enumerate() {
        *row = slots.get(k).map_or([0; W], |slot| planes[*slot as usize]);
    }
    transpose::<W, 64>(out);
}

/// Runs gates of one kind.
///
/// # Safety
/// Every slot of `code` must exist.
#[inline(always)]
unsafe fn gates<const W: usize, const INPUTS: usize>(
    planes: &mut [[u64; W]],
    code: &[gates::GateCode],
    f: impl Fn(u64, u64, u64) -> u64,
) {
    for &[d, a, b, c] in code {
        // SAFETY: by this function's own condition.
        unsafe {
            let x = *planes.get_unchecked(a as usize);
            let y = if INPUTS > 1 {
                *planes.get_unchecked(b as usize)
            } else {
                x
            };
            let z = if INPUTS > 2 {
                *planes.get_unchecked(c as usize)
            } else {
                x
            };
            let mut result = [0; W];
            for w in 0..W {
                result[w] = f(x[w], y[w], z[w]);
            }
            *planes.get_unchecked_mut(d as usize) = result;
        }
    }
}

/// One clock of all lanes.
///
/// # Safety
/// The program must have passed [`check`].
#[inline(always)]
unsafe fn clock_here<const W: usize>(state: &mut State<W>, program: &GateProgram) {
    let (planes, _) = state.planes.as_chunks_mut::<W>();
    for batch in &program.batches {
        let code = &program.code[batch.from as usize..batch.to as usize];
        macro_rules! run {
            ($inputs:literal, $f:expr) => {
                // SAFETY: by this function's own condition.
                unsafe { gates::<W, $inputs>(planes, code, $f) }
            };
        }
        match batch.gate {
            Gate::Leaf => {}
            Gate::Copy => run!(1, |a, _, _| a),
            Gate::Not => run!(1, |a, _, _| !a),
            Gate::And => run!(2, |a, b, _| a & b),
            Gate::AndNot => run!(2, |a, b, _| a & !b),
            Gate::Or => run!(2, |a, b, _| a | b),
            Gate::Xor => run!(2, |a, b, _| a ^ b),
            Gate::Choose => run!(3, |c, a, b| b ^ (c & (a ^ b))),
            Gate::And3 => run!(3, |a, b, c| a & b & c),
            Gate::Or3 => run!(3, |a, b, c| a | b | c),
            Gate::Xor3 => run!(3, |a, b, c| a ^ b ^ c),
            Gate::AndOr => run!(3, |a, b, c| (a & b) | c),
            Gate::OrAnd => run!(3, |a, b, c| (a | b) & c),
            Gate::AndXor => run!(3, |a, b, c| (a & b) ^ c),
            Gate::Machine => {
                let Some(machine) = &program.machine else {
                    continue;
                };
                for index in code.iter().map(|c| c[0] as usize) {
                    // SAFETY: it is such a function, and its slots are those of the program.
                    let piece: extern "sysv64" fn(*mut u64) =
                        unsafe { std::mem::transmute(machine.entry(index)) };
                    // It works on at most 256 lanes.
                    for lanes in (0..W).step_by(4) {
                        piece(planes.as_flattened_mut()[lanes..].as_mut_ptr());
                    }
                }
            }
            Gate::Address => {
                for index in code.iter().map(|c| c[0] as usize) {
                    let lookup = &program.lookups[index];
                    let (_, words) = program.stores[lookup.store as usize];
                    let content = &state.stores[lookup.store as usize][..];
                    let mut rows = [[0; W]; 64];
                    words_of(planes, &lookup.address, &mut rows);
                    let addresses = &mut state.addresses[index];
                    for w in 0..W {
                        for l in 0..64 {
                            let address = rows[l][w] as u32;
                            addresses[w][l] = address;
                            let at = (address as usize * 64 * W + 64 * w + l) * words;
                            prefetch(content, at);
                        }
                    }
                }
            }
            Gate::Read => {
                for index in code.iter().map(|c| c[0] as usize) {
                    let read = &program.reads[index];
                    let (_, words) = program.stores[read.store as usize];
                    let content = &state.stores[read.store as usize][..];
                    let addresses = &state.addresses[read.lookup as usize];
                    let word = |w: usize, l: usize| {
                        let at = addresses[w][l] as usize * 64 * W + 64 * w + l;
                        content[at * words + read.word as usize]
                    };
                    if read.data.len() <= 16 {
                        let mut rows = [[0u64; W]; 16];
                        for (l, row) in rows.iter_mut().enumerate() {
                            for (w, value) in row.iter_mut().enumerate() {
                                *value = (0..4).fold(0, |v, q| v | word(w, 16 * q + l) << (16 * q));
                            }
                        }
                        transpose::<W, 16>(&mut rows);
                        for (slot, row) in read.data.iter().zip(&rows) {
                            planes[*slot as usize] = *row;
                        }
                        continue;
                    }
                    let mut rows = [[0u64; W]; 64];
                    for (l, row) in rows.iter_mut().enumerate() {
                        for (w, value) in row.iter_mut().enumerate() {
                            *value = word(w, l);
                        }
                    }
                    transpose::<W, 64>(&mut rows);
                    for (slot, row) in read.data.iter().zip(&rows) {
                        planes[*slot as usize] = *row;
                    }
                }
            }
            Gate::Write => {
                let mut addresses = [[0; W]; 64];
                let mut last: &[u32] = &[];
                let mut data = [[0; W]; 64];
                let mut last_data: &[u32] = &[];
                for index in code.iter().map(|c| c[0] as usize) {
                    let write = &program.writes[index];
                    let enable = planes[write.enable as usize];
                    if enable == [0; W] {
                        continue;
                    }
                    let (_, words) = program.stores[write.store as usize];
                    let content = &mut state.stores[write.store as usize][..];
                    if *last != write.address[..] {
                        words_of(planes, &write.address, &mut addresses);
                        last = &write.address;
                    }
                    for (limb, slots) in write.data.iter().enumerate() {
                        if *last_data != slots[..] {
                            words_of(planes, slots, &mut data);
                            last_data = slots;
                        }
                        for w in 0..W {
                            let mut left = enable[w];
                            while left != 0 {
                                let l = left.trailing_zeros() as usize;
                                left &= left - 1;
                                let at = addresses[l][w] as usize * 64 * W + 64 * w + l;
                                content[at * words + write.word as usize + limb] = data[l][w];
                            }
                        }
                    }
                }
            }
        }
    }
    for (to, from) in &program.late {
        planes[*to as usize] = planes[*from as usize];
    }
}

/// Asks for the word at `at`, which will be read soon.
#[inline(always)]
fn prefetch(content: &[u64], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address does nothing but ask for it.
    unsafe {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>(content.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (content, at);
}
