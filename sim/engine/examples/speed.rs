use bloomline_engine::Design;
fn main() {
    for f in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&f).unwrap();
        let top = text
            .lines()
            .filter_map(|l| l.strip_prefix("module "))
            .last()
            .unwrap()
            .trim_end_matches(" (")
            .to_string();
        let t = std::time::Instant::now();
        match Design::read(&[(f.clone(), text)], &top, None) {
            Ok(d) => println!(
                "{f} {:?} {} {:?}",
                t.elapsed(),
                d.names().count(),
                d.stats()
            ),
            Err(e) => println!("{f} {e}"),
        }
    }
}
