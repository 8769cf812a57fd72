//! Waveforms of a run as a value change dump (VCD).

use crate::design::Design;
use crate::error::EngineError;
use crate::ir::{Bits, Named};
use crate::word::Sim;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// A value change dump of every signal of a design, with its hierarchy. Memories are not in it.
///
/// Clock `c` begins at 10 `c` ns and its edge rises at 10 `c` + 5 ns. A clock that is written takes some 0.1 ms, others nothing.
pub struct Waves<W: Write> {
    writer: vcd::Writer<Shared<W>>,
    out: Shared<W>,
    signals: Vec<(vcd::IdCode, Bits)>,
    /// Values that were written last.
    written: Vec<Vec<u64>>,
    begun: bool,
    nodes: Vec<u64>,
}

/// The output, shared with the VCD writer, which does not return it for the last flush.
struct Shared<W>(Arc<Mutex<W>>);

impl<W: Write> Shared<W> {
    fn with<T>(&self, f: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        match self.0.lock() {
            Ok(mut out) => f(&mut out),
            Err(_) => Err(io::Error::other("another thread failed while it wrote")),
        }
    }
}

impl<W: Write> Write for Shared<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with(Write::flush)
    }
}

impl<W: Write> std::fmt::Debug for Waves<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waves")
            .field("signals", &self.signals.len())
            .finish_non_exhaustive()
    }
}

fn failed(error: &io::Error) -> EngineError {
    EngineError::Waves {
        reason: error.to_string(),
    }
}

impl<W: Write> Waves<W> {
    /// Writes the header: the signals in the hierarchy of the text.
    ///
    /// # Errors
    /// [`EngineError::Waves`] when it cannot be written.
    pub fn new(out: W, design: &Design) -> Result<Self, EngineError> {
        let out = Arc::new(Mutex::new(out));
        let mut writer = vcd::Writer::new(Shared(Arc::clone(&out)));
        let signals = header(&mut writer, design).map_err(|e| failed(&e))?;
        Ok(Self {
            written: vec![vec![]; signals.len()],
            writer,
            out: Shared(out),
            signals,
            begun: false,
            nodes: vec![],
        })
    }

    /// Writes what has changed at a time in nanoseconds.
    pub(crate) fn look(&mut self, sim: &Sim, time: u64) -> Result<(), EngineError> {
        sim.values(&mut self.nodes);
        self.changes(time).map_err(|e| failed(&e))
    }

    fn changes(&mut self, time: u64) -> io::Result<()> {
        self.writer.timestamp(time)?;
        if !self.begun {
            self.writer.begin(vcd::SimulationCommand::Dumpvars)?;
        }
        for ((id, bits), written) in self.signals.iter().zip(&mut self.written) {
            let now = bits.limbs.iter().map(|l| self.nodes[*l as usize]);
            if now.clone().eq(written.iter().copied()) {
                continue;
            }
            *written = now.collect();
            let value = |bit: u32| match written[(bit / 64) as usize] >> (bit % 64) & 1 {
                0 => vcd::Value::V0,
                _ => vcd::Value::V1,
            };
            if bits.width == 1 {
                self.writer.change_scalar(*id, value(0))?;
            } else {
                let values: Vec<_> = (0..bits.width).rev().map(value).collect();
                self.writer.change_vector(*id, &values)?;
            }
        }
        if !self.begun {
            self.writer.end()?;
            self.begun = true;
        }
        Ok(())
    }

    /// Completes the dump.
    ///
    /// # Errors
    /// [`EngineError::Waves`] when it cannot be written.
    pub fn finish(mut self) -> Result<(), EngineError> {
        self.out.flush().map_err(|e| failed(&e))
    }
}

fn header<W: Write>(
    writer: &mut vcd::Writer<W>,
    design: &Design,
) -> io::Result<Vec<(vcd::IdCode, Bits)>> {
    writer.timescale(1, vcd::TimescaleUnit::NS)?;
    let mut signals = vec![];
    let mut scope: Vec<&str> = vec![];
    for (path, named) in &design.netlist.names {
        let Named::Signal(bits) = named else {
            continue;
        };
        let mut parts: Vec<&str> = path.split('.').collect();
        let name = parts.pop().unwrap_or_default();
        let same = scope.iter().zip(&parts).take_while(|(a, b)| a == b).count();
        for _ in same..scope.len() {
            writer.upscope()?;
        }
        for part in &parts[same..] {
            writer.add_module(part)?;
        }
        scope = parts;
        signals.push((writer.add_wire(bits.width, name)?, bits.clone()));
    }
    for _ in &scope {
        writer.upscope()?;
    }
    writer.enddefinitions()?;
    Ok(signals)
}

impl Sim {
    /// As [`Sim::step`], and writes the clock to `waves`.
    ///
    /// # Errors
    /// As [`Sim::step`], and [`EngineError::Waves`].
    pub fn step_with_waves<W: Write>(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        waves: &mut Waves<W>,
    ) -> Result<(), EngineError> {
        self.step_seen(inputs, outputs, |sim, time| waves.look(sim, time))
    }
}
