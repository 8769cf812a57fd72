//! Inputs of yosys for a proof: emitted Verilog with observers, sizes, script.

use super::property::Subject;
use super::{FormalError, Method, Property};
use crate::kinds::Gateware;
use bloomline_spec::Design;
use std::fmt::Write;

/// `verilog` with the observers that the property's checker asks for, each at the end of its module.
///
/// An observer is a line `// observe MODULE: TEXT`; a name that ends with `*` means every module that starts so. One that only some filters or
/// sections have is `// observe FLAG MODULE: TEXT`.
pub fn with_observers(
    verilog: &str,
    gateware: &Design,
    property: &Property,
) -> Result<String, FormalError> {
    let flags = gateware.flags();
    let is_on = |flag: &str| flags.contains(&flag) || property.sections.contains(&flag);
    let mut text = verilog.to_owned();
    let wanted = property
        .checker
        .lines()
        .filter_map(|line| line.strip_prefix("// observe ")?.split_once(": "));
    for (module, observer) in wanted {
        let module = match module.split_once(' ') {
            Some((flag, _)) if !is_on(flag) => continue,
            Some((_, module)) => module,
            None => module,
        };
        let head = match module.strip_suffix('*') {
            Some(start) => format!("\nmodule {start}"),
            None => format!("\nmodule {module} ("),
        };
        let starts: Vec<usize> = text.match_indices(&head).map(|(at, _)| at).collect();
        if starts.is_empty() {
            return Err(FormalError::NoModule {
                property: property.name,
                module: module.to_owned(),
            });
        }
        // From the last to the first, so that earlier places stay where they are.
        for start in starts.into_iter().rev() {
            if let Some(length) = text[start..].find("\nendmodule") {
                text.insert_str(start + length, &format!("\n  {observer}"));
            }
        }
    }
    Ok(text)
}

/// The sizes that checkers are written in and the sections that are on, as yosys' arguments.
fn defines(gateware: &Design, property: &Property) -> String {
    let mut text = String::new();
    for (name, value) in gateware.sizes() {
        let _ = write!(text, " -D{name}={value}");
    }
    let _ = write!(text, " -DDUT={}", property.module(gateware));
    for flag in gateware.flags().iter().chain(property.sections) {
        let _ = write!(text, " -D{flag}");
    }
    text
}

/// What sby is asked to do.
pub fn sby_file(
    gateware: &Design,
    property: &Property,
    method: Method,
    timeout_seconds: u32,
) -> String {
    let (mode, depth) = match method {
        Method::Induction(depth) => ("prove", depth),
        Method::Cover(depth) => ("cover", depth),
        Method::ByAssertion | Method::Structural => ("prep", 1),
    };
    let top = property.top();
    let name = property.module(gateware);
    let cut: String = property
        .cut
        .iter()
        .map(|part| match part.starts_with('%') || part.contains('/') {
            // a set operation, or a part of a module of its own
            true => format!(" {part}"),
            false => format!(" {name}/{part}"),
        })
        .collect();
    let cut = match cut.is_empty() {
        true => String::new(),
        // a wire has drivers to be cut once processes are none
        false if cut.contains("/w:") => format!("hierarchy -top {top}\nproc\ncutpoint{cut}\n"),
        false => format!("hierarchy -top {top}\ncutpoint{cut}\n"),
    };
    let memory = match property.with_memory() {
        true => "memory_map\nopt -full\n",
        false => "",
    };
    let clocks = match property.subject {
        Subject::Filter(_) | Subject::Card | Subject::PacketPath | Subject::TaggedHostPort => "",
        Subject::EthernetPort => "multiclock on\n",
    };
    // A wire that is found within the design loses the attribute; one that is not would be any value.
    let observed = "select -assert-none a:hierconn\n";
    format!(
        "[options]\nmode {mode}\ndepth {depth}\n{clocks}timeout {timeout_seconds}\n\n[engines]\nsmtbmc --nopresat yices\n\n\
         [script]\nread_verilog -formal -sv{} design.v checker.sv\n{cut}prep -flatten -top {top}\n{observed}{memory}\n\
         [files]\ndesign.v\nchecker.sv\n",
        defines(gateware, property)
    )
}

/// yosys' script for the structural search: no input of the design lies in an output's cone of logic without registers.
pub fn cone_script(top: &str) -> String {
    format!(
        "read_verilog design.v\nprep -flatten -top {top}\nselect -assert-min 1 o:*\nselect -assert-min 1 i:*\n\
         select -set cone o:* %ci*:-$dff,$dffe,$sdff,$sdffe,$sdffce\nselect -assert-none @cone i:* %i\n"
    )
}

#[cfg(test)]
mod tests {
    use super::super::PROPERTIES;
    use super::*;
    use bloomline_spec::FilterSpec;
    use std::path::Path;

    const VERILOG: &str = "\nmodule queue_memory (\n  a\n);\nendmodule\n\nmodule queue_memory_2 (\n  a\n);\nendmodule\n\nmodule verdict_queue (\n  a\n);\nendmodule\n";

    fn gateware() -> Design {
        let text = "name = \"f\"\n[filter]\nkind = \"static\"\nmemory_bits = 1024\nhashes = 2\nitems = 100\n[key]\nbits = 8\n";
        FilterSpec::from_toml(text, Path::new("f.toml"))
            .and_then(|spec| spec.design())
            .expect("a legal specification")
    }

    fn queue() -> &'static Property {
        PROPERTIES
            .iter()
            .find(|property| property.name == "verdict-queue")
            .expect("it is listed")
    }

    #[test]
    fn observers_stand_at_the_end_of_every_module_they_name_and_nothing_else_changes() {
        let text = with_observers(VERILOG, &gateware(), queue()).expect("all modules are there");
        assert_eq!(
            text.matches("entries[formal_address];\nendmodule").count(),
            2
        );
        assert_eq!(text.matches("formal_used = used;").count(), 1);
        let left: String = text
            .split_inclusive('\n')
            .filter(|line| !line.contains("formal_"))
            .collect();
        assert_eq!(left, VERILOG);
    }

    #[test]
    fn a_module_that_is_not_there_is_an_error() {
        let error = with_observers("\nmodule other (\n);\nendmodule\n", &gateware(), queue());
        assert!(
            matches!(&error, Err(FormalError::NoModule { module, .. }) if module == "queue_memory*"),
            "{error:?}"
        );
    }
}
