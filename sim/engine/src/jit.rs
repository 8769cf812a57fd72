//! Machine code for the one-lane engine, by Cranelift: one function for each segment of the program.
//!
//! A value that only its segment needs stays in a register. An operation follows those that it needs, so that registers suffice.

use crate::compiled::Compiled;
use crate::ir::mask;
use crate::machine::Machine;
use crate::program::{Code, Kind, Part, Program, Segment};
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, MemFlags, Signature, Value};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::Context;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use std::collections::HashMap;

/// Compiles every segment of a program, or says why this machine cannot.
pub(crate) fn compile(compiled: &Compiled) -> Result<Machine, String> {
    if !cfg!(target_arch = "x86_64") {
        return Err("it makes code for x86-64 only".to_string());
    }
    let isa = isa()?;
    let program = &compiled.program;
    let constants: HashMap<u32, u64> = program.constants.iter().copied().collect();
    let kept = kept(compiled);
    let mut functions = vec![];
    let mut context = FunctionBuilderContext::new();
    for (index, segment) in program.segments.iter().enumerate() {
        let mut function = Function::new();
        function.signature = signature();
        let mut builder = FunctionBuilder::new(&mut function, &mut context);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let [slots, memories, tables] = [0, 1, 2].map(|i| builder.block_params(block)[i]);
        let mut emitter = Emitter {
            compiled,
            program,
            constants: &constants,
            values: HashMap::new(),
            slots,
            memories,
            tables,
            builder,
        };
        emitter.segment(segment, |slot| {
            kept.get(&slot).is_some_and(|user| *user != index)
        });
        emitter.builder.ins().return_(&[]);
        emitter.builder.finalize();
        let mut context = Context::for_function(function);
        let code = context
            .compile(&*isa, &mut ControlPlane::default())
            .map_err(|error| format!("{:?}", error.inner))?;
        if !code.buffer.relocs().is_empty() {
            return Err("its code needs functions of a library".to_string());
        }
        functions.push(code.buffer.data().to_vec());
    }
    Machine::new(&functions).map_err(|error| format!("no memory for machine code: {error}"))
}

fn isa() -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("enable_verifier", "false"),
        ("unwind_info", "false"),
        ("probestack_strategy", "inline"),
    ] {
        flags.set(name, value).map_err(|e| e.to_string())?;
    }
    let builder = cranelift_native::builder()?;
    let isa = builder.finish(settings::Flags::new(flags));
    isa.map_err(|error| error.to_string())
}

/// Slots, memories, tables.
fn signature() -> Signature {
    let mut signature = Signature::new(CallConv::SystemV);
    signature.params = vec![AbiParam::new(I64); 3];
    signature
}

/// Slots that are read outside the segment that computes them: [`OUTSIDE`], or the only segment that reads them.
fn kept(compiled: &Compiled) -> HashMap<u32, usize> {
    let program = &compiled.program;
    let mut kept = HashMap::new();
    for (index, segment) in program.segments.iter().enumerate() {
        for code in codes(program, segment) {
            operands(program, code.0, &code.1, |slot| {
                let user = kept.entry(slot).or_insert(index);
                if *user != index {
                    *user = OUTSIDE;
                }
            });
        }
    }
    let mut outside: Vec<u32> = [&compiled.outputs[..], &compiled.watched].concat();
    for domain in &program.domains {
        outside.extend(domain.from..=domain.to);
        for write in &domain.writes {
            outside.extend([write.enable, write.address]);
            outside.extend(&write.data);
        }
    }
    kept.extend(outside.into_iter().map(|slot| (slot, OUTSIDE)));
    kept
}

const OUTSIDE: usize = usize::MAX;

/// Operations of a segment with their kinds.
fn codes<'p>(
    program: &'p Program,
    segment: &'p Segment,
) -> impl Iterator<Item = (Kind, Code)> + 'p {
    segment.batches.iter().flat_map(|batch| {
        let codes = &program.code[batch.from as usize..batch.to as usize];
        codes.iter().map(|code| (batch.kind, *code))
    })
}

fn parts<'p>(program: &'p Program, code: &Code) -> &'p [Part] {
    &program.parts[code.a as usize..code.b as usize]
}

/// Calls `visit` with every slot that an operation reads.
fn operands(program: &Program, kind: Kind, code: &Code, visit: impl FnMut(u32)) {
    let Code { a, b, c, .. } = *code;
    let list = [a, b, c];
    let fixed = match kind {
        Kind::Pieces | Kind::Parity | Kind::Linear => {
            return parts(program, code).iter().map(|p| p.slot).for_each(visit);
        }
        Kind::Copy | Kind::Table | Kind::Read => &list[..1],
        Kind::Slice => &[a, c],
        Kind::And
        | Kind::AndNot
        | Kind::Or
        | Kind::Xor
        | Kind::Equal
        | Kind::NotEqual
        | Kind::Less
        | Kind::AtMost
        | Kind::Concat
        | Kind::ShiftRight => &list[..2],
        _ => &list[..],
    };
    fixed.iter().copied().for_each(visit);
}

struct Emitter<'p> {
    compiled: &'p Compiled,
    program: &'p Program,
    constants: &'p HashMap<u32, u64>,
    /// What has been computed here.
    values: HashMap<u32, Value>,
    slots: Value,
    memories: Value,
    tables: Value,
    builder: FunctionBuilder<'p>,
}

impl Emitter<'_> {
    fn segment(&mut self, segment: &Segment, kept: impl Fn(u32) -> bool) {
        let codes: HashMap<u32, (Kind, Code)> = codes(self.program, segment)
            .map(|code| (code.1.d, code))
            .collect();
        let mut roots: Vec<u32> = codes.keys().copied().filter(|s| kept(*s)).collect();
        // Registers of one block of the text lie side by side and share much of their logic.
        roots.sort_unstable();
        let mut stack = vec![];
        for root in roots {
            stack.push(root);
            while let Some(&slot) = stack.last() {
                let before = stack.len();
                let (kind, code) = codes[&slot];
                if !self.values.contains_key(&slot) {
                    operands(self.program, kind, &code, |operand| {
                        if codes.contains_key(&operand) && !self.values.contains_key(&operand) {
                            stack.push(operand);
                        }
                    });
                    stack[before..].reverse();
                }
                if stack.len() > before {
                    continue;
                }
                stack.pop();
                if !self.values.contains_key(&slot) {
                    let value = self.operation(kind, &code);
                    self.values.insert(slot, value);
                    if kept(slot) {
                        let flags = MemFlags::trusted();
                        let ins = self.builder.ins();
                        ins.store(flags, value, self.slots, 8 * slot as i32);
                    }
                }
            }
        }
    }

    fn get(&mut self, slot: u32) -> Value {
        if let Some(value) = self.constants.get(&slot) {
            return self.number(*value);
        }
        match self.values.get(&slot) {
            Some(value) => *value,
            None => {
                let ins = self.builder.ins();
                ins.load(I64, MemFlags::trusted(), self.slots, 8 * slot as i32)
            }
        }
    }

    fn number(&mut self, value: u64) -> Value {
        self.builder.ins().iconst(I64, value as i64)
    }

    fn and(&mut self, value: Value, mask: u64) -> Value {
        match mask {
            u64::MAX => value,
            _ => self.builder.ins().band_imm(value, mask as i64),
        }
    }

    fn right(&mut self, value: Value, by: u64) -> Value {
        match by {
            0 => value,
            _ => self.builder.ins().ushr_imm(value, by as i64),
        }
    }

    fn left(&mut self, value: Value, by: u64) -> Value {
        match by {
            0 => value,
            _ => self.builder.ins().ishl_imm(value, by as i64),
        }
    }

    fn compare(&mut self, condition: IntCC, a: Value, b: Value) -> Value {
        let bit = self.builder.ins().icmp(condition, a, b);
        self.builder.ins().uextend(I64, bit)
    }

    /// A word of 64 bits at an index behind `base`.
    fn word_at(&mut self, base: Value, index: Value, first: usize) -> Value {
        let bytes = self.builder.ins().ishl_imm(index, 3);
        let place = self.builder.ins().iadd(base, bytes);
        let flags = MemFlags::trusted();
        match i32::try_from(8 * first) {
            Ok(offset) => self.builder.ins().load(I64, flags, place, offset),
            Err(_) => {
                let place = self.builder.ins().iadd_imm(place, 8 * first as i64);
                self.builder.ins().load(I64, flags, place, 0)
            }
        }
    }

    /// A shift by any amount: 64 and more give 0.
    fn shift(&mut self, a: Value, b: Value, left: bool) -> Value {
        let moved = match left {
            true => self.builder.ins().ishl(a, b),
            false => self.builder.ins().ushr(a, b),
        };
        let small = self.builder.ins().icmp_imm(IntCC::UnsignedLessThan, b, 64);
        let zero = self.number(0);
        self.builder.ins().select(small, moved, zero)
    }

    fn operation(&mut self, kind: Kind, code: &Code) -> Value {
        match kind {
            Kind::Pieces | Kind::Parity | Kind::Linear => return self.many(kind, code),
            Kind::Slice => {
                let value = self.get(code.a);
                let value = self.right(value, u64::from(code.b & 63));
                let ones = self.get(code.c);
                return self.builder.ins().band(value, ones);
            }
            Kind::Table => {
                let index = self.get(code.a);
                let index = self.and(index, u64::from(code.c));
                return self.word_at(self.tables, index, code.b as usize);
            }
            Kind::Read => {
                let memory = self.compiled.memories[code.b as usize];
                let address = self.get(code.a);
                let address = self.and(address, mask(memory.address_bits));
                let limbs = u64::from(code.c >> 16);
                let index = match limbs {
                    1 => address,
                    _ => self.builder.ins().imul_imm(address, limbs as i64),
                };
                let first = memory.first + (code.c & 0xffff) as usize;
                return self.word_at(self.memories, index, first);
            }
            _ => {}
        }
        let a = self.get(code.a);
        if kind == Kind::Copy {
            return a;
        }
        let b = self.get(code.b);
        if kind == Kind::Concat {
            let b = self.left(b, u64::from(code.c & 63));
            return self.builder.ins().bor(a, b);
        }
        let needs_third = !matches!(
            kind,
            Kind::And
                | Kind::AndNot
                | Kind::Or
                | Kind::Xor
                | Kind::Equal
                | Kind::NotEqual
                | Kind::Less
                | Kind::AtMost
                | Kind::ShiftRight
        );
        let c = match needs_third {
            true => self.get(code.c),
            false => a,
        };
        macro_rules! one {
            ($operation:ident) => {
                self.builder.ins().$operation(a, b)
            };
        }
        macro_rules! two {
            ($first:ident, $second:ident) => {{
                let ab = self.builder.ins().$first(a, b);
                self.builder.ins().$second(ab, c)
            }};
        }
        match kind {
            Kind::And => one!(band),
            Kind::AndNot => one!(band_not),
            Kind::Or => one!(bor),
            Kind::OrNot => {
                let not = self.builder.ins().bxor(b, c);
                self.builder.ins().bor(a, not)
            }
            Kind::Xor => one!(bxor),
            Kind::And3 => two!(band, band),
            Kind::Or3 => two!(bor, bor),
            Kind::Xor3 => two!(bxor, bxor),
            Kind::AndOr => two!(band, bor),
            Kind::OrAnd => two!(bor, band),
            Kind::AndNotNot => two!(band_not, band_not),
            Kind::AndAndNot => two!(band, band_not),
            Kind::Add => two!(iadd, band),
            Kind::Sub => two!(isub, band),
            Kind::Mul => two!(imul, band),
            Kind::Equal => self.compare(IntCC::Equal, a, b),
            Kind::NotEqual => self.compare(IntCC::NotEqual, a, b),
            Kind::Less => self.compare(IntCC::UnsignedLessThan, a, b),
            Kind::AtMost => self.compare(IntCC::UnsignedLessThanOrEqual, a, b),
            Kind::Choose => self.builder.ins().select(a, b, c),
            Kind::ShiftLeft => {
                let moved = self.shift(a, b, true);
                self.builder.ins().band(moved, c)
            }
            _ => self.shift(a, b, false),
        }
    }

    /// An operation on any number of parts.
    fn many(&mut self, kind: Kind, code: &Code) -> Value {
        let mut result: Option<Value> = None;
        for part in parts(self.program, code) {
            let value = self.get(part.slot);
            let value = match kind {
                Kind::Parity => self.and(value, part.mask),
                Kind::Linear => {
                    let index = self.right(value, part.right.into());
                    let index = self.and(index, 15);
                    self.word_at(self.tables, index, part.mask as usize)
                }
                _ => {
                    let value = self.right(value, part.right.into());
                    let value = self.and(value, part.mask);
                    self.left(value, part.left.into())
                }
            };
            result = Some(match result {
                None => value,
                Some(before) if kind == Kind::Pieces => self.builder.ins().bor(before, value),
                Some(before) => self.builder.ins().bxor(before, value),
            });
        }
        let word = match result {
            Some(word) => word,
            None => self.number(0),
        };
        match kind {
            Kind::Parity => {
                let ones = self.builder.ins().popcnt(word);
                self.and(ones, 1)
            }
            _ => word,
        }
    }
}
