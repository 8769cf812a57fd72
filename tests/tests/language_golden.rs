//! Claims about the text the back end prints.

mod language_support;

use bloomline_hdl::emit::{verilog, Options};
use bloomline_hdl::wires::prelude::*;
use language_support::Filter;

#[test]
fn a_filter_prints() {
    let mut filter = Filter::new(1024, 4, 300);
    filter.connect_all();
    let emitted = verilog(
        &filter,
        "onehit",
        &Options {
            header: "Test.".into(),
        },
    )
    .expect("prints");
    println!("{}", emitted.text());
}
