//! Exposes the registers of a design as ports.

/// First port number given to registers; yosys renumbers ports when it reads them.
const FIRST_PORT: usize = 100_000;

/// Yosys' text of a flat design of `$dff` cells with every register's output an input `r.q` and its input an output `r.d`; `r` is the wire that it drives, with its power-up value.
/// What drives a part of a wire is called by it and a number, and has no power-up value then. (`expose -evert-dff` would make such ports of every other name of the wire, too.)
pub(super) fn expose_registers(text: &str) -> String {
    let mut exposed = String::with_capacity(text.len());
    let mut register: Option<Register> = None;
    let mut count = 0;
    for line in text.lines() {
        let words = line.trim_start();
        match &mut register {
            None if words.starts_with("cell $dff ") => register = Some(Register::default()),
            None => {
                exposed += line;
                exposed.push('\n');
            }
            Some(found) => {
                if let Some(width) = words.strip_prefix("parameter \\WIDTH ") {
                    found.width = width;
                } else if let Some(input) = words.strip_prefix("connect \\D ") {
                    found.input = input;
                } else if let Some(output) = words.strip_prefix("connect \\Q ") {
                    found.output = output;
                } else if words == "end" {
                    exposed += &found.ports(count);
                    count += 1;
                    register = None;
                }
            }
        }
    }
    exposed
}

#[derive(Default)]
struct Register<'a> {
    width: &'a str,
    input: &'a str,
    output: &'a str,
}

impl Register<'_> {
    fn ports(&self, number: usize) -> String {
        let Register {
            width,
            input,
            output,
        } = self;
        let wire = output.trim_start_matches("{ ").split(' ').next();
        let name = match wire {
            Some(wire) if wire == *output && wire.starts_with('\\') => wire.to_string(),
            Some(wire) if wire.starts_with('\\') => format!("{wire}.{number}"),
            _ => format!("\\register.{number}"),
        };
        let port = FIRST_PORT + 2 * number;
        let next = port + 1;
        format!(
            "  wire width {width} input {port} {name}.q\n  wire width {width} output {next} {name}.d\n  connect {output} {name}.q\n  connect {name}.d {input}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::expose_registers;

    #[test]
    fn a_register_is_two_ports_called_by_the_wire_that_it_drives() {
        let cell = |output: &str| {
            format!(
                "  cell $dff $procdff$1\n    parameter \\WIDTH 3\n    parameter \\CLK_POLARITY 1'1\n    connect \\D $0\\a\n    connect \\Q {output}\n    connect \\CLK \\clock\n  end\n"
            )
        };
        let before = format!("  wire width 3 \\a\n{}  connect \\b \\a\n", cell("\\a"));
        let after = "  wire width 3 \\a\n  wire width 3 input 100000 \\a.q\n  wire width 3 output 100001 \\a.d\n  connect \\a \\a.q\n  connect \\a.d $0\\a\n  connect \\b \\a\n";
        assert_eq!(expose_registers(&before), after);
        assert!(expose_registers(&cell("\\a [2:0]")).contains("output 100001 \\a.0.d"));
        assert!(
            expose_registers(&cell("{ \\a [2] \\b }")).contains("connect { \\a [2] \\b } \\a.0.q")
        );
        assert!(expose_registers(&cell("$auto$1")).contains("\\register.0.q"));
    }
}
