//! Statement macros of kernels. rust-hdl's kernel macro knows them by name and translates them itself; these are the
//! Rust halves that run in simulation.

/// Connects the clocks of sub-blocks: `clock!(self, clock, count, ram, banks[i]);`.
#[macro_export]
macro_rules! clock {
    ($self:ident, $clock:ident, $($sub:ident $([$index:expr])?),+ $(,)?) => {
        $( $self.$sub$([$index])?.clock.next = $self.$clock.val(); )+
    };
}

/// Connects the clocks of registers and makes them hold their value unless the kernel assigns `d` later:
/// `dff_setup!(self, clock, count, words[i]);`.
#[macro_export]
macro_rules! dff_setup {
    ($self:ident, $clock:ident, $($sub:ident $([$index:expr])?),+ $(,)?) => {
        $(
            $self.$sub$([$index])?.clock.next = $self.$clock.val();
            $self.$sub$([$index])?.d.next = $self.$sub$([$index])?.q.val();
        )+
    };
}

/// A comment that appears in the emitted Verilog above the next statement: `comment!("Two items of one word.");`.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
