use bloomline_engine::{Design, Initial};
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
        let d = match Design::read(&[(f.clone(), text)], &top, Some("clock")) {
            Ok(d) => d,
            Err(e) => {
                println!("{f} {e}");
                continue;
            }
        };
        println!("{f} {:?}", t.elapsed());
        let mut s = d.open(Initial::Random(1));
        println!("{f} {:?}", t.elapsed());
        let mut i = vec![0u64; s.input_words()];
        let mut o = vec![0u64; s.output_words()];
        let at = |n: &str| d.word_of(n);
        for n in ["s_item_tvalid", "m_verdict_tready"] {
            if let Some(w) = at(n) {
                i[w] = 1;
            }
        }
        if let Some(w) = at("s_item_tuser") {
            i[w] = 2;
        }
        let (ready, data) = (
            at("s_item_tready").unwrap_or(0),
            at("s_item_tdata").unwrap_or(0),
        );
        let valid = at("m_verdict_tvalid").unwrap_or(0);
        let mut x = 1u64;
        let n = 200_000;
        let mut v = 0;
        let t = std::time::Instant::now();
        for _ in 0..n {
            s.step(&i, &mut o).unwrap();
            v += o[valid];
            if o[ready] != 0 {
                x = x
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                i[data] = x ^ x >> 33;
                i[data + 1] = x.rotate_left(17);
            }
        }
        println!(
            "{f} {:.3} M clocks/s {v} verdicts",
            n as f64 / t.elapsed().as_secs_f64() / 1e6
        );
    }
}
