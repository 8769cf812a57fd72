use bloomline_spec::SlidingGeometry;
use bloomline_theory::sliding::Dictionary;

/// The dictionary of a geometry, as theory takes it.
pub fn dictionary(geometry: &SlidingGeometry) -> Dictionary {
    Dictionary {
        live: geometry.live_items(),
        front_buckets: geometry.front_buckets(),
        back_buckets: geometry.back_buckets(),
        bucket_cells: geometry.bucket_cells(),
        store_cells: geometry.store_cells(),
        fingerprint_bits: geometry.fingerprint_bits(),
    }
}
