//! Claims that what Verilog would compute differently is refused, with the block, the statement and the reason.

use crate::language_support::interpret::Interpreted;
use crate::language_support::slots::Slot;
use bloomline_language::emit::{verilog, EmitError, Options};
use bloomline_language::wires::prelude::*;
use bloomline_language::wires::UInt;
use rust_hdl::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional,
    VerilogExpression as Ast, VerilogLink, VerilogLinkDetails, VerilogLoop, VerilogMatch,
    VerilogOp, VerilogOpUnary, VerilogStatement,
};

fn signal(name: &str) -> Ast {
    Ast::Signal(name.into())
}

fn number(n: i32) -> Ast {
    Ast::Literal(n.into())
}

fn assign(target: &str, value: Ast) -> VerilogStatement {
    VerilogStatement::Assignment(signal(&format!("{target}$next")), value)
}

fn when(test: Ast, then: VerilogBlock) -> VerilogStatement {
    VerilogStatement::If(VerilogConditional {
        test,
        then,
        otherwise: VerilogBlockOrConditional::None,
    })
}

fn binary(a: Ast, op: VerilogOp, b: Ast) -> Ast {
    Ast::Binary(Box::new(a), op, Box::new(b))
}

/// A block around a kernel: inputs a (8 bits), b (4), yes; locals t, u (8); output y (8); register r (8).
fn block(kernel: VerilogBlock) -> Interpreted {
    let slots = vec![
        ("a".into(), Slot::In(Bus::new(8))),
        ("b".into(), Slot::In(Bus::new(4))),
        ("yes".into(), Slot::InFlag(Wire::default())),
        ("t".into(), Slot::Local(Bus::new(8))),
        ("u".into(), Slot::Local(Bus::new(8))),
        ("y".into(), Slot::Out(Bus::new(8))),
        ("r".into(), Slot::Reg(Reg::new(8))),
    ];
    Interpreted::unchecked(slots, kernel)
}

/// Emits a kernel of which the rest is in order.
fn refusal(kernel: VerilogBlock) -> EmitError {
    let clock = VerilogStatement::Assignment(signal("r$clock$next"), signal("clock"));
    let mut whole = vec![clock];
    whole.extend(kernel);
    let mut block = block(whole);
    block.connect_all();
    verilog(&block, "top", &Options::default())
        .map(|e| e.text())
        .expect_err("must be refused")
}

/// The rest of a kernel whose point is elsewhere.
fn rest(without: &[&str]) -> VerilogBlock {
    let all = ["t", "u", "y", "r$d"];
    all.iter()
        .filter(|t| !without.contains(t))
        .map(|t| assign(t, signal("a")))
        .collect()
}

fn with_rest(without: &[&str], statements: VerilogBlock) -> VerilogBlock {
    let mut kernel = rest(without);
    kernel.extend(statements);
    kernel
}

macro_rules! refused {
    ($kernel:expr, $pattern:pat, $statement:expr) => {
        let error = refusal($kernel);
        assert!(matches!(&error, $pattern), "another error: {error:?}");
        let text = error.to_string();
        assert!(
            text.contains("top") && text.contains($statement),
            "no place in: {text}"
        );
    };
}

#[test]
fn operands_of_different_width_are_refused() {
    let sum = binary(signal("a"), VerilogOp::Add, signal("b"));
    refused!(
        with_rest(&["y"], vec![assign("y", sum)]),
        EmitError::Width {
            left: 8,
            right: 4,
            ..
        },
        "y = a + b"
    );
    refused!(
        with_rest(&["y"], vec![assign("y", signal("b"))]),
        EmitError::Width {
            left: 8,
            right: 4,
            ..
        },
        "y = b"
    );
    let test = when(signal("a"), vec![]);
    refused!(
        with_rest(&[], vec![test]),
        EmitError::Width {
            left: 8,
            right: 1,
            ..
        },
        "if a"
    );
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let equal = Ast::Cast(Box::new(binary(signal("b"), VerilogOp::Eq, number(16))), 8);
    refused!(
        with_rest(&["y"], vec![assign("y", equal)]),
        EmitError::Number {
            number: 16,
            width: 4,
            ..
        },
        "b == 16"
    );
    let cases = vec![
        VerilogCase {
            condition: "300".into(),
            block: vec![],
        },
        VerilogCase {
            condition: "default".into(),
            block: vec![],
        },
    ];
    let choice = VerilogStatement::Match(VerilogMatch {
        test: signal("a"),
        cases,
    });
    refused!(
        with_rest(&[], vec![choice]),
        EmitError::Number {
            number: 300,
            width: 8,
            ..
        },
        "match a"
    );
}

#[test]
fn arithmetic_between_integers_that_underflows_is_refused() {
    let index = Ast::Paren(Box::new(binary(number(1), VerilogOp::Sub, number(2))));
    let value = binary(signal("a"), VerilogOp::Shr, index);
    refused!(
        with_rest(&["y"], vec![assign("y", value)]),
        EmitError::ConstantOverflow { .. },
        "1 - 2"
    );
}

#[test]
fn fields_the_kernel_cannot_see_are_refused_by_name() {
    let value = binary(signal("a"), VerilogOp::Shr, signal("_low"));
    refused!(
        with_rest(&["y"], vec![assign("y", value)]),
        EmitError::UnknownName { .. },
        "_low"
    );
    refused!(
        with_rest(&["y"], vec![assign("y", signal("t[_k-1]"))]),
        EmitError::UnknownName { .. },
        "_k"
    );
    let cases = vec![VerilogCase {
        condition: "IDLE".into(),
        block: vec![],
    }];
    let choice = VerilogStatement::Match(VerilogMatch {
        test: signal("a"),
        cases,
    });
    refused!(
        with_rest(&[], vec![choice]),
        EmitError::UnknownName { .. },
        "IDLE"
    );
}

#[test]
fn latches_are_refused() {
    let kernel = vec![when(signal("yes"), vec![assign("t", signal("a"))])];
    refused!(with_rest(&["t"], kernel), EmitError::Latch { .. }, "t = a");
    let bit = Ast::IndexReplace(
        Box::new(signal("t")),
        Box::new(number(3)),
        Box::new(signal("yes")),
    );
    refused!(
        with_rest(&["t"], vec![assign("t", bit)]),
        EmitError::Latch { .. },
        "t = t.replace_bit(3, yes)"
    );
}

#[test]
fn reads_before_the_assignment_are_refused() {
    let kernel = vec![assign("u", signal("t")), assign("t", signal("a"))];
    refused!(
        with_rest(&["t", "u"], kernel),
        EmitError::ReadBeforeWrite { .. },
        "u = t"
    );
    let bits = |i: i32, from: i32| {
        let bit = Ast::Index(Box::new(signal("t")), Box::new(number(from)));
        assign(
            "t",
            Ast::IndexReplace(Box::new(signal("t")), Box::new(number(i)), Box::new(bit)),
        )
    };
    refused!(
        with_rest(&["t"], vec![bits(0, 1)]),
        EmitError::ReadBeforeWrite { .. },
        "t.get_bit(1)"
    );
}

#[test]
fn reading_back_an_input_of_a_sub_block_that_changes_is_refused() {
    let kernel = vec![
        assign("r$d", signal("a")),
        assign("y", signal("r$d")),
        when(signal("yes"), vec![assign("r$d", signal("t"))]),
    ];
    refused!(
        with_rest(&["y", "r$d"], kernel),
        EmitError::InputReadBack { .. },
        "y = r.d"
    );
}

#[test]
fn assigning_what_the_kernel_does_not_drive_is_refused() {
    refused!(
        with_rest(&[], vec![assign("r$q", signal("a"))]),
        EmitError::NotAssignable { .. },
        "r.q = a"
    );
    let error = refusal(with_rest(&[], vec![assign("a", signal("t"))]));
    assert!(
        matches!(error, EmitError::NotAssignable { .. }),
        "{error:?}"
    );
}

#[test]
fn computed_clocks_are_refused() {
    let gated = assign("r$clock", signal("yes"));
    refused!(
        with_rest(&[], vec![gated]),
        EmitError::ClockLogic { .. },
        "r.clock = yes"
    );
}

#[test]
fn signed_values_and_struct_fields_and_members_without_a_direction_are_refused() {
    let signed = Ast::Signed(Box::new(signal("a")));
    refused!(
        with_rest(&["y"], vec![assign("y", signed)]),
        EmitError::Unsupported { .. },
        "signed(a)"
    );
    let unsigned = Ast::Unsigned(Box::new(signal("a")));
    refused!(
        with_rest(&["y"], vec![assign("y", unsigned)]),
        EmitError::Unsupported { .. },
        "unsigned(a)"
    );
    let field = VerilogStatement::SliceAssignment {
        base: signal("y"),
        width: 1,
        offset: number(0),
        replacement: signal("yes"),
    };
    refused!(
        with_rest(&[], vec![field]),
        EmitError::Unsupported { .. },
        "y.field"
    );
    let details = VerilogLinkDetails {
        my_name: "a".into(),
        owner_name: "b".into(),
        other_name: "c".into(),
    };
    let link = VerilogStatement::Link(vec![VerilogLink::Bidirectional(details)]);
    refused!(
        with_rest(&[], vec![link]),
        EmitError::Unsupported { .. },
        "join or link"
    );
}

#[test]
fn bare_numbers_are_refused_where_nothing_gives_them_a_width() {
    refused!(
        with_rest(&["y"], vec![assign("y", number(3))]),
        EmitError::Unsupported { .. },
        "y = 3"
    );
    let minus = Ast::Unary(VerilogOpUnary::Neg, Box::new(number(1)));
    refused!(
        with_rest(&["y"], vec![assign("y", minus)]),
        EmitError::Unsupported { .. },
        "y = -1"
    );
}

#[test]
fn a_loop_index_that_hides_a_signal_is_refused() {
    let block = vec![assign("y", signal("a"))];
    let body = VerilogStatement::Loop(VerilogLoop {
        index: "a".into(),
        from: 0usize.into(),
        to: 2usize.into(),
        block,
    });
    refused!(
        with_rest(&["y"], vec![body]),
        EmitError::Unsupported { .. },
        "for a in"
    );
}

#[test]
fn an_undriven_signal_is_the_check_s_error() {
    let block = block(rest(&[]));
    let error = verilog(&block, "top", &Options::default())
        .map(|e| e.text())
        .expect_err("nothing is connected");
    assert!(matches!(error, EmitError::Check(_)), "{error:?}");
}

/// A block with a signal of rust-hdl's own.
#[derive(LogicBlock, Default)]
struct Foreign {
    pub a: Signal<In, rust_hdl::prelude::Bits<8>>,
    pub y: Wire<Out>,
}

impl Logic for Foreign {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = true;
    }
}

#[test]
fn rust_hdl_s_own_signals_are_refused_by_name() {
    let mut block = Foreign::default();
    block.connect_all();
    let error = verilog(&block, "top", &Options::default())
        .map(|e| e.text())
        .expect_err("must be refused");
    let EmitError::UnknownType { signal, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!("a", signal);
}

/// A block whose module name is a keyword.
#[derive(LogicBlock)]
struct Named {
    pub y: Wire<Out>,
    about: About,
}

impl Logic for Named {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = true;
    }
}

#[test]
fn a_module_name_verilog_reserves_is_refused() {
    let mut block = Named {
        y: Wire::default(),
        about: About::new("table", ""),
    };
    block.connect_all();
    let error = verilog(&block, "top", &Options::default())
        .map(|e| e.text())
        .expect_err("must be refused");
    assert!(
        matches!(&error, EmitError::BadName { name, .. } if name == "table"),
        "{error:?}"
    );
}

#[test]
fn a_width_no_value_has_is_a_fault() {
    let _ = UInt::new(0, 0);
    let error = verilog(&block(vec![]), "top", &Options::default())
        .map(|e| e.text())
        .expect_err("must be refused");
    assert!(matches!(error, EmitError::Fault(_)), "{error:?}");
}
