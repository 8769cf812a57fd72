//! Designs of different names stand in one project: no module of one is taken for a module of another.

use bloomline_bench::built_in::BuiltIn;
use bloomline_bench::lockstep::Device;
use bloomline_bench::verilator::{icarus_accepts, lint, Design, Initial, VerilatorError};
use bloomline_hdl::emit::Emitted;
use bloomline_hdl::{design_verilog, filter_verilog};
use bloomline_spec::ports::filter_ports;
use bloomline_spec::{
    Common, FilterSpec, SpecError, CARD_EXAMPLES, CELL_EXAMPLES, EXAMPLES, LINECARD_EXAMPLES,
    PACKET_EXAMPLES, SCHEME_EXAMPLES, SHARED_ARRAY_EXAMPLES, SLIDING_EXAMPLES,
};
use bloomline_tests::{skip, toolchain, Sample};
use bloomline_toolchain::{run_yosys_script, Program, ToolchainError};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::path::Path;

/// An example: its name, its design as it is before names, and as it is shipped.
struct Example {
    name: String,
    plain: Emitted,
    shipped: Emitted,
}

fn examples() -> Vec<Example> {
    let all = [
        EXAMPLES,
        SHARED_ARRAY_EXAMPLES,
        CELL_EXAMPLES,
        SCHEME_EXAMPLES,
        SLIDING_EXAMPLES,
        CARD_EXAMPLES,
        PACKET_EXAMPLES,
        LINECARD_EXAMPLES,
    ];
    let of = |(file, text): (&str, &str)| {
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("reads");
        // half the bits in place of an `auto` threshold, which is one constant of the text
        let design = spec.design_with::<SpecError>(|sizing, _| Ok(sizing.half_bits() / 2));
        let design = design.expect("is legal");
        let name = design.name().to_owned();
        let plain = design_verilog(&design, "").expect("every legal geometry can be printed");
        let shipped = plain.named_after(&name);
        Example {
            name,
            plain,
            shipped,
        }
    };
    all.concat().into_iter().map(of).collect()
}

fn file(emitted: &Emitted) -> (String, String) {
    let top = emitted.modules.last().expect("a design has a top module");
    (format!("{}.v", top.name), emitted.text())
}

#[test]
fn no_module_of_an_example_has_the_name_of_another_examples() {
    let mut owners = HashMap::new();
    for example in &examples() {
        for module in &example.shipped.modules {
            let owner = owners.insert(module.name.clone(), &example.name);
            assert_eq!(owner, None, "{} of {}", module.name, example.name);
        }
    }
}

#[test]
fn what_is_shipped_is_what_is_tested_but_for_names() {
    for example in examples() {
        let prefix = format!("{}__", example.name);
        let unnamed = example.shipped.text().replace(&prefix, "");
        assert!(unnamed == example.plain.text(), "{}", example.name);
        assert!(!example.plain.text().contains(&prefix), "{}", example.name);
    }
}

/// A design of the sample with its own name and hash constants.
fn sample(name: &str, seed: u32) -> (Emitted, Vec<bloomline_spec::ports::Port>) {
    let sample = Sample {
        partition_bits: 1024,
        ..Sample::BASE
    };
    let text = sample
        .toml()
        .replace("\"sample\"", &format!("{name:?}"))
        .replace("seed = 1\n", &format!("seed = {seed}\n"));
    let spec = FilterSpec::from_toml(&text, Path::new("sample.toml")).expect("reads");
    let geometry = spec.validate().expect("is legal").with_threshold(2_000);
    let geometry = geometry.expect("is legal");
    let common: &Common = &geometry;
    let emitted = filter_verilog(&geometry, "").expect("can be printed");
    (emitted.named_after(name), filter_ports(common))
}

#[test]
fn two_filters_that_differ_in_their_seed_alone_each_answer_as_by_themselves() {
    let [(first, ports), (second, _)] = [sample("first", 1), sample("second", 2)];
    // One module with both: the same inputs to each, outputs of its own from each.
    let is_output = |port: &&bloomline_spec::ports::Port| {
        port.direction == bloomline_spec::ports::Direction::Output
    };
    let mut heads: Vec<String> = ports
        .iter()
        .filter(|port| !is_output(port))
        .map(|port| format!("  input wire [{}:0] {}", port.width - 1, port.name))
        .collect();
    let mut both_ports: Vec<_> = ports
        .iter()
        .filter(|port| !is_output(port))
        .cloned()
        .collect();
    let mut instances = String::new();
    for name in ["first", "second"] {
        let mut pins = Vec::new();
        for port in &ports {
            let mut own = port.clone();
            if is_output(&port) {
                own.name = format!("{name}_{}", port.name);
                heads.push(format!("  output wire [{}:0] {}", own.width - 1, own.name));
                both_ports.push(own.clone());
            }
            pins.push(format!("    .{} ({})", port.name, own.name));
        }
        instances += &format!("  {name} {name}_filter (\n{}\n  );\n", pins.join(",\n"));
    }
    let text = format!(
        "module both (\n{}\n);\n{instances}endmodule\n",
        heads.join(",\n")
    );
    let sources = vec![file(&first), file(&second), ("both.v".to_owned(), text)];
    let both = Design::around("both", Some("clock"), both_ports, sources);
    let alone = |name: &str, emitted: &Emitted| {
        Design::around(name, Some("clock"), ports.clone(), vec![file(emitted)])
    };
    let designs = [alone("first", &first), alone("second", &second)];
    let open = |design: &Design| BuiltIn::open(design, Initial::Zeros).expect("it reads");
    let mut together = open(&both);
    let mut apart = designs.each_ref().map(open);
    let mut rng = ChaCha8Rng::seed_from_u64(26);
    let mut inputs = vec![0; both.input_words()];
    let mut got = vec![0; both.output_words()];
    let mut verdicts = [Vec::new(), Vec::new()];
    for clock in 0..3_000 {
        for (port, word) in both.inputs() {
            inputs[word] = match port.name.as_str() {
                "reset" => u64::from(clock < 2),
                "s_item_tvalid" | "m_verdict_tready" => 1,
                "s_item_tdata" => rng.random_range(0..4_000),
                "s_item_tuser" => 2,
                _ => 0,
            };
        }
        together.step(&inputs, &mut got).expect("it runs");
        let mut expected = Vec::new();
        for ((device, design), verdicts) in apart.iter_mut().zip(&designs).zip(&mut verdicts) {
            let mut outputs = vec![0; design.output_words()];
            device.step(&inputs, &mut outputs).expect("it runs");
            let at = |name| design.word_of(name).expect("a port of a filter");
            if outputs[at("m_verdict_tvalid")] == 1 {
                verdicts.push(outputs[at("m_verdict_tdata")]);
            }
            expected.extend(outputs);
        }
        assert_eq!(got, expected, "clock {clock}");
    }
    assert!(verdicts[0].len() > 1_000, "{}", verdicts[0].len());
    assert_ne!(
        verdicts[0], verdicts[1],
        "other constants, other false positives"
    );
}

/// Every example in one project.
fn project() -> Vec<(String, String)> {
    examples()
        .iter()
        .map(|example| file(&example.shipped))
        .collect()
}

#[test]
#[ignore = "a claim"]
fn tools_take_all_examples_as_one_project() {
    let sources = project();
    let toolchain = toolchain(&[Program::Verilator, Program::Yosys]);
    let tops: Vec<&str> = sources
        .iter()
        .map(|(file, _)| file.trim_end_matches(".v"))
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = String::new();
    for (file, text) in &sources {
        std::fs::write(folder.path().join(file), text).expect("written");
        script += &format!("read_verilog {file}; ");
    }
    for top in &tops {
        let warnings = lint(&toolchain, &sources, top).expect("lint runs");
        let doubled = warnings
            .iter()
            .find(|warning| warning.code == "MODDUP" || warning.is_error);
        assert!(doubled.is_none(), "{top}: {doubled:?}");
        match icarus_accepts(&toolchain, &sources, top) {
            Ok(log) => assert_eq!(log.text().trim(), "", "{top}"),
            Err(VerilatorError::Toolchain(error @ ToolchainError::NotFound { .. })) => skip(error),
            Err(error) => panic!("{top}: {error}"),
        }
        script += &format!("hierarchy -check -top {top}; design -save {top}; ");
        script += "design -reset; ";
        script += &sources
            .iter()
            .map(|(file, _)| format!("read_verilog {file}; "))
            .collect::<String>();
    }
    run_yosys_script(&toolchain, folder.path(), &script).expect("yosys takes all of them");
}
