/// The example specifications that come with the crate: file name and text.
///
/// All of them have 104-bit keys, so integers from a CSV file and IPv4 5-tuples from a capture both feed them.
pub const EXAMPLES: &[(&str, &str)] = &[
    (
        "examples/onehit.toml",
        include_str!("../examples/onehit.toml"),
    ),
    (
        "examples/dedup.toml",
        include_str!("../examples/dedup.toml"),
    ),
    (
        "examples/stress.toml",
        include_str!("../examples/stress.toml"),
    ),
];

/// The example specifications of recycling filters in the shared layout.
pub const SHARED_ARRAY_EXAMPLES: &[(&str, &str)] = &[(
    "examples/flows.toml",
    include_str!("../examples/flows.toml"),
)];

/// The example specifications of recycling filters with a spare half.
pub const SPARE_HALF_EXAMPLES: &[(&str, &str)] =
    &[("examples/lean.toml", include_str!("../examples/lean.toml"))];

/// The example specifications of filters of single cells, bits and counters.
pub const IN_PLACE_EXAMPLES: &[(&str, &str)] = &[
    (
        "examples/roster.toml",
        include_str!("../examples/roster.toml"),
    ),
    (
        "examples/tally.toml",
        include_str!("../examples/tally.toml"),
    ),
];

/// The example specifications of sliding-window filters.
pub const SLIDING_EXAMPLES: &[(&str, &str)] = &[(
    "examples/window.toml",
    include_str!("../examples/window.toml"),
)];

/// The example specifications of sliding-window filters on cuckoo tables.
pub const CUCKOO_EXAMPLES: &[(&str, &str)] = &[(
    "examples/recent.toml",
    include_str!("../examples/recent.toml"),
)];

/// The example specifications of filters of cells, one a kind.
pub const CELL_EXAMPLES: &[(&str, &str)] = &[
    (
        "examples/members.toml",
        include_str!("../examples/members.toml"),
    ),
    (
        "examples/hotkeys.toml",
        include_str!("../examples/hotkeys.toml"),
    ),
    (
        "examples/heavy.toml",
        include_str!("../examples/heavy.toml"),
    ),
];

/// More example specifications of filters of cells: one shared array with distinct positions, rows of prime width, a keyed hash,
/// conservative update.
pub const SCHEME_EXAMPLES: &[(&str, &str)] = &[
    (
        "examples/classic.toml",
        include_str!("../examples/classic.toml"),
    ),
    (
        "examples/sketch.toml",
        include_str!("../examples/sketch.toml"),
    ),
    (
        "examples/guarded.toml",
        include_str!("../examples/guarded.toml"),
    ),
    (
        "examples/trending.toml",
        include_str!("../examples/trending.toml"),
    ),
];

/// The example specifications of packet paths.
pub const PACKET_EXAMPLES: &[(&str, &str)] = &[(
    "examples/inline.toml",
    include_str!("../examples/inline.toml"),
)];

/// The example specifications of line cards.
pub const LINECARD_EXAMPLES: &[(&str, &str)] = &[(
    "examples/linecard.toml",
    include_str!("../examples/linecard.toml"),
)];

/// The example specifications of cards.
pub const CARD_EXAMPLES: &[(&str, &str)] = &[(
    "examples/admit.toml",
    include_str!("../examples/admit.toml"),
)];

/// Every example specification: file name and text.
pub fn all_examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    let sets = [
        EXAMPLES,
        SHARED_ARRAY_EXAMPLES,
        SPARE_HALF_EXAMPLES,
        IN_PLACE_EXAMPLES,
        CELL_EXAMPLES,
        SCHEME_EXAMPLES,
        SLIDING_EXAMPLES,
        CUCKOO_EXAMPLES,
        CARD_EXAMPLES,
        PACKET_EXAMPLES,
        LINECARD_EXAMPLES,
    ];
    sets.into_iter().flatten().copied()
}
