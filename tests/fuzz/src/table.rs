//! Any file is a table or an error.
#![no_main]

use bloomline_stimulus::CsvColumn;
use libfuzzer_sys::fuzz_target;
use std::io::Write;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("is written");
    if let Ok(column) = CsvColumn::open(file.path(), "key") {
        let errors = column.filter(Result::is_err).count();
        assert!(errors <= 1, "nothing comes after an error");
    }
});
