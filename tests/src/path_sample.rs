use crate::setup::{is_quick, simulation, toolchain};
use crate::{CardGeometry, Sample, SampleFilter};
use bloomline_bench::lockstep::Simulation;
use bloomline_bench::path::{path_design, PathBench};
use bloomline_bench::verilator::{BuildOptions, Design, Optimisation};
use bloomline_hdl::path_verilog;
use bloomline_model::PathFilter;
use bloomline_simulated::linecard::{emitted_line_card, LineCardBench};
use bloomline_spec::{FilterSpec, Packet, LINECARD_CLOCK_HZ, MIN_CLOCKS_PER_BIT};
use bloomline_toolchain::Program;
use std::path::Path;

/// A packet path for tests: a small filter over AXI4-Lite, and what `[packet]` says.
#[derive(Debug, Clone, Copy)]
pub struct PathSample {
    /// The filter, recycling or of cells; its key is that of the source below.
    pub filter: SampleFilter,
    /// Packet field that is the key.
    pub source: &'static str,
    /// Bits of a beat.
    pub data_bits: u32,
    /// Further lines of `[packet]`.
    pub packet: &'static str,
}

impl PathSample {
    /// A recycling filter of IPv4 5-tuples, a byte a clock, and the least buffer.
    pub const BASE: PathSample = PathSample {
        filter: SampleFilter::Recycling(Sample::BASE),
        source: "ipv4-5tuple",
        data_bits: 8,
        packet: "buffer_bytes = 4096",
    };

    /// The same, which opens every tunnel.
    pub const OPENING: PathSample = PathSample {
        packet: "buffer_bytes = 4096\ntunnels = [\"vxlan\", \"gre\", \"ip-in-ip\", \"gtp-u\"]",
        ..PathSample::BASE
    };

    /// The same as the first, in a line card with a host port at this port.
    pub const fn with_host_at(port: usize) -> PathSample {
        PathSample {
            packet: match port {
                0 => "buffer_bytes = 4096\n[packet.host]\nport = 0\nmac = \"02:00:5e:10:00:01\"\nip = \"10.0.0.2\"\nauth = \"none\"",
                _ => "buffer_bytes = 4096\n[packet.host]\nport = 1\nmac = \"a6:81:42:24:18:7e\"\nip = \"172.19.231.5\"\nudp_port = 51966\nauth = \"none\"",
            },
            ..PathSample::BASE
        }
    }

    /// The same at port 0, whose host port asks for tags.
    pub const TAGGED: PathSample = PathSample {
        packet: "buffer_bytes = 4096\n[packet.host]\nport = 0\nmac = \"02:00:5e:10:00:01\"\nip = \"10.0.0.2\"",
        ..PathSample::BASE
    };

    /// The geometry.
    ///
    /// # Panics
    /// When the sample is no legal specification of a packet path, or has a sliding window.
    pub fn geometry(&self) -> CardGeometry {
        self.geometry_of("[card]\n[packet]\ntrusted_keys = true\n")
    }

    /// The geometry of a line card with this path in both directions, and the fastest UART that there is.
    ///
    /// # Panics
    /// When the sample is no legal specification of one.
    pub fn line_card(&self) -> CardGeometry {
        let baud = LINECARD_CLOCK_HZ / MIN_CLOCKS_PER_BIT;
        self.geometry_of(&format!(
            "[target]\nclock_hz = {LINECARD_CLOCK_HZ}\n[card]\nuart_baud = {baud}\n[packet]\ntrusted_keys = true\nports = \"rgmii\"\n"
        ))
    }

    fn geometry_of(&self, sections: &str) -> CardGeometry {
        let toml = match &self.filter {
            SampleFilter::Recycling(sample) => sample.toml(),
            SampleFilter::Cells(sample) => sample.toml(),
            SampleFilter::Sliding(_) => panic!("{self:?}: no window of this source"),
        };
        let key = |line: &str| match line.starts_with("bits = ") {
            true => format!("source = \"{}\"\n", self.source),
            false => format!("{line}\n"),
        };
        let mut toml: String = toml.lines().map(key).collect();
        toml.push_str(&format!(
            "{sections}data_bits = {}\n{}\n",
            self.data_bits, self.packet
        ));
        FilterSpec::from_toml(&toml, Path::new("sample.toml"))
            .and_then(|spec| spec.design())
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }
}

/// What `[packet]` says of a geometry.
///
/// # Panics
/// When it has no packet path.
pub fn packet_of(geometry: &CardGeometry) -> Packet {
    geometry.common().packet().expect("has a packet path")
}

/// The model's filter of a geometry.
pub fn path_filter(geometry: &CardGeometry) -> PathFilter {
    PathFilter::new(geometry)
}

/// The emitted packet path of a geometry.
///
/// # Panics
/// When it cannot be emitted.
pub fn emitted_path(geometry: &CardGeometry) -> Design {
    let emitted = path_verilog(geometry, "").expect("emits");
    let common = geometry.common();
    let file = format!("{}_path.v", common.name());
    path_design(common, vec![(file, emitted.text())])
}

/// A bench of the emitted packet path of a geometry, in Verilator at any size of a test.
///
/// # Panics
/// When it cannot be emitted or built.
pub fn path_bench(geometry: &CardGeometry) -> PathBench {
    let simulation = verilator_of_long_runs(&emitted_path(geometry));
    PathBench::new(simulation, path_filter(geometry)).unwrap_or_else(|error| panic!("{error}"))
}

/// A design in Verilator, compiled with full optimisation where its runs are long.
fn verilator_of_long_runs(design: &Design) -> Simulation {
    let options = BuildOptions {
        optimisation: match is_quick() {
            true => Optimisation::Quick,
            false => Optimisation::Full,
        },
        ..BuildOptions::default()
    };
    Simulation::verilator(&toolchain(&[Program::Verilator]), design, &options)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The emitted line card of a geometry.
///
/// # Panics
/// When it cannot be emitted.
pub fn line_card_of(geometry: &CardGeometry) -> Design {
    emitted_line_card(geometry).expect("emits")
}

/// A bench of the emitted line card of a geometry.
///
/// # Panics
/// When it cannot be emitted or built.
pub fn line_card_bench(geometry: &CardGeometry) -> LineCardBench {
    let design = line_card_of(geometry);
    let simulation = match is_quick() {
        true => simulation(&design),
        false => verilator_of_long_runs(&design),
    };
    LineCardBench::new(simulation, path_filter(geometry)).unwrap_or_else(|error| panic!("{error}"))
}
