//! Claims about registers that gateware asks for by name.

use bloomline_hdl::bus::{RegisterNames, RegisterPlan};
use bloomline_language::wires::{take_fault, Fault};
use bloomline_spec::FilterSpec;

const SPECIFICATION: &str = "name = \"f\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 4096\nhashes = 4\nhashing = \"double\"\n\
                             [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 100\n[key]\nbits = 32\n";

fn plan() -> RegisterPlan {
    let specification =
        FilterSpec::from_toml(SPECIFICATION, std::path::Path::new("f.toml")).expect("is TOML");
    let sizing = specification.validate().expect("is legal");
    RegisterPlan::of(&sizing.with_threshold(100).expect("is legal"))
}

#[test]
fn registers_are_found_by_their_names() {
    let plan = plan();
    let mut names = RegisterNames::new("filter", &plan);
    for (place, register) in plan.values.iter().enumerate() {
        assert_eq!(names.value(register.name), place);
    }
    for (place, register) in plan.live.iter().enumerate() {
        assert_eq!(names.live(register.name), place);
    }
    names.finish();
    assert_eq!(take_fault(), None);
}

#[test]
fn a_register_that_the_map_lacks_is_a_fault_with_both_names() {
    let plan = plan();
    RegisterNames::new("filter", &plan).value("MAX_AGES");
    let fault = take_fault().expect("is recorded");
    let text = fault.to_string();
    assert!(
        text.contains("`filter`") && text.contains("`MAX_AGES`"),
        "{text}"
    );
    RegisterNames::new("filter", &plan).packed("STATUS", &["walking"]);
    let text = take_fault().expect("is recorded").to_string();
    assert!(text.contains("`walking`"), "{text}");
}

#[test]
fn a_register_that_nobody_serves_is_a_fault_with_both_names() {
    let plan = plan();
    let mut names = RegisterNames::new("filter", &plan);
    for register in plan.values.iter().filter(|it| it.name != "MAX_AGE") {
        names.value(register.name);
    }
    for register in &plan.live {
        names.live(register.name);
    }
    names.finish();
    let fault = take_fault().expect("is recorded");
    let expected = Fault::UnservedRegister {
        block: "filter",
        register: "MAX_AGE",
    };
    assert_eq!(fault, expected);
}

#[test]
fn a_field_that_is_not_packed_is_a_fault() {
    let plan = plan();
    let most = ["running", "active_half", "epoch", "spare_epochs", "covered"];
    RegisterNames::new("filter", &plan).packed("STATUS", &most);
    let expected = Fault::UnservedRegister {
        block: "filter",
        register: "turns",
    };
    assert_eq!(take_fault(), Some(expected));
}
