//! The rate of a shared array with a threshold on bits: the O(M k) chain and its closed form against the same chain as a
//! dense matrix in the same run, and against vectorised numpy where Python can import it (printed, not measured by
//! criterion). `cargo bench -p bloomline-theory --features benches --bench chain`.

use bloomline_theory::recycling::shared_bits::{bits_set_law_by, Evaluation};
use bloomline_theory::recycling::Restart;
use bloomline_theory::recycling::SharedHalf;
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use std::hint::black_box;
use std::process::Command;

const HASHES: u32 = 4;

fn rate(bits: u64, hashes: u32, by: Evaluation) -> f64 {
    let half = SharedHalf::new(bits, hashes, false).expect("legal half");
    bits_set_law_by(half, bits / 2, Restart::Forget, by)
        .expect("legal threshold")
        .active_rate
}

/// RBF (4)-(8), (15), (18) as they stand: the matrix tau, and pi by Gaussian elimination.
fn dense_rate(bits: usize, hashes: usize) -> f64 {
    let sigma = bits / 2;
    let n = sigma + 1;
    let m = bits as f64;
    let mut matrix = vec![vec![0.0; n + 1]; n];
    let mut row = vec![0.0; bits + hashes + 2];
    let mut rates = Vec::with_capacity(n);
    for set in 0..n {
        row.fill(0.0);
        row[set] = 1.0;
        for drawn in 0..hashes {
            for j in (set..=set + drawn + 1).rev() {
                let below = if j > set { row[j - 1] } else { 0.0 };
                row[j] = row[j] * j as f64 / m + below * (m - j as f64 + 1.0) / m;
            }
        }
        rates.push(row[set]);
        let trips: f64 = row[n..].iter().sum();
        (set..n).for_each(|j| matrix[j][set] += row[j]);
        matrix[0][set] += trips;
        matrix[set][set] -= 1.0;
    }
    matrix[n - 1] = vec![1.0; n + 1];
    for pivot in 0..n {
        let lead = std::mem::take(&mut matrix[pivot]);
        for row in matrix.iter_mut().skip(pivot + 1) {
            let factor = row[pivot] / lead[pivot];
            if factor != 0.0 {
                for (value, lead) in row[pivot..].iter_mut().zip(&lead[pivot..]) {
                    *value -= factor * lead;
                }
            }
        }
        matrix[pivot] = lead;
    }
    let mut pi = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| matrix[i][j] * pi[j]).sum();
        pi[i] = (matrix[i][n] - known) / matrix[i][i];
    }
    pi.iter().zip(&rates).map(|(p, r)| p * r).sum()
}

fn chain(c: &mut Criterion) {
    let mut group = c.benchmark_group("chain");
    group.sample_size(10);
    for bits in [1000u64, 2000, 4000] {
        let (walked, dense) = (
            rate(bits, HASHES, Evaluation::Chain),
            dense_rate(bits as usize, HASHES as usize),
        );
        assert!(
            (walked / dense - 1.0).abs() < 1e-9,
            "M = {bits}: {walked} and {dense} differ"
        );
        group.bench_with_input(BenchmarkId::new("walked", bits), &bits, |b, &bits| {
            b.iter(|| rate(black_box(bits), HASHES, Evaluation::Chain))
        });
        group.bench_with_input(BenchmarkId::new("closed", bits), &bits, |b, &bits| {
            b.iter(|| rate(black_box(bits), HASHES, Evaluation::Settled))
        });
        group.bench_with_input(BenchmarkId::new("dense", bits), &bits, |b, &bits| {
            b.iter(|| dense_rate(black_box(bits as usize), HASHES as usize))
        });
    }
    group.bench_function("walked, M = 2^20, k = 8", |b| {
        b.iter(|| rate(black_box(1 << 20), 8, Evaluation::Chain))
    });
    group.bench_function("closed, M = 2^38, k = 8", |b| {
        b.iter(|| rate(black_box(1 << 38), 8, Evaluation::Settled))
    });
    group.finish();
    numpy_peer();
}

/// Runs the numpy script beside this file, which prints its own times.
fn numpy_peer() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/chain_numpy.py");
    match Command::new("python3").arg(script).output() {
        Ok(run) if run.status.success() => {
            println!("\nnumpy peer\n{}", String::from_utf8_lossy(&run.stdout));
        }
        Ok(run) => println!(
            "\nnumpy peer not run: {}",
            String::from_utf8_lossy(&run.stderr).trim()
        ),
        Err(error) => println!("\nnumpy peer not run: no python3 ({error})"),
    }
}

criterion_group!(benches, chain);
criterion_main!(benches);
