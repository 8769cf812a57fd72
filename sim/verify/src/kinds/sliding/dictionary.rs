use bloomline_spec::{CuckooGeometry, SlidingGeometry};
use bloomline_theory::sliding::{CuckooTables, Dictionary};

/// The dictionary of a geometry, as theory takes it.
pub fn dictionary(geometry: &SlidingGeometry) -> Dictionary {
    Dictionary {
        live: geometry.live_items(),
        generation_items: geometry.generation_items(),
        front_buckets: geometry.front_buckets(),
        back_buckets: geometry.back_buckets(),
        bucket_cells: geometry.bucket_cells(),
        store_cells: geometry.store_cells(),
        fingerprint_bits: geometry.fingerprint_bits(),
    }
}

/// The cuckoo tables of a geometry, as theory takes them.
pub fn cuckoo_tables(geometry: &CuckooGeometry) -> CuckooTables {
    CuckooTables {
        generations: geometry.generations().into(),
        generation_items: geometry.generation_items(),
        rows: geometry.rows(),
        row_cells: geometry.row_cells(),
        stash_cells: geometry.stash_cells(),
        fingerprint_bits: geometry.fingerprint_bits(),
        generation_bits: geometry.generation_bits(),
    }
}
