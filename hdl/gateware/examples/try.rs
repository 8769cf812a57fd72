use bloomline_hdl::emit;
use bloomline_spec::FilterSpec;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let t: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let spec = FilterSpec::load(std::path::Path::new(&path)).unwrap();
    let g = spec.validate().unwrap().with_threshold(t).unwrap();
    let mut f = bloomline_hdl::pipeline::RecyclingFilter::new(&g);
    rust_hdl::prelude::Block::connect_all(&mut f);
    match emit::verilog(&f, g.name(), &emit::Options::default()) { Ok(v) => print!("{}", v.text()), Err(e) => { eprintln!("{e}"); std::process::exit(1) } }
}
