//! Identifiers: plain, unique in their module, no keyword of Verilog, SystemVerilog or C++ (which Verilator compiles to).

use std::collections::HashSet;
use std::sync::LazyLock;

const KEYWORDS: &str = "
    accept_on alias alignas alignof always always_comb always_ff always_latch and asm assert assign assume auto automatic
    before begin bind bins binsof bit bool break buf bufif0 bufif1 byte case casex casez catch cell chandle char checker
    class clocking cmos compl concept config const const_cast constexpr constraint context continue cover covergroup
    coverpoint cross deassign decltype default defparam delete design disable dist do double dynamic_cast edge else end
    endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule endpackage
    endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect explicit
    export extends extern false final first_match float for force foreach forever fork forkjoin friend function generate
    genvar global goto highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include
    initial inline inout input inside instance int integer interconnect interface intersect join join_any join_none large
    let liblist library local localparam logic long longint macromodule mailbox matches medium modport module mutable
    namespace nand negedge nettype new nexttime nmos noexcept nor noshowcancelled not notif0 notif1 null nullptr operator
    or output package packed parameter pmos posedge primitive priority private program property protected public pull0
    pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime
    ref reg register reinterpret_cast reject_on release repeat requires restrict return rnmos rpmos rtran rtranif0
    rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shared short shortint shortreal
    showcancelled signed sizeof small soft solve specify specparam static static_assert static_cast std string strong
    strong0 strong1 struct super supply0 supply1 switch sync_accept_on sync_reject_on table tagged task template this
    thread_local throw throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg true
    try type typedef typeid typename union unique unique0 unsigned until until_with untyped use using uwire var vectored
    virtual void volatile wait wait_order wand wchar_t weak weak0 weak1 while wildcard wire with within wor xnor xor";

/// Words that no module of emitted text is named.
pub fn reserved_words() -> impl Iterator<Item = &'static str> {
    KEYWORDS.split_whitespace()
}

fn is_keyword(name: &str) -> bool {
    static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| reserved_words().collect());
    SET.contains(name)
}

/// Whether `name` can stand in Verilog as it is.
pub(super) fn is_plain(name: &str) -> bool {
    let ascii = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    ascii
        && !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !is_keyword(name)
}

/// The names taken in one module (or, for module names, in one design).
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// A free name as near to `wanted` as possible: other characters than letters, digits and `_` become `_`, a keyword
    /// gets a trailing `_`, a name in use gets `_2`, `_3`, ...
    pub fn unique(&mut self, wanted: &str) -> String {
        let plain = |c: char| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        };
        let mut base: String = wanted.chars().map(plain).collect();
        if base.is_empty() || base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, 'n');
        }
        if is_keyword(&base) {
            base.push('_');
        }
        let mut name = base.clone();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}_{count}");
        }
        name
    }
}
