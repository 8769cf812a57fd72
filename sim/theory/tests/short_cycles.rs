//! Mean cycles of few messages with two hash functions, against simulation.

use bloomline_theory::sizing::{predict, Hashing, On, RecyclingParams};

/// 20 million new messages a filter, of double hashing: messages a cycle, their standard deviation, and those that set bits.
#[test]
fn cycles_of_few_messages_are_those_simulated() {
    for (hashes, range, phases, threshold, retain, simulated, deviation, setting) in [
        (16, 263, 2, 132, true, 8.000534, 8e-6, 8.0000008),
        (8, 256, 2, 64, false, 9.000592, 1.6e-5, 9.0000221),
        (12, 128, 2, 60, true, 5.000922, 1.5e-5, 5.0000053),
        (12, 128, 1, 75, true, 6.0019014, 2.4e-5, 6.0006251),
        (8, 256, 1, 71, false, 9.6811937, 3.3e-4, 9.6805528),
        (8, 257, 1, 71, false, 9.6822047, 3.3e-4, 9.6815691),
        (8, 257, 1, 70, false, 9.3047955, 3.2e-4, 9.3042246),
        (3, 1024, 1, 89, false, 30.768557, 6.5e-4, 30.767894),
        (4, 64, 1, 100, false, 32.220984, 2e-3, 31.949522),
        (6, 101, 1, 90, true, 15.769992, 5.1e-4, 15.756836),
        (8, 16, 1, 40, false, 6.3696781, 3.1e-4, 6.3021047),
        (6, 16, 1, 30, true, 5.4322835, 3.1e-4, 5.3626475),
        (4, 32, 1, 30, false, 9.1135538, 4.2e-4, 9.0741348),
        (16, 64, 1, 90, false, 6.1388923, 2e-4, 6.134973),
        (5, 31, 2, 49, true, 11.271035, 5.7e-4, 11.196683),
        (8, 64, 1, 47, false, 6.8641076, 2.1e-4, 6.859172),
    ] {
        let params = RecyclingParams {
            memory_bits: range * u64::from(phases * hashes),
            phases,
            hashes,
            hashing: Hashing::Double,
            on: On::BitsSet,
            threshold,
            retain,
        };
        let predicted = predict(&params).expect("legal");
        for (figure, simulated) in [
            (&predicted.cycle_arrivals, simulated),
            (&predicted.cycle_messages, setting),
        ] {
            let stated = figure.accuracy.relative_error * figure.value;
            let off = (figure.value - simulated).abs();
            assert!(
                off < stated + 3.5 * deviation,
                "{params:?}: {figure:?}, simulated {simulated}"
            );
            // some 2 % where a partition has 16 positions
            assert!(figure.accuracy.relative_error < 6.0 / range as f64);
        }
    }
}
