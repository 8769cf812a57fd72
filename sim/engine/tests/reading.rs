//! Claims about the reader of Verilog: what the back end does not print is refused at its place.

use bloomline_engine::{Design, EngineError, Initial};

fn read(text: &str) -> Result<Design, EngineError> {
    Design::read(&[("a.v".into(), text.into())], "top", None)
}

#[test]
fn what_the_back_end_does_not_print_is_refused_at_its_place() {
    let lines = include_str!("refused.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let [body, column, message] = line.split(" => ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let text = format!(
            "module other (input wire x); endmodule module top (input wire [7:0] a, input wire clock, input wire b, output wire [7:0] y);\n{body}\nendmodule\n"
        );
        let error = match read(&text) {
            Ok(_) => panic!("{body} is read"),
            Err(error) => error,
        };
        let (EngineError::Refused { place, .. }
        | EngineError::Syntax { place, .. }
        | EngineError::Contradiction { place, .. }) = &error
        else {
            panic!("{body}: {error}");
        };
        assert_eq!(
            (2, column),
            (place.line, &place.column.to_string()[..]),
            "{body}: {error}"
        );
        assert!(error.to_string().contains(message), "{body}: {error}");
    }
}

#[test]
fn a_text_that_is_no_verilog_gives_an_error_and_no_panic() {
    let good =
        "module top (input wire a, output wire y); assign y = (a ^ {2{a}}) == 2'b10; endmodule";
    assert!(read(good).is_ok());
    for end in 0..good.len() {
        let part = &good[..end];
        assert!(read(part).is_err(), "{part}");
        for replacement in ["(", "]", "'", "4'", "\u{fc}", "", "begin", "?", "[a"] {
            let changed = format!("{part}{replacement}{}", &good[end + 1..]);
            // Whether it is an error depends on the place; that it comes back does not.
            let _ = read(&changed);
        }
    }
    let deep = format!(
        "module top (output wire y); assign y = {}1'b1{}; endmodule",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert!(read(&deep)
        .expect_err("too deep")
        .to_string()
        .contains("nesting"));
    let mut chain = String::from("module top (input wire a, output wire y); wire w0 = a;");
    for i in 1..30_000 {
        chain += &format!("wire w{i} = !w{} ^ a;", i - 1);
    }
    chain += "assign y = w29999; endmodule";
    let design = read(&chain).map(|d| d.ports().len());
    assert!(design.is_ok() || design.is_err_and(|e| e.to_string().contains("too long")));
}

#[test]
fn a_top_module_clock_or_port_that_is_not_there_is_named() {
    let sources = [(
        "a.v".to_string(),
        "module top (input wire a, output wire y); assign y = a; endmodule".to_string(),
    )];
    let message = |r: Result<Design, EngineError>| r.expect_err("fails").to_string();
    assert_eq!(
        "no module tap in the text; it has top",
        message(Design::read(&sources, "tap", None))
    );
    assert_eq!(
        "module top has no port y; it has a",
        message(Design::read(&sources, "top", Some("y")))
    );
    let design = Design::read(&sources, "top", None).expect("reads");
    let mut wide = design.ports().to_vec();
    wide[0].width = 2;
    assert_eq!(
        "module top: port a is declared as input of 2 bits, the text has input of 1 bits",
        message(design.clone().with_ports(&wide))
    );
    assert_eq!(
        "module top has no port y; it has a",
        message(design.clone().with_ports(&design.ports()[..1]))
    );
    let mut sim = design.open(Initial::Zeros);
    assert!(matches!(
        sim.step(&[], &mut [0]),
        Err(EngineError::Buffer {
            expected: 1,
            got: 0,
            ..
        })
    ));
    assert!(matches!(
        sim.peek("top.z"),
        Err(EngineError::NoSignal { .. })
    ));
}
