//! The signals and sub-blocks of an interpreted block.

use super::interpret::PortOf;
use bloomline_language::wires::derived::parameter;
use bloomline_language::wires::prelude::*;
use bloomline_language::wires::Number;

/// A value met while interpreting.
#[derive(Clone, Copy, Debug)]
pub enum Loaded {
    Bool(bool),
    Number(u128),
    Uint(UInt),
    Wide(Wide),
}

/// A signal, constant, register or slice.
#[allow(clippy::large_enum_variant, reason = "a block has a few dozen of them")]
pub enum Slot {
    In(Bus<In>),
    InFlag(Wire<In>),
    InWide(WideBus<In>),
    Out(Bus<Out>),
    OutFlag(Wire<Out>),
    OutWide(WideBus<Out>),
    Local(Bus<Local>),
    LocalFlag(Wire<Local>),
    LocalWide(WideBus<Local>),
    Const(Const),
    Number(Fixed),
    Reg(Reg),
    Flag(Flag),
    ResetReg(ResetReg),
    EnableReg(EnableReg),
    Slice(Slice),
    Delay(Delay),
}

/// A number of a block, as `#[derive(LogicBlock)]` shows it.
pub struct Fixed(pub Number);

impl Logic for Fixed {
    fn update(&mut self) {}
}

impl Block for Fixed {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, name: &str, probe: &mut dyn probe::Probe) {
        parameter(probe, name, self.0);
    }
}

impl Slot {
    pub fn input(kind: &str, width: usize) -> Self {
        match kind {
            "bool" => Slot::InFlag(Wire::default()),
            "Wide" => Slot::InWide(WideBus::new(width)),
            _ => Slot::In(Bus::new(width)),
        }
    }

    pub fn output(kind: &str, width: usize) -> Self {
        match kind {
            "bool" => Slot::OutFlag(Wire::default()),
            "Wide" => Slot::OutWide(WideBus::new(width)),
            _ => Slot::Out(Bus::new(width)),
        }
    }

    pub fn local(kind: &str, width: usize) -> Self {
        match kind {
            "bool" => Slot::LocalFlag(Wire::default()),
            "Wide" => Slot::LocalWide(WideBus::new(width)),
            _ => Slot::Local(Bus::new(width)),
        }
    }

    pub fn block(&self) -> &dyn Block {
        match self {
            Slot::In(x) => x,
            Slot::InFlag(x) => x,
            Slot::InWide(x) => x,
            Slot::Out(x) => x,
            Slot::OutFlag(x) => x,
            Slot::OutWide(x) => x,
            Slot::Local(x) => x,
            Slot::LocalFlag(x) => x,
            Slot::LocalWide(x) => x,
            Slot::Const(x) => x,
            Slot::Number(x) => x,
            Slot::Reg(x) => x,
            Slot::Flag(x) => x,
            Slot::ResetReg(x) => x,
            Slot::EnableReg(x) => x,
            Slot::Slice(x) => x,
            Slot::Delay(x) => x,
        }
    }

    pub fn block_mut(&mut self) -> &mut dyn Block {
        match self {
            Slot::In(x) => x,
            Slot::InFlag(x) => x,
            Slot::InWide(x) => x,
            Slot::Out(x) => x,
            Slot::OutFlag(x) => x,
            Slot::OutWide(x) => x,
            Slot::Local(x) => x,
            Slot::LocalFlag(x) => x,
            Slot::LocalWide(x) => x,
            Slot::Const(x) => x,
            Slot::Number(x) => x,
            Slot::Reg(x) => x,
            Slot::Flag(x) => x,
            Slot::ResetReg(x) => x,
            Slot::EnableReg(x) => x,
            Slot::Slice(x) => x,
            Slot::Delay(x) => x,
        }
    }

    /// Marks as driven what the kernel above drives.
    pub fn claim(&mut self) {
        match self {
            Slot::Out(x) => x.connect(),
            Slot::OutFlag(x) => x.connect(),
            Slot::OutWide(x) => x.connect(),
            Slot::Local(x) => x.connect(),
            Slot::LocalFlag(x) => x.connect(),
            Slot::LocalWide(x) => x.connect(),
            Slot::Reg(x) => {
                x.clock.connect();
                x.d.connect();
            }
            Slot::Flag(x) => {
                x.clock.connect();
                x.d.connect();
            }
            Slot::ResetReg(x) => {
                x.clock.connect();
                x.reset.connect();
                x.d.connect();
            }
            Slot::EnableReg(x) => {
                x.clock.connect();
                x.enable.connect();
                x.d.connect();
            }
            Slot::Slice(x) => x.input.connect(),
            Slot::Delay(x) => {
                x.clock.connect();
                x.d.connect();
            }
            Slot::In(_) | Slot::InFlag(_) | Slot::InWide(_) | Slot::Const(_) | Slot::Number(_) => {}
        }
    }

    /// Whether it has a clock.
    pub fn is_clocked(&self) -> bool {
        matches!(
            self,
            Slot::Reg(_) | Slot::Flag(_) | Slot::ResetReg(_) | Slot::EnableReg(_) | Slot::Delay(_)
        )
    }

    pub fn set_clock(&mut self, clock: Clock) {
        match self {
            Slot::Reg(x) => x.clock.next = clock,
            Slot::Flag(x) => x.clock.next = clock,
            Slot::ResetReg(x) => x.clock.next = clock,
            Slot::EnableReg(x) => x.clock.next = clock,
            Slot::Delay(x) => x.clock.next = clock,
            _ => panic!("no clock here"),
        }
    }

    pub fn read(&self, port: PortOf) -> Loaded {
        match (self, port) {
            (Slot::In(x), _) => Loaded::Uint(x.val()),
            (Slot::InFlag(x), _) => Loaded::Bool(x.val()),
            (Slot::InWide(x), _) => Loaded::Wide(x.val()),
            (Slot::Out(x), _) => Loaded::Uint(x.val()),
            (Slot::OutFlag(x), _) => Loaded::Bool(x.val()),
            (Slot::OutWide(x), _) => Loaded::Wide(x.val()),
            (Slot::Local(x), _) => Loaded::Uint(x.val()),
            (Slot::LocalFlag(x), _) => Loaded::Bool(x.val()),
            (Slot::LocalWide(x), _) => Loaded::Wide(x.val()),
            (Slot::Const(x), _) => Loaded::Uint(x.val()),
            (Slot::Number(Fixed(x)), _) if x.is_flag => Loaded::Bool(x.value == 1),
            (Slot::Number(Fixed(x)), _) => Loaded::Number(x.value),
            (Slot::Reg(x), PortOf::Q) => Loaded::Uint(x.q.val()),
            (Slot::Flag(x), PortOf::Q) => Loaded::Bool(x.q.val()),
            (Slot::ResetReg(x), PortOf::Q) => Loaded::Uint(x.q.val()),
            (Slot::EnableReg(x), PortOf::Q) => Loaded::Uint(x.q.val()),
            (Slot::Slice(x), PortOf::Output) => Loaded::Uint(x.output.val()),
            (Slot::Delay(x), PortOf::Q) => Loaded::Uint(x.q.val()),
            (_, port) => panic!("cannot read {port:?}"),
        }
    }

    pub fn write(&mut self, port: PortOf, value: Loaded) {
        match (self, port, value) {
            (Slot::In(x), _, Loaded::Uint(v)) => x.next = v,
            (Slot::InFlag(x), _, Loaded::Bool(v)) => x.next = v,
            (Slot::InWide(x), _, Loaded::Wide(v)) => x.next = v,
            (Slot::Out(x), _, Loaded::Uint(v)) => x.next = v,
            (Slot::OutFlag(x), _, Loaded::Bool(v)) => x.next = v,
            (Slot::OutWide(x), _, Loaded::Wide(v)) => x.next = v,
            (Slot::Local(x), _, Loaded::Uint(v)) => x.next = v,
            (Slot::LocalFlag(x), _, Loaded::Bool(v)) => x.next = v,
            (Slot::LocalWide(x), _, Loaded::Wide(v)) => x.next = v,
            (Slot::Reg(x), PortOf::D, Loaded::Uint(v)) => x.d.next = v,
            (Slot::Flag(x), PortOf::D, Loaded::Bool(v)) => x.d.next = v,
            (Slot::ResetReg(x), PortOf::D, Loaded::Uint(v)) => x.d.next = v,
            (Slot::EnableReg(x), PortOf::D, Loaded::Uint(v)) => x.d.next = v,
            (Slot::ResetReg(x), PortOf::Control, Loaded::Bool(v)) => x.reset.next = v,
            (Slot::EnableReg(x), PortOf::Control, Loaded::Bool(v)) => x.enable.next = v,
            (Slot::Slice(x), PortOf::Input, Loaded::Uint(v)) => x.input.next = v,
            (Slot::Delay(x), PortOf::D, Loaded::Uint(v)) => x.d.next = v,
            (_, port, value) => panic!("cannot write {value:?} to {port:?}"),
        }
    }

    /// The value of an output or input port as little-endian words.
    pub fn words(&self) -> Vec<u64> {
        match self.read(PortOf::Itself) {
            Loaded::Bool(b) => vec![u64::from(b)],
            Loaded::Number(n) => vec![n as u64, (n >> 64) as u64],
            Loaded::Uint(x) => vec![x.get() as u64, (x.get() >> 64) as u64],
            Loaded::Wide(x) => x.words().to_vec(),
        }
    }
}
