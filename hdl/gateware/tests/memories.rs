//! Memories as the back end sees them.

use bloomline_hdl::bank::{BankMemory, BitMemory};
use bloomline_hdl::cuckoo::CellMemory;
use rust_hdl::prelude::{Atom, Block, Probe};

/// Counts what blocks show that is no port.
#[derive(Default)]
struct Shown {
    bytes: usize,
}

impl Probe for Shown {
    fn visit_atom(&mut self, _: &str, atom: &dyn Atom) {
        self.bytes += format!("{:?}", atom.descriptor()).len();
    }
}

/// A text of as many numbers as there are words would be made and dropped again for each memory of each emission.
#[test]
fn a_memory_shows_no_word_of_its_contents() {
    let shown = |memory: &dyn Block| {
        let mut shown = Shown::default();
        memory.accept("memory", &mut shown);
        shown.bytes
    };
    let sizes: [fn(usize) -> Box<dyn Block>; 3] = [
        |address_bits| Box::new(BankMemory::new(1 << address_bits)),
        |address_bits| Box::new(BitMemory::new(1 << address_bits, 1)),
        |address_bits| Box::new(CellMemory::new(address_bits, 36)),
    ];
    for of in sizes {
        let (small, large) = (shown(&*of(10)), shown(&*of(16)));
        assert!(large < small + 1_000, "{small} and {large} bytes");
    }
}
