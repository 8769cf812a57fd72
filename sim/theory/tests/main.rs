//! Every claim about the theory, in one binary.

mod caching;
mod cells;
mod counting_exact;
mod framework;
mod grid;
mod key_set;
mod occupancy_exact;
mod occupancy_random;
mod peers;
mod rational;
mod recycling_check_values;
mod recycling_exact;
mod recycling_scale;
mod recycling_simulation;
mod repeats;
mod retaining;
mod schemes_and_sizes;
mod sizing;
mod sizing_design;
mod sliding_cuckoo;
mod sliding_dictionary;
mod static_filter_exact;
mod static_properties;
mod two_hash_check_values;
mod two_hash_shared;
mod window;
