//! The hash of a specification: key in, one probe position a probe out.

use crate::hash::{IndexMix, PlainH3, SboxMix, SipHash, Spread};
use crate::prelude::*;
use bloomline_spec::hash::HashUnit as UnitConstants;
use bloomline_spec::{Common, Hashing};
use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};

/// Bits of a keyed hash's secret.
const SECRET_BITS: usize = 128;
/// Bits of a value of the keyed families.
const SIP_BITS: usize = 64;

/// Key to k probe positions; latency is `Timing::hash_clocks + Timing::spread_clocks`, one key a clock.
///
/// Which unit feeds which function depends on the constants, so this block's kernel is a list of connections
/// built at run time, in `update` for simulation and in `hdl` for the back end.
#[derive(LogicBlock)]
pub struct HashUnit {
    about: About,
    pub clock: Signal<In, Clock>,
    pub key: WideBus<In>,
    pub secret: Vec<Bus<In>>,
    pub index: Vec<Bus<Out>>,
    mix: Vec<SboxMix>,
    function: Vec<IndexMix>,
    h3: Vec<PlainH3>,
    sip: Vec<SipHash>,
    part: Vec<Slice>,
    spread: Vec<Spread>,
    _unit_of: Vec<usize>,
}

impl HashUnit {
    /// The hash functions of a filter.
    pub fn new(common: &Common) -> Self {
        let constants = common.hash();
        let hashes = common.hashes() as usize;
        let key_bits = common.key_bits() as usize;
        let index_bits = common.index_bits() as usize;
        let double = common.hashing() != Hashing::Independent;
        let keyed = usize::from(constants.secret.is_some());
        let mut unit = Self {
            about: About::new(
                "hash_unit",
                format!("{key_bits} bits of key to {hashes} probe position(s), one key a clock."),
            ),
            clock: Default::default(),
            key: WideBus::<In>::new(key_bits).doc("key"),
            secret: (0..keyed)
                .map(|_| Bus::new(SECRET_BITS).doc("secret, still while keys are on their way"))
                .collect(),
            index: (0..hashes)
                .map(|i| Bus::new(index_bits).doc(format!("probe position in bank {i}")))
                .collect(),
            mix: Vec::new(),
            function: Vec::new(),
            h3: Vec::new(),
            sip: Vec::new(),
            part: Vec::new(),
            spread: Vec::new(),
            _unit_of: Vec::new(),
        };
        // with one probe, double hashing needs h1 only
        let functions = if double { hashes.min(2) } else { hashes };
        let function_bits = constants.function_bits as usize;
        for constants_of_unit in &constants.units {
            let served = constants_of_unit.functions();
            let locals = (served.start..served.end.min(functions)).len();
            if locals == 0 {
                continue;
            }
            match constants_of_unit {
                UnitConstants::Sbox(sbox) => {
                    unit.mix.push(SboxMix::new(sbox));
                    for local in 0..locals {
                        unit._unit_of.push(unit.mix.len() - 1);
                        unit.function
                            .push(IndexMix::new(sbox, local, function_bits, index_bits));
                    }
                }
                UnitConstants::H3(h3) => unit.h3.push(PlainH3::new(h3, index_bits)),
                UnitConstants::Sip(sip) => {
                    unit.sip.push(SipHash::new(
                        key_bits,
                        sip.compress as usize,
                        sip.finish as usize,
                        sip.number,
                    ));
                    for local in 0..locals {
                        unit._unit_of.push(unit.sip.len() - 1);
                        unit.part
                            .push(Slice::new(SIP_BITS, local * function_bits, index_bits));
                    }
                }
            }
        }
        if double && hashes > 1 {
            unit.spread.push(Spread::new(hashes, index_bits));
        }
        unit
    }

    /// Value of function `f`.
    fn value(&self, f: usize) -> UInt {
        if let Some(function) = self.function.get(f) {
            function.index.val()
        } else if let Some(h3) = self.h3.get(f) {
            h3.index.val()
        } else {
            self.part[f].output.val()
        }
    }

    /// The same in the names of the kernel language.
    fn value_name(&self, f: usize) -> String {
        if f < self.function.len() {
            format!("function[{f}]$index")
        } else if f < self.h3.len() {
            format!("h3[{f}]$index")
        } else {
            format!("part[{f}]$output")
        }
    }

    /// Every connection as (target, source), in the names of the kernel language.
    fn connections(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        let mut connect = |target: String, source: String| list.push((target, source));
        for u in 0..self.mix.len() {
            connect(format!("mix[{u}]$clock$next"), "clock".into());
            connect(format!("mix[{u}]$key$next"), "key".into());
        }
        for f in 0..self.function.len() {
            connect(format!("function[{f}]$clock$next"), "clock".into());
            connect(
                format!("function[{f}]$mixed$next"),
                format!("mix[{}]$mixed", self._unit_of[f]),
            );
        }
        for f in 0..self.h3.len() {
            connect(format!("h3[{f}]$clock$next"), "clock".into());
            connect(format!("h3[{f}]$key$next"), "key".into());
        }
        for u in 0..self.sip.len() {
            connect(format!("sip[{u}]$clock$next"), "clock".into());
            connect(format!("sip[{u}]$key$next"), "key".into());
            connect(format!("sip[{u}]$secret$next"), "secret[0]".into());
        }
        for f in 0..self.part.len() {
            connect(
                format!("part[{f}]$input$next"),
                format!("sip[{}]$value", self._unit_of[f]),
            );
        }
        if self.spread.is_empty() {
            for i in 0..self.index.len() {
                connect(format!("index[{i}]$next"), self.value_name(i));
            }
        } else {
            connect("spread[0]$clock$next".into(), "clock".into());
            connect("spread[0]$h1$next".into(), self.value_name(0));
            connect("spread[0]$h2$next".into(), self.value_name(1));
            for i in 0..self.index.len() {
                connect(format!("index[{i}]$next"), format!("spread[0]$index[{i}]"));
            }
        }
        list
    }
}

impl Logic for HashUnit {
    fn update(&mut self) {
        let clock = self.clock.val();
        let key = self.key.val();
        for mix in &mut self.mix {
            mix.clock.next = clock;
            mix.key.next = key;
        }
        for (function, &u) in self.function.iter_mut().zip(&self._unit_of) {
            function.clock.next = clock;
            function.mixed.next = self.mix[u].mixed.val();
        }
        for h3 in &mut self.h3 {
            h3.clock.next = clock;
            h3.key.next = key;
        }
        for (sip, secret) in self.sip.iter_mut().zip(self.secret.iter().cycle()) {
            sip.clock.next = clock;
            sip.key.next = key;
            sip.secret.next = secret.val();
        }
        for (part, &u) in self.part.iter_mut().zip(&self._unit_of) {
            part.input.next = self.sip[u].value.val();
        }
        match self.spread.first_mut() {
            None => {
                for i in 0..self.index.len() {
                    self.index[i].next = self.value(i);
                }
            }
            Some(_) => {
                let (h1, h2) = (self.value(0), self.value(1));
                let spread = &mut self.spread[0];
                spread.clock.next = clock;
                spread.h1.next = h1;
                spread.h2.next = h2;
                for i in 0..self.index.len() {
                    self.index[i].next = spread.index[i].val();
                }
            }
        }
    }
    fn connect(&mut self) {
        self.index.iter_mut().for_each(|index| index.connect());
        for mix in &mut self.mix {
            mix.clock.connect();
            mix.key.connect();
        }
        for function in &mut self.function {
            function.clock.connect();
            function.mixed.connect();
        }
        for h3 in &mut self.h3 {
            h3.clock.connect();
            h3.key.connect();
        }
        for sip in &mut self.sip {
            sip.clock.connect();
            sip.key.connect();
            sip.secret.connect();
        }
        self.part.iter_mut().for_each(|part| part.input.connect());
        for spread in &mut self.spread {
            spread.clock.connect();
            spread.h1.connect();
            spread.h2.connect();
        }
    }
    fn hdl(&self) -> Verilog {
        let signal = VerilogExpression::Signal;
        let statements = self
            .connections()
            .into_iter()
            .map(|(target, source)| VerilogStatement::Assignment(signal(target), signal(source)))
            .collect();
        Verilog::Combinatorial(statements)
    }
}
