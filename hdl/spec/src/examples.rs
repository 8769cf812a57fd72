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
