use bloomline_theory::sizing::*;
fn main() {
    let a: Vec<u64> = std::env::args()
        .skip(1)
        .map(|x| x.parse().unwrap())
        .collect();
    let (m, k, thr, msgs, retain, dbl) = (a[0], a[1], a[2], a[3] == 1, a[4] == 1, a[5] == 1);
    let p = RecyclingParams {
        memory_bits: 2 * m * k,
        phases: 2,
        hashes: k as u32,
        hashing: if dbl {
            Hashing::Double
        } else {
            Hashing::Independent
        },
        on: if msgs { On::Messages } else { On::BitsSet },
        threshold: thr,
        retain,
    };
    match predict(&p){Ok(r)=>println!("   theory rate {:.8} ({:.1e})  cycle {:.6} ({:.1e}) setting {:.6} ({:.1e}) excess {:.3e}",r.fpr_average.value,r.fpr_average.accuracy.relative_error,r.cycle_arrivals.value,r.cycle_arrivals.accuracy.relative_error,r.cycle_messages.value,r.cycle_messages.accuracy.relative_error,r.two_hash_excess.value),Err(e)=>println!("{e}")}
}
