//! The hash of a specification: key in, one probe position a bank out.

use crate::hash::{IndexMix, PlainH3, SboxMix, Spread};
use crate::prelude::*;
use bloomline_spec::hash::HashUnit as UnitConstants;
use bloomline_spec::{Common, Hashing};
use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};

/// Key to k probe positions; latency is `Timing::hash_clocks + Timing::spread_clocks`, one key a clock.
///
/// Which mix feeds which function depends on the constants, so this block's kernel is a list of connections
/// built at run time, in `update` for simulation and in `hdl` for the back end.
#[derive(LogicBlock)]
pub struct HashUnit {
    about: About,
    pub clock: Signal<In, Clock>,
    pub key: WideBus<In>,
    pub index: Vec<Bus<Out>>,
    mix: Vec<SboxMix>,
    function: Vec<IndexMix>,
    h3: Vec<PlainH3>,
    spread: Vec<Spread>,
    _mix_of: Vec<usize>,
}

impl HashUnit {
    /// The hash functions of a filter.
    pub fn new(common: &Common) -> Self {
        let constants = common.hash();
        let hashes = common.hashes() as usize;
        let key_bits = common.key_bits() as usize;
        let index_bits = common.index_bits() as usize;
        let double = common.hashing() != Hashing::Independent;
        let mut unit = Self {
            about: About::new(
                "hash_unit",
                format!("{key_bits} bits of key to {hashes} probe position(s), one key a clock."),
            ),
            clock: Default::default(),
            key: WideBus::<In>::new(key_bits).doc("key"),
            index: (0..hashes)
                .map(|i| Bus::new(index_bits).doc(format!("probe position in bank {i}")))
                .collect(),
            mix: Vec::new(),
            function: Vec::new(),
            h3: Vec::new(),
            spread: Vec::new(),
            _mix_of: Vec::new(),
        };
        // with one probe, double hashing needs h1 only
        let functions = if double { hashes.min(2) } else { hashes };
        for constants_of_unit in &constants.units {
            match constants_of_unit {
                UnitConstants::Sbox(sbox) => {
                    if sbox.functions.start >= functions {
                        continue;
                    }
                    unit.mix.push(SboxMix::new(sbox));
                    for (local, function) in sbox.functions.clone().enumerate() {
                        if function < functions {
                            unit._mix_of.push(unit.mix.len() - 1);
                            unit.function.push(IndexMix::new(
                                sbox,
                                local,
                                constants.function_bits as usize,
                                index_bits,
                            ));
                        }
                    }
                }
                UnitConstants::H3(h3) => {
                    if h3.function < functions {
                        unit.h3.push(PlainH3::new(h3, index_bits));
                    }
                }
            }
        }
        if double && hashes > 1 {
            unit.spread.push(Spread::new(hashes, index_bits));
        }
        unit
    }

    /// Every connection as (target, source), in the names of the kernel language.
    fn connections(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        let mut connect = |target: String, source: String| list.push((target, source));
        for u in 0..self.mix.len() {
            connect(format!("mix[{u}]$clock$next"), "clock".into());
            connect(format!("mix[{u}]$key$next"), "key".into());
        }
        for (f, u) in self._mix_of.iter().enumerate() {
            connect(format!("function[{f}]$clock$next"), "clock".into());
            connect(
                format!("function[{f}]$mixed$next"),
                format!("mix[{u}]$mixed"),
            );
        }
        for f in 0..self.h3.len() {
            connect(format!("h3[{f}]$clock$next"), "clock".into());
            connect(format!("h3[{f}]$key$next"), "key".into());
        }
        let family = if self.h3.is_empty() { "function" } else { "h3" };
        if self.spread.is_empty() {
            for i in 0..self.index.len() {
                connect(format!("index[{i}]$next"), format!("{family}[{i}]$index"));
            }
        } else {
            connect("spread[0]$clock$next".into(), "clock".into());
            connect("spread[0]$h1$next".into(), format!("{family}[0]$index"));
            connect("spread[0]$h2$next".into(), format!("{family}[1]$index"));
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
        for (function, &u) in self.function.iter_mut().zip(&self._mix_of) {
            function.clock.next = clock;
            function.mixed.next = self.mix[u].mixed.val();
        }
        for h3 in &mut self.h3 {
            h3.clock.next = clock;
            h3.key.next = key;
        }
        let value = |i: usize| {
            if self.h3.is_empty() {
                self.function[i].index.val()
            } else {
                self.h3[i].index.val()
            }
        };
        match self.spread.first_mut() {
            None => {
                for i in 0..self.index.len() {
                    self.index[i].next = value(i);
                }
            }
            Some(spread) => {
                spread.clock.next = clock;
                spread.h1.next = value(0);
                spread.h2.next = value(1);
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
