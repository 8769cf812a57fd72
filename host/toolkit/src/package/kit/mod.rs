//! Integration kit of an emission: templates, a testbench, a cocotb test, files for software and constraints.
//!
//! Each file is text made of the design alone; its folder says whom it is for.

mod constraints;
pub mod frames;
mod ipxact;
mod software;
mod template;
mod testbench;

use crate::package::file::PackageFile;
use crate::Error;
use bloomline_spec::Design;

/// The reference in Python, the same for every design: it reads the manifest.
const REFERENCE: &str = include_str!("bloomline_reference.py");
/// The cocotb test, the same for every filter and card.
const COCOTB: &str = include_str!("test_bloomline.py");
/// The cocotb test, the same for every packet path.
const COCOTB_FRAMES: &str = include_str!("test_frames.py");

/// The files, by the paths that they have in the folder of an emission.
///
/// # Errors
/// Only if JSON cannot be written, which no value here causes.
pub fn files(design: &Design) -> Result<Vec<PackageFile>, Error> {
    let name = design.name();
    let mut files = vec![
        ("component.xml".to_owned(), ipxact::text(design)),
        (format!("templates/{name}.v"), template::verilog(design)),
        (
            format!("templates/{name}.sv"),
            template::system_verilog(design),
        ),
        (format!("templates/{name}.vhd"), template::vhdl(design)),
        (format!("sim/tb_{name}.v"), testbench::text(design)),
        (format!("constraints/{name}.sdc"), constraints::sdc(design)),
        (format!("constraints/{name}.xdc"), constraints::xdc(design)),
        (format!("constraints/{name}.lpf"), constraints::lpf(design)),
        (
            "sim/bloomline_reference.py".to_owned(),
            REFERENCE.to_owned(),
        ),
    ];
    if design.has_registers() {
        files.extend([
            (format!("software/{name}.h"), software::header(design)),
            ("software/csr.json".to_owned(), software::csr_json(design)?),
            ("software/csr.csv".to_owned(), software::csr_csv(design)),
        ]);
    }
    // the pins of a line card are the testbench's alone
    if design.line_card().is_none() {
        let test = match design.packet() {
            Some(_) => COCOTB_FRAMES,
            None => COCOTB,
        };
        files.push((format!("sim/test_{name}.py"), test.to_owned()));
    }
    let file = |(name, text)| PackageFile { name, text };
    Ok(files.into_iter().map(file).collect())
}
