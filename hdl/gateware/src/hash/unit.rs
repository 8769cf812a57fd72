//! Hash unit of a specification: a key in, one position per probe out.

use crate::hash::{ChainSpread, DistinctDraws, IndexMix, PlainH3, SboxMix, Scale, SipHash, Spread};
use crate::prelude::*;
use bloomline_spec::hash::HashUnit as UnitConstants;
use bloomline_spec::{Common, Hashing, Layout, Probing};
use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};

/// Bits of a keyed hash's secret.
const SECRET_BITS: usize = 128;
/// Bits of a value of the keyed families.
const SIP_BITS: usize = 64;

block! {
    /// Key to k probe positions; latency is `Timing::hash_clocks + Timing::spread_clocks`, one key a clock.
    ///
    /// Which unit feeds which function depends on the constants, so this block's kernel is a list of connections
    /// built at run time, in `update` for simulation and in `hdl` for the back end.
    /// New inputs in every clock. No reset.
    pub struct HashUnit {
        about: About = About::new(
            "hash_unit",
            format!("{} of key to {}, one key a clock.", counted(key_bits, "bit"), counted(hashes, "probe position")),
        ),
        pub clock: Signal<In, Clock>,
        pub key: WideBus<In> = WideBus::new(key_bits).doc("key"),
        pub secret: Vec<Bus<In>> = (0..keyed)
            .map(|_| Bus::new(SECRET_BITS).doc("secret, still while keys are on their way"))
            .collect(),
        pub index: Vec<Bus<Out>> = (0..hashes)
            .map(|i| {
                Bus::new(index_bits).doc(match common.layout() {
                    Layout::Partitioned => format!("probe position in bank {i}"),
                    Layout::Shared => format!("position of probe {i}"),
                })
            })
            .collect(),
        mix: Vec<SboxMix>,
        function: Vec<IndexMix>,
        h3: Vec<PlainH3>,
        sip: Vec<SipHash>,
        part: Vec<Slice>,
        scale: Vec<Scale>,
        spread: Vec<Spread>,
        chain: Vec<ChainSpread>,
        draws: Vec<DistinctDraws>,
        unit_of: Vec<usize>,
    }

    /// Without the functions yet.
    fn empty(common: &Common) {
        let hashes = common.hashes() as usize;
        let key_bits = common.key_bits() as usize;
        let index_bits = common.index_bits() as usize;
        let keyed = usize::from(common.hash().secret.is_some());
    }
}

impl HashUnit {
    /// The hash functions of a filter.
    pub fn new(common: &Common) -> Self {
        let constants = common.hash();
        let hashes = common.hashes() as usize;
        let key_bits = common.key_bits() as usize;
        let index_bits = common.index_bits() as usize;
        let probing = common.probing();
        let ranks = common.front_ranks();
        let mut unit = Self::empty(common);
        // with one probe, double hashing needs h1 only
        let functions = probing.functions().min(hashes);
        let function_bits = constants.function_bits as usize;
        let value_bits = if probing.scales() {
            function_bits
        } else {
            index_bits
        };
        for constants_of_unit in &constants.units {
            let served = constants_of_unit.functions();
            let locals = (served.start..served.end.min(functions)).len();
            if locals == 0 {
                continue;
            }
            match constants_of_unit {
                UnitConstants::Sbox(sbox) => {
                    unit.mix.push(SboxMix::new(sbox, ranks.sums));
                    for local in 0..locals {
                        unit.unit_of.push(unit.mix.len() - 1);
                        unit.function.push(IndexMix::new(
                            sbox,
                            local,
                            function_bits,
                            value_bits,
                            ranks.values,
                        ));
                    }
                }
                UnitConstants::H3(h3) => unit.h3.push(PlainH3::new(h3, value_bits)),
                UnitConstants::Sip(sip) => {
                    unit.sip.push(SipHash::new(
                        key_bits,
                        sip.compress as usize,
                        sip.finish as usize,
                        sip.number,
                    ));
                    for local in 0..locals {
                        unit.unit_of.push(unit.sip.len() - 1);
                        unit.part
                            .push(Slice::new(SIP_BITS, local * function_bits, value_bits));
                    }
                }
            }
        }
        unit.place(&probing, functions, ranks.multiples);
        unit
    }

    /// The hash unit with a secret that may change from key to key.
    pub fn with_secret_for_each_key(mut self) -> Self {
        for secret in &mut self.secret {
            *secret = Bus::new(SECRET_BITS).doc("secret for the key of the same clock");
        }
        self
    }

    /// The blocks from the values of so many functions to positions.
    fn place(&mut self, probing: &Probing, functions: usize, multiples: bool) {
        let hashes = probing.hashes_per_copy() as usize;
        let index_bits = probing.index_bits() as usize;
        let range = u128::from(probing.range);
        if probing.scales() {
            let function_bits = probing.function_bits() as usize;
            // of distinct draws each has a position more to choose from than the one before it
            let fewer = |f: usize| {
                if probing.distinct {
                    (hashes - 1 - f) as u128
                } else {
                    0
                }
            };
            self.scale = (0..functions)
                .map(|f| Scale::new(function_bits, range - fewer(f), index_bits))
                .collect();
        }
        if hashes == 1 {
            return;
        }
        if probing.hashing == Hashing::Independent {
            if probing.distinct {
                let draws = DistinctDraws::new(hashes, range, index_bits);
                self.draws.push(draws);
            }
            return;
        }
        let extension: Vec<u64> = (0..hashes as u64).map(|i| probing.extension(i)).collect();
        for _ in 0..probing.copies {
            if probing.scales() {
                let chain = ChainSpread::new(&extension, range, index_bits);
                self.chain.push(chain);
            } else {
                let spread = Spread::new(&extension, index_bits, multiples);
                self.spread.push(spread);
            }
        }
    }

    /// Whether each position is a value of its own.
    fn independent(&self) -> bool {
        self.spread.is_empty() && self.chain.is_empty() && self.draws.is_empty()
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

    /// Value of function `f`, scaled to the range where it is no power of two.
    fn reduced(&self, f: usize) -> UInt {
        match self.scale.get(f) {
            Some(scale) => scale.y.val(),
            None => self.value(f),
        }
    }

    /// Name of [`HashUnit::value`] in the kernel language.
    fn value_name(&self, f: usize) -> String {
        if f < self.function.len() {
            format!("function[{f}]$index")
        } else if f < self.h3.len() {
            format!("h3[{f}]$index")
        } else {
            format!("part[{f}]$output")
        }
    }

    /// Name of [`HashUnit::reduced`].
    fn reduced_name(&self, f: usize) -> String {
        if f < self.scale.len() {
            format!("scale[{f}]$y")
        } else {
            self.value_name(f)
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
                format!("mix[{}]$mixed", self.unit_of[f]),
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
                format!("sip[{}]$value", self.unit_of[f]),
            );
        }
        for f in 0..self.scale.len() {
            connect(format!("scale[{f}]$clock$next"), "clock".into());
            connect(format!("scale[{f}]$x$next"), self.value_name(f));
        }
        let blocks = [("spread", self.spread.len()), ("chain", self.chain.len())];
        for (name, copies) in blocks {
            for copy in 0..copies {
                let block = format!("{name}[{copy}]");
                connect(format!("{block}$clock$next"), "clock".into());
                connect(format!("{block}$h1$next"), self.reduced_name(2 * copy));
                connect(format!("{block}$h2$next"), self.reduced_name(2 * copy + 1));
                let rows = self.index.len() / copies;
                for i in 0..rows {
                    connect(
                        format!("index[{}]$next", copy * rows + i),
                        format!("{block}$index[{i}]"),
                    );
                }
            }
        }
        if !self.draws.is_empty() {
            connect("draws[0]$clock$next".into(), "clock".into());
            for i in 0..self.index.len() {
                connect(format!("draws[0]$draw[{i}]$next"), self.reduced_name(i));
                connect(format!("index[{i}]$next"), format!("draws[0]$index[{i}]"));
            }
        }
        if self.independent() {
            for i in 0..self.index.len() {
                connect(format!("index[{i}]$next"), self.reduced_name(i));
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
        for (function, &u) in self.function.iter_mut().zip(&self.unit_of) {
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
        for (part, &u) in self.part.iter_mut().zip(&self.unit_of) {
            part.input.next = self.sip[u].value.val();
        }
        for f in 0..self.scale.len() {
            let value = self.value(f);
            self.scale[f].clock.next = clock;
            self.scale[f].x.next = value;
        }
        if self.independent() {
            for i in 0..self.index.len() {
                self.index[i].next = self.reduced(i);
            }
            return;
        }
        let copies = self.spread.len() + self.chain.len();
        let values: Vec<UInt> = (0..self.scale.len().max(2 * copies))
            .map(|f| self.reduced(f))
            .collect();
        let mut index = self.index.iter_mut();
        for (spread, h) in self.spread.iter_mut().zip(values.chunks(2)) {
            spread.clock.next = clock;
            (spread.h1.next, spread.h2.next) = (h[0], h[1]);
            for (index, position) in index.by_ref().zip(&spread.index) {
                index.next = position.val();
            }
        }
        for (chain, h) in self.chain.iter_mut().zip(values.chunks(2)) {
            chain.clock.next = clock;
            (chain.h1.next, chain.h2.next) = (h[0], h[1]);
            for (index, position) in index.by_ref().zip(&chain.index) {
                index.next = position.val();
            }
        }
        for draws in &mut self.draws {
            draws.clock.next = clock;
            for (draw, value) in draws.draw.iter_mut().zip(&values) {
                draw.next = *value;
            }
            for (index, position) in self.index.iter_mut().zip(&draws.index) {
                index.next = position.val();
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
        for scale in &mut self.scale {
            scale.clock.connect();
            scale.x.connect();
        }
        for spread in &mut self.spread {
            spread.clock.connect();
            spread.h1.connect();
            spread.h2.connect();
        }
        for chain in &mut self.chain {
            chain.clock.connect();
            chain.h1.connect();
            chain.h2.connect();
        }
        for draws in &mut self.draws {
            draws.clock.connect();
            draws.draw.iter_mut().for_each(|draw| draw.connect());
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
