//! Machine code in memory that the processor may execute.

/// Functions in machine code, each with an argument list that its maker knows.
#[derive(Debug)]
pub(crate) struct Machine {
    map: memmap2::Mmap,
    /// Where each function begins.
    entries: Vec<usize>,
}

/// Alignment of the functions in bytes.
const ALIGNMENT: usize = 64;

impl Machine {
    /// Maps functions, or gives the system's reason for refusing memory that can be executed.
    pub fn new(functions: &[Vec<u8>]) -> std::io::Result<Self> {
        let mut entries = vec![];
        let mut size = 0;
        for function in functions {
            entries.push(size);
            size += function.len().next_multiple_of(ALIGNMENT);
        }
        let mut map = memmap2::MmapMut::map_anon(size.max(1))?;
        for (at, function) in entries.iter().zip(functions) {
            map[*at..at + function.len()].copy_from_slice(function);
        }
        let map = map.make_exec()?;
        Ok(Self { map, entries })
    }

    /// Address of function `index`.
    #[inline(always)]
    pub fn entry(&self, index: usize) -> *const u8 {
        // SAFETY: every entry is within the map.
        unsafe { self.map.as_ptr().add(self.entries[index]) }
    }

    /// Number of functions.
    pub fn functions(&self) -> usize {
        self.entries.len()
    }
}
