//! Round trips over our transports beside bare ones over the same medium, measured in turns.

use bloomline_driver::serve::{serve, Responder};
use bloomline_driver::{Line, Transport, Within};
use bloomline_spec::registers::{address, MAGIC};
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;
pub const WITHIN: Within = Duration::from_secs(1);

/// Answers every so many bytes with so many.
pub struct Echo {
    there: usize,
    back: usize,
    have: usize,
}

impl Echo {
    pub fn new(there: usize, back: usize) -> Echo {
        let have = 0;
        Echo { there, back, have }
    }
}

impl Responder for Echo {
    fn answer(&mut self, bytes: &[u8], _: Instant) -> Vec<u8> {
        self.have += bytes.len();
        let answers = self.have / self.there;
        self.have %= self.there;
        vec![0x55; answers * self.back]
    }
}

/// One round trip over a bare line.
pub fn bounce(line: &mut impl Line, there: usize, back: usize) -> Result<(), Box<dyn Error>> {
    let until = line.now() + WITHIN;
    line.send(&[0x55; 256][..there], until)?;
    let mut buffer = [0; 256];
    let mut have = 0;
    while have < back {
        match line.receive(&mut buffer, until)? {
            0 => return Err("the loopback lost bytes".into()),
            got => have += got,
        }
    }
    Ok(())
}

/// How often a second something is done, for one round; `trip` does it `count` times.
fn rate(
    seconds: f64,
    count: u64,
    mut trip: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    let mut done = 0u64;
    while start.elapsed().as_secs_f64() < seconds {
        // Looking at the clock would be most of a mapped read.
        for _ in 0..16u64.div_ceil(count) {
            trip()?;
            done += count;
        }
    }
    Ok(done as f64 / start.elapsed().as_secs_f64())
}

/// Median, least and most.
fn spread(mut rates: Vec<f64>) -> [f64; 3] {
    rates.sort_by(f64::total_cmp);
    [rates[rates.len() / 2], rates[0], rates[rates.len() - 1]]
}

/// Measures `ours` and `bare` in turns and prints a row; each call of either is one round trip.
pub fn row(
    name: &str,
    seconds: f64,
    ours: impl FnMut() -> Result<(), Box<dyn Error>>,
    bare: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    row_of_many(name, seconds, 1, ours, bare)
}

/// The same where each call of either does `count` of what is counted.
pub fn row_of_many(
    name: &str,
    seconds: f64,
    count: u64,
    mut ours: impl FnMut() -> Result<(), Box<dyn Error>>,
    mut bare: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let (mut of_ours, mut of_bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        of_ours.push(rate(seconds, count, &mut ours)?);
        of_bare.push(rate(seconds, count, &mut bare)?);
    }
    let [ours, ours_least, ours_most] = spread(of_ours);
    let [bare, bare_least, bare_most] = spread(of_bare);
    println!(
        "| {name} | {ours:.0} ({ours_least:.0} to {ours_most:.0}) | {bare:.0} ({bare_least:.0} to {bare_most:.0}) | {:.2} |",
        ours / bare
    );
    Ok(())
}

pub fn one_read(link: &mut impl Transport) -> Result<(), Box<dyn Error>> {
    match link.read(address::MAGIC, WITHIN)? {
        MAGIC => Ok(()),
        other => Err(format!("read 0x{other:08X}").into()),
    }
}

/// Serves at one end of a line while `measure` runs.
pub fn while_served<R>(
    mut line: impl Line,
    mut responder: impl Responder,
    measure: impl FnOnce() -> R,
) -> R {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| serve(&mut line, &mut responder, &stop));
        let result = measure();
        stop.store(true, Ordering::Relaxed);
        result
    })
}
