//! Running proofs of small filters, on the text as emitted and with faults in it.

use bloomline_assurance::formal::{
    install, prove, FormalError, Method, Proof, Property, Settings, Verdict, PROPERTIES,
};
use bloomline_spec::{Design, FilterSpec};
use bloomline_tests::faults::{with_fault, Fault};
use bloomline_toolchain::Toolchain;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The smallest filters of each pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Smallest {
    /// Recycling, two phases, two hashes, a bank a hash, partitions of 128 bits.
    Banks,
    /// Recycling, two phases, two hashes, on one array of halves of 256 bits.
    Array,
    /// Counting, two hashes, a bank of 8 words a hash.
    Counting,
    /// Conservative Count-Min sketch on one array of 8 words.
    Sketch,
    /// Recycling, two phases, two hashes, a bank of 128 single bits a half and hash.
    Halves,
    /// As `Halves`, banks of five words of which 157 positions are used.
    FiveWords,
    /// Static, two hashes, a bank of 16 rows of 16 single bits a hash.
    Bits,
    /// Counting, two hashes, a bank of 16 single counters of 16 bits a hash.
    Counters,
    /// Sliding window of one generation.
    Window,
    /// Sliding window of one generation on cuckoo tables of 16 rows.
    Tables,
}

impl Smallest {
    pub const ALL: [Smallest; 8] = [
        Smallest::Banks,
        Smallest::Array,
        Smallest::Counting,
        Smallest::Sketch,
        Smallest::Halves,
        Smallest::Bits,
        Smallest::Counters,
        Smallest::Window,
    ];

    fn filter(self) -> &'static str {
        match self {
            Smallest::Banks => {
                "kind = \"recycling\"\nmemory_bits = 512\nhashes = 2\nhashing = \"double\"\naccept_two_hash_floor = true\n\
                 [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 200"
            }
            Smallest::Array => {
                "kind = \"recycling\"\nlayout = \"shared\"\nmemory_bits = 512\nhashes = 2\nhashing = \"independent\"\naccept_two_hash_floor = true\n\
                 [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 200"
            }
            Smallest::Counting => {
                "kind = \"counting\"\nmemory_bits = 512\nhashes = 2\nhashing = \"independent\"\naccept_two_hash_floor = true\nitems = 20\n\
                 [filter.counting]\ncounter_bits = 2\nthreshold = 2"
            }
            Smallest::Sketch => {
                "kind = \"count-min\"\nlayout = \"shared\"\nconservative = true\nmemory_bits = 256\nhashes = 2\nhashing = \"independent\"\n\
                 accept_two_hash_floor = true\nitems = 20\n[filter.count-min]\ncounter_bits = 8\namount_bits = 2\nthreshold = 5"
            }
            Smallest::Halves => {
                "kind = \"recycling\"\nmemory_bits = 512\nhashes = 2\nhashing = \"double\"\naccept_two_hash_floor = true\n\
                 [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 200\n[memory]\nerase = \"spare-half\""
            }
            Smallest::FiveWords => {
                "kind = \"recycling\"\nmemory_bits = 640\nrange = 157\nhashes = 2\nhashing = \"double\"\naccept_two_hash_floor = true\n\
                 [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 200\n[memory]\nerase = \"spare-half\""
            }
            Smallest::Bits => {
                "kind = \"static\"\nmemory_bits = 512\nhashes = 2\nhashing = \"independent\"\naccept_two_hash_floor = true\nitems = 20\n\
                 [memory]\nerase = \"in-place\"\nrow_bits = 16"
            }
            Smallest::Counters => {
                "kind = \"counting\"\nmemory_bits = 512\nhashes = 2\nhashing = \"independent\"\naccept_two_hash_floor = true\nitems = 20\n\
                 [filter.counting]\ncounter_bits = 16\nthreshold = 2\n[memory]\nerase = \"in-place\""
            }
            Smallest::Tables => {
                "kind = \"sliding\"\nmemory_bits = 8448\nhashes = 1\nhashing = \"independent\"\n[filter.sliding]\ntable = \"cuckoo\"\nwindow = 164\n\
                 slack = 164\ntarget_fpr = 0.5\ngenerations = 1\nrows = 64\nrow_cells = 3\nfingerprint_bits = 8\ngeneration_bits = 3\nstash_cells = 16"
            }
            Smallest::Window => {
                "kind = \"sliding\"\nmemory_bits = 280\nhashes = 2\nhashing = \"double\"\n[filter.sliding]\nwindow = 16\nslack = 16\ntarget_fpr = 0.5\n\
                 generations = 1\ngeneration_bits = 3\nbucket_cells = 2\nstore_cells = 2\nback_buckets = 4\nfront_buckets = 16\naccept_overflow = true"
            }
        }
    }

    /// With 8-bit keys and one tag bit; for properties of a card, in a card, and for those of a packet path in one of 8 or 64 bytes a clock.
    pub fn gateware(self, property: &Property) -> Design {
        let (key, rest) = match property.name {
            "card-port" => ("bits = 8\ntag_bits = 1", "[card]"),
            "frame-stream" => (
                "source = \"src-ip\"",
                "[card]\n[packet]\ntrusted_keys = true\ndata_bits = 64\nbuffer_bytes = 4096",
            ),
            // 64 beats
            "frame-buffer" => (
                "source = \"src-ip\"",
                "[card]\n[packet]\ntrusted_keys = true\ndata_bits = 512\nbuffer_bytes = 4096",
            ),
            "host-tag" => (
                "source = \"src-ip\"",
                "[target]\nclock_hz = 125_000_000\n[card]\nuart_baud = 1_000_000\n\
                 [packet]\ntrusted_keys = true\nports = \"rgmii\"\ndata_bits = 8\nbuffer_bytes = 4096\nmax_frame_bytes = 1518\n\
                 [packet.host]\nport = 0\nmac = \"02:00:00:00:00:50\"\nip = \"192.168.1.50\"\nauth = \"siphash-2-4\"",
            ),
            // without registers too, which no verdict needs
            "verdict-line" => (
                "bits = 8\ntag_bits = 1",
                "[features]\nverdict_queue = 0\nregisters = \"none\"",
            ),
            _ => ("bits = 8\ntag_bits = 1", ""),
        };
        let text = format!(
            "name = \"smallest\"\n[filter]\n{}\n[key]\n{key}\n[hash]\nfamily = \"h3\"\nseed = 1\n{rest}\n",
            self.filter()
        );
        let resolved =
            FilterSpec::from_toml(&text, Path::new("smallest.toml")).and_then(|spec| spec.design());
        resolved.expect("a legal specification")
    }
}

/// Faults that a property of a smallest filter must fail on: a table of `faults.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultyRun {
    pub property: String,
    pub filter: Smallest,
    /// Clocks that are searched, if not the property's own.
    depth: Option<u32>,
    /// The faults show after more clocks than can be searched.
    #[serde(default)]
    deep: bool,
    pub faults: Vec<Fault>,
}

/// Every table of `faults.toml`.
pub fn faulty_runs() -> Vec<FaultyRun> {
    let mut tables: BTreeMap<String, Vec<FaultyRun>> =
        toml::from_str(include_str!("faults.toml")).expect("tables of faults");
    tables.remove("runs").expect("they are the runs")
}

pub fn property(name: &str) -> &'static Property {
    PROPERTIES
        .iter()
        .find(|property| property.name == name)
        .unwrap_or_else(|| panic!("no property {name}"))
}

/// The property, of this depth or its own, on the text as emitted.
pub fn holds_of(kind: Smallest, name: &str, depth: Option<u32>) -> Proof {
    let sound = run(kind, name, depth, None);
    let good = match sound.method {
        Method::Cover(_) => Verdict::Reached,
        _ => Verdict::Holds,
    };
    assert_eq!(sound.verdict, good, "{kind:?}: {sound:?}");
    sound
}

/// Most seconds of one proof.
const TIMEOUT_SECONDS: u32 = 3600;

/// The property on the text with each of its faults.
pub fn can_fail(name: &str) {
    let runs = faulty_runs();
    let runs: Vec<&FaultyRun> = runs.iter().filter(|run| run.property == name).collect();
    assert!(!runs.is_empty(), "{name}: no faults");
    for faulty in runs {
        for fault in &faulty.faults {
            let proof = run(faulty.filter, name, faulty.depth, Some(fault));
            if faulty.deep {
                // refused by the step of the induction, and not for want of time
                assert_ne!(proof.verdict, Verdict::Holds, "{fault:?}: {proof:?}");
                assert!(proof.seconds < f64::from(TIMEOUT_SECONDS), "{proof:?}");
                continue;
            }
            assert_eq!(proof.verdict, Verdict::Fails, "{fault:?}: {proof:?}");
            if !matches!(proof.method, Method::Cover(_)) {
                assert!(!proof.failed.is_empty(), "{proof:?}");
            }
        }
    }
}

pub fn holds(name: &str) -> Proof {
    holds_of(Smallest::Banks, name, None)
}

pub fn holds_and_can_fail(name: &str) -> Proof {
    let sound = holds(name);
    can_fail(name);
    sound
}

fn run(kind: Smallest, name: &str, depth: Option<u32>, fault: Option<&Fault>) -> Proof {
    let proof = attempt(kind, name, depth, fault).expect("a result");
    println!("{kind:?}: {proof:?}");
    proof
}

/// The property on the text as emitted or with a fault in it, whether it comes to a result or not.
pub fn attempt(
    kind: Smallest,
    name: &str,
    depth: Option<u32>,
    fault: Option<&Fault>,
) -> Result<Proof, FormalError> {
    let toolchain = Toolchain::discover().expect("a folder for tools");
    install(&toolchain, &|progress| eprintln!("{progress}")).expect("the tools of proofs");
    let gateware = kind.gateware(property(name));
    let emitted = property(name).verilog(&gateware).expect("Verilog");
    let text = match fault {
        Some(fault) => with_fault(&emitted, fault),
        None => emitted,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings {
        depth,
        timeout_seconds: TIMEOUT_SECONDS,
    };
    prove(
        &toolchain,
        &gateware,
        &text,
        property(name),
        settings,
        folder.path(),
    )
}
