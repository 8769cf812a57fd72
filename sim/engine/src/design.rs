//! A design that has been read, and the layout of its ports.

use crate::compiled::Compiled;
use crate::elaborate::{self, Beyond, STACK_BYTES};
use crate::error::EngineError;
use crate::gates::{self, GateProgram, PassCode};
use crate::ir::{Bits, Named, Netlist, Op, Port};
use crate::lexer::{tokens, Files};
use crate::machine::Machine;
use crate::parser;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// A design that has been read and flattened; opens any number of simulations.
///
/// # Layout of the buffers
///
/// The inputs (the clock is not among them) lie one after the other in the order of [`Design::ports`], each in `ceil(width / 64)`
/// words of its own, bit 0 of the port in bit 0 of its first word. The outputs lie the same way in a buffer of their own. Bits of an
/// input above its width are ignored; those of an output are zero.
#[derive(Debug, Clone)]
pub struct Design {
    top: String,
    clock: Option<usize>,
    /// Ports without the clock, in the order of the buffers.
    ports: Vec<Port>,
    /// Index of each in the netlist's ports.
    places: Vec<usize>,
    pub(crate) netlist: Arc<Netlist>,
    /// Index of each name in the netlist's names.
    named: Arc<HashMap<String, usize>>,
    compiled: OnceLock<Arc<Compiled>>,
    /// Machine code of the one-lane engine, or why there is none.
    native: OnceLock<Result<Arc<Machine>, String>>,
    /// Programs for 64 lanes and twice as many each.
    gates: [OnceLock<Result<Arc<GateProgram>, String>>; 4],
}

impl Design {
    /// Reads the texts (file names and contents) and flattens the module `top`. `clock` is the input that
    /// [`crate::Sim::step`] raises; the other clocks are inputs like any other.
    ///
    /// # Errors
    /// [`EngineError::Refused`], [`EngineError::Syntax`] and [`EngineError::Contradiction`] with the place in the text;
    /// [`EngineError::NoTop`], and [`EngineError::NoPort`] for the clock.
    pub fn read(
        sources: &[(String, String)],
        top: &str,
        clock: Option<&str>,
    ) -> Result<Self, EngineError> {
        Self::read_with_faults(sources, top, clock, &[])
    }

    /// As [`Design::read`], for [`Design::census`] alone: a word beyond a memory's depth is undefined in an FPGA, so no logic checks
    /// for such addresses.
    ///
    /// # Errors
    /// As [`Design::read`].
    pub fn read_for_census(sources: &[(String, String)], top: &str) -> Result<Self, EngineError> {
        Self::read_with(sources, top, None, &[], Beyond::Undefined)
    }

    /// As [`Design::read`], with signals (`top.instance.signal`) that can be disturbed while a simulation runs: to the value of
    /// site `i` everywhere it is read, the bits of [`crate::Sim::set_fault`] or [`crate::Lanes::set_fault`] are added. Nothing is simplified
    /// across a site.
    ///
    /// # Errors
    /// As [`Design::read`], and [`EngineError::NoSignal`] for a site that does not exist.
    pub fn read_with_faults(
        sources: &[(String, String)],
        top: &str,
        clock: Option<&str>,
        sites: &[String],
    ) -> Result<Self, EngineError> {
        Self::read_with(sources, top, clock, sites, Beyond::Empty)
    }

    fn read_with(
        sources: &[(String, String)],
        top: &str,
        clock: Option<&str>,
        sites: &[String],
        beyond: Beyond,
    ) -> Result<Self, EngineError> {
        let files = Files(sources.iter().map(|(name, _)| name.clone()).collect());
        // A chain of logic is followed by recursion, so it needs a deep stack.
        let netlist = std::thread::scope(|scope| {
            std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || {
                    let mut modules = vec![];
                    for (index, (_, text)) in sources.iter().enumerate() {
                        let tokens = tokens(&files, index as u32, text)?;
                        modules.extend(parser::modules(&files, &tokens)?);
                    }
                    elaborate::netlist(&files, &modules, top, sites, beyond)
                })
                .map_err(|error| EngineError::Thread {
                    reason: error.to_string(),
                })?
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        let clock = match clock {
            None => None,
            Some(name) => Some(
                netlist
                    .ports
                    .iter()
                    .position(|p| p.name == name && p.input && p.width == 1)
                    .ok_or_else(|| EngineError::NoPort {
                        top: top.to_string(),
                        port: name.to_string(),
                        available: names(netlist.ports.iter().filter(|p| p.input)),
                    })?,
            ),
        };
        let places: Vec<usize> = (0..netlist.ports.len())
            .filter(|i| Some(*i) != clock)
            .collect();
        let named = netlist.names.iter().enumerate();
        let named = named.map(|(i, (name, _))| (name.clone(), i)).collect();
        Ok(Self {
            named: Arc::new(named),
            compiled: OnceLock::new(),
            native: OnceLock::new(),
            gates: Default::default(),
            top: top.to_string(),
            clock,
            ports: places.iter().map(|i| netlist.ports[*i].clone()).collect(),
            places,
            netlist: Arc::new(netlist),
        })
    }

    /// Lays the buffers out in the order of `ports`, which must be all ports but the clock.
    ///
    /// # Errors
    /// [`EngineError::NoPort`] for one that the text does not have or that is missing here, [`EngineError::PortMismatch`]
    /// for another width or direction.
    pub fn with_ports(mut self, ports: &[Port]) -> Result<Self, EngineError> {
        let no_port = |port: &Port, available: &[Port]| EngineError::NoPort {
            top: self.top.clone(),
            port: port.name.clone(),
            available: names(available.iter()),
        };
        let mut places = vec![];
        for port in ports {
            let at = self
                .ports
                .iter()
                .position(|p| p.name == port.name)
                .ok_or_else(|| no_port(port, &self.ports))?;
            if self.ports[at] != *port {
                return Err(EngineError::PortMismatch {
                    top: self.top,
                    port: port.name.clone(),
                    declared: describe(port),
                    built: describe(&self.ports[at]),
                });
            }
            places.push(self.places[at]);
        }
        let missing = |p: &&Port| !ports.iter().any(|q| q.name == p.name);
        if let Some(port) = self.ports.iter().find(missing) {
            return Err(no_port(port, ports));
        }
        self.ports = ports.to_vec();
        self.places = places;
        self.compiled = OnceLock::new();
        self.native = OnceLock::new();
        self.gates = Default::default();
        Ok(self)
    }

    /// Name of the top module.
    pub fn top(&self) -> &str {
        &self.top
    }

    /// The ports but the clock, in the order of the buffers.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Words of the input buffer of one clock.
    pub fn input_words(&self) -> usize {
        self.ports.iter().filter(|p| p.input).map(Port::words).sum()
    }

    /// Words of the output buffer of one clock.
    pub fn output_words(&self) -> usize {
        self.ports
            .iter()
            .filter(|p| !p.input)
            .map(Port::words)
            .sum()
    }

    /// Index of the first word of a port in its buffer.
    pub fn word_of(&self, name: &str) -> Option<usize> {
        let port = self.ports.iter().find(|p| p.name == name)?;
        let before = self.ports.iter().take_while(|p| p.name != name);
        Some(
            before
                .filter(|p| p.input == port.input)
                .map(Port::words)
                .sum(),
        )
    }

    /// Paths of all signals and memories (`top.instance.signal`), in the order of the text.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.netlist.names.iter().map(|(name, _)| name.as_str())
    }

    pub(crate) fn named(&self, name: &str) -> Option<&Named> {
        Some(&self.netlist.names[*self.named.get(name)?].1)
    }

    pub(crate) fn signal(&self, name: &str) -> Option<&Bits> {
        match self.named(name)? {
            Named::Signal(bits) => Some(bits),
            Named::Memory(_) => None,
        }
    }

    /// The program of the one-lane engine.
    pub(crate) fn compiled(&self) -> Arc<Compiled> {
        let make = || {
            let (inputs, outputs) = (self.bits(true), self.bits(false));
            Arc::new(Compiled::new(
                &self.netlist,
                &inputs,
                &outputs,
                self.clock_bit(),
            ))
        };
        let compiled = self.compiled.get_or_init(make);
        Arc::clone(compiled)
    }

    /// Machine code of the one-lane engine.
    pub(crate) fn native(&self) -> Result<Arc<Machine>, EngineError> {
        #[cfg(feature = "jit")]
        let make = || crate::jit::compile(&self.compiled()).map(Arc::new);
        #[cfg(not(feature = "jit"))]
        let make = || Err(NOT_BUILT_IN.to_string());
        let native = self.native.get_or_init(make).clone();
        native.map_err(|reason| EngineError::NoJit { reason })
    }

    /// The program of the many-lane engine for `64 * words` lanes: machine code where `native` says that the processor has AVX2.
    pub(crate) fn gates(
        &self,
        words: usize,
        native: bool,
    ) -> Result<Arc<GateProgram>, EngineError> {
        let program = self.gates[words.ilog2() as usize].get_or_init(|| {
            let outputs = self.bits(false);
            let compile = |netlist: &Netlist, outputs: &[Bits]| {
                let lowered = gates::lower(netlist, outputs);
                let machine = native.then(|| gates::native(&lowered, words)).flatten();
                machine.unwrap_or_else(|| gates::batches(&lowered))
            };
            if self.compiled().is_simple() {
                return Ok(Arc::new(compile(&self.netlist, &outputs)));
            }
            let passes = gates::passes(&self.netlist)?;
            let mut program = compile(&passes.netlist, &passes.outputs(&outputs));
            let acting = program.outputs.pop().and_then(|bits| bits.first().copied());
            let clock = self
                .clock_bit()
                .map(|clock| match self.netlist.graph.op(clock) {
                    Op::Input(word) => program.inputs[word],
                    _ => 0,
                });
            program.passes = acting.map(|acting| PassCode {
                clock,
                acting,
                most: passes.most,
            });
            Ok(Arc::new(program))
        });
        program.clone().map_err(|problem| EngineError::NotInLanes {
            top: self.top.clone(),
            problem,
        })
    }

    /// Nodes of the inputs or of the outputs, in the order of the buffers.
    pub(crate) fn bits(&self, input: bool) -> Vec<Bits> {
        let ports = self.ports.iter().zip(&self.places);
        ports
            .filter(|(port, _)| port.input == input)
            .map(|(_, place)| self.netlist.port_bits[*place].clone())
            .collect()
    }

    pub(crate) fn no_site(&self, site: usize) -> EngineError {
        self.beyond("fault site", self.netlist.faults.len(), site)
    }

    pub(crate) fn beyond(&self, what: &'static str, count: usize, index: usize) -> EngineError {
        EngineError::Beyond {
            top: self.top.clone(),
            what,
            index,
            count,
        }
    }

    /// The node of the clock.
    pub(crate) fn clock_bit(&self) -> Option<u32> {
        self.clock.map(|c| self.netlist.port_bits[c].limbs[0])
    }
}

#[cfg(not(feature = "jit"))]
const NOT_BUILT_IN: &str =
    "this program was built without it; build it with `cargo build --release --features jit`";

fn names<'p>(ports: impl Iterator<Item = &'p Port>) -> String {
    let names: Vec<&str> = ports.map(|p| p.name.as_str()).collect();
    names.join(", ")
}

fn describe(port: &Port) -> String {
    let direction = if port.input { "input" } else { "output" };
    format!("{direction} of {} bits", port.width)
}
