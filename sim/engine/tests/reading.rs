//! Claims about the reader of Verilog: what the back end does not print is refused at its place.

use bloomline_engine::{Design, EngineError, Initial};

fn read(text: &str) -> Result<Design, EngineError> {
    Design::read(&[("a.v".into(), text.into())], "top", None)
}

/// Body of a module with `input [7:0] a`, `input clock`, `input b`, `output [7:0] y`; line, column and what the message says.
const REFUSED: [(&str, u32, u32, &str); 64] = [
    // Constructs that the back end does not print.
    ("parameter p = 1;", 2, 1, "`parameter` is not part"),
    ("generate endgenerate", 2, 1, "`generate` is not part"),
    ("genvar i;", 2, 1, "`genvar`"),
    ("task t; endtask", 2, 1, "`task`"),
    ("supply0 gnd;", 2, 1, "`supply0`"),
    ("and g (y, a, b);", 2, 1, "`and`"),
    ("tri [7:0] t;", 2, 1, "`tri`"),
    ("wire signed [7:0] t = a;", 2, 6, "`signed`"),
    ("reg r = 1'b0;", 2, 7, "an initial value in a declaration"),
    ("wire w [0:3];", 2, 6, "an array of wires"),
    (
        "reg [7:0] m [0:3][0:3];",
        2,
        18,
        "a memory of several dimensions",
    ),
    (
        "reg [7:0] m [1:3];",
        2,
        14,
        "a memory that does not begin at 0",
    ),
    ("wire [8:1] w = a;", 2, 9, "a range that does not end at 0"),
    ("assign y = a / 2;", 2, 14, "the operator `/`"),
    ("assign y = a % 2;", 2, 14, "the operator `%`"),
    ("assign y = a ** 2;", 2, 14, "the operator `**`"),
    ("assign y = a >>> 2;", 2, 14, "the operator `>>>`"),
    ("assign y = {8{a === 8'd1}};", 2, 17, "the operator `===`"),
    ("assign y = 8'bxxxx0000;", 2, 12, "a literal with `x`"),
    ("assign y = 8'sd1;", 2, 12, "a signed literal"),
    ("assign y = 1.5;", 2, 12, "a real number"),
    (
        "assign y = $random;",
        2,
        12,
        "the system task or function `$random`",
    ),
    ("`define X 1", 2, 1, "the directive"),
    ("assign \\y = a;", 2, 8, "the escaped name"),
    ("assign {y} = a;", 2, 8, "an assignment to a concatenation"),
    ("assign y = a[0][0];", 2, 16, "a select of a select"),
    ("assign y = a[7 -: 2];", 2, 16, "a part select with `-:`"),
    ("assign y = top.a;", 2, 15, "a hierarchical name"),
    (
        "reg r; always @(b) r = a[0];",
        2,
        17,
        "a list of signals after `@`",
    ),
    ("reg r; always #5 r = !r;", 2, 15, "`always` without `@`"),
    (
        "reg r; always @(posedge clock) r = b;",
        2,
        32,
        "`=` in a clocked process",
    ),
    (
        "reg r; always @* r <= b;",
        2,
        18,
        "`<=` in a process without a clock",
    ),
    (
        "reg r; always @(posedge clock) r <= #1 b;",
        2,
        37,
        "a delay in an assignment",
    ),
    (
        "reg r; always @(posedge clock) while (b) r <= b;",
        2,
        32,
        "`while` in a statement",
    ),
    (
        "reg r; always @(posedge clock) casez (b) default: r <= b; endcase",
        2,
        32,
        "`casez` in a statement",
    ),
    (
        "reg r; always @* begin : named r = b; end",
        2,
        24,
        "a named block",
    ),
    ("initial $display(\"x\");", 2, 9, "the system task"),
    ("initial if (1) ;", 2, 13, "`if` in `initial`"),
    (
        "other #(.P(1)) o (.x(b));",
        2,
        7,
        "an instance with parameters",
    ),
    ("other o (b);", 2, 10, "a port connected by its place"),
    ("other o (.x());", 2, 13, "a port that is left open"),
    ("other o [1:0] (.x(b));", 2, 9, "an array of instances"),
    // What contradicts itself.
    (
        "assign y = a; assign y[3] = b;",
        2,
        22,
        "top.y has two drivers; the other is at a.v:2:8",
    ),
    ("assign y = a; reg [7:0] y;", 2, 25, "y is declared twice"),
    ("assign y = c;", 2, 12, "c is not declared"),
    ("assign y[8] = b;", 2, 8, "top.y has bits 7:0, not 8:8"),
    ("assign y = a[8:1];", 2, 12, "a has bits 7:0, not 8:1"),
    ("assign y = {a[0], 3};", 2, 19, "a number without a size"),
    ("assign y = 4'd16;", 2, 12, "does not fit its 4 bits"),
    ("assign y = 4294967296;", 2, 12, "does not fit the 32 bits"),
    ("wire w; assign y = {8{w}};", 2, 23, "nothing drives top.w"),
    (
        "assign y = {y[6:0], b};",
        2,
        8,
        "a combinational loop: top.y depends on itself",
    ),
    ("wire c = !d; wire d = c;", 2, 6, "a combinational loop"),
    (
        "reg r; always @* if (b) r = 1'b1;",
        2,
        8,
        "top.r is not assigned on every path",
    ),
    (
        "reg r; always @* begin r = r ^ b; end",
        2,
        28,
        "r is read before it is assigned",
    ),
    (
        "wire w; always @* w = b;",
        2,
        19,
        "w is a wire; a process assigns regs",
    ),
    (
        "always @* y = a;",
        2,
        11,
        "y is a wire; a process assigns regs",
    ),
    (
        "reg [7:0] m [0:64'hffffffffffffffff];",
        2,
        16,
        "the memory is too great",
    ),
    ("missing m (.x(b));", 2, 1, "no module missing"),
    (
        "other o (.x(b), .z(b));",
        2,
        18,
        "module other has no port z",
    ),
    (
        "other o (.x(a));",
        2,
        13,
        "port x of module other has 1 bits, what is connected has 8",
    ),
    (
        "other o ();",
        2,
        7,
        "port x of module other is not connected",
    ),
    ("assign y = f(a);", 2, 12, "no function f"),
    (
        "reg r; always @(posedge a) r <= b;",
        2,
        25,
        "the edge of a, which has several bits",
    ),
];

#[test]
fn what_the_back_end_does_not_print_is_refused_at_its_place() {
    for (body, line, column, message) in REFUSED {
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
            (line, column),
            (place.line, place.column),
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
