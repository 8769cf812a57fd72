//! Generates the C++ interface between Rust and a Verilated model.

use super::{BuildOptions, Design, Direction, Port};
use std::fmt::Write;

/// Changes whenever the functions below change; part of the cache key.
pub(crate) const ABI: u32 = 2;

/// What [`super::Sim`] calls. The first word of a status: 0 good, 1 `$finish`, 2 stopped.
const FUNCTIONS: &str = r#"
namespace {

struct Model {
    bloomline::Capture capture;
    VerilatedContext context;
    Vdut* dut = nullptr;
    uint64_t cycle = 0;
#if BLOOMLINE_TRACE
    VerilatedVcdC vcd;
    bool tracing = false;
#endif

    // Each step makes this model the one that prints, and undoes that on every way out.
    struct Scope {
        explicit Scope(Model& m) {
            bloomline::current = &m.capture;
            Verilated::threadContextp(&m.context);
        }
        ~Scope() { bloomline::current = nullptr; }
    };

    inline void dump(uint64_t time) {
#if BLOOMLINE_TRACE
        if (__builtin_expect(tracing, 0)) vcd.dump(time);
#else
        (void)time;
#endif
    }

    inline void clock(const uint64_t* in, uint64_t* out) {
        drive(*dut, in);
        set_clock(*dut, 0);
        dut->eval();
        dump(cycle * 10);
        sample(*dut, out);
        if (HAS_CLOCK) {
            set_clock(*dut, 1);
            dut->eval();
            dump(cycle * 10 + 5);
        }
        ++cycle;
    }

    int status() const { return capture.stopped ? 2 : capture.finished ? 1 : 0; }
};

inline Model& model(void* handle) { return *static_cast<Model*>(handle); }

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT uint32_t bloomline_abi() { return BLOOMLINE_ABI; }

EXPORT void* bloomline_new(int initial, uint64_t seed, int arguments, const char** argument) {
    Model* const m = new Model;
    Model::Scope scope{*m};
    try {
        m->context.randReset(initial);
        // Verilator takes seeds of 31 bits, and 0 would mean a seed from the clock.
        m->context.randSeed(static_cast<int>((seed ^ (seed >> 31)) % 0x7ffffffeu) + 1);
        m->context.fatalOnError(true);
        m->context.commandArgs(arguments, argument);
#if BLOOMLINE_TRACE
        m->context.traceEverOn(true);
#endif
        m->dut = new Vdut{&m->context, ""};
#if BLOOMLINE_TRACE
        m->dut->trace(&m->vcd, 99);
#endif
    } catch (const std::exception& e) {
        if (!m->capture.stopped) m->capture.error = e.what();
        m->capture.stopped = true;
    }
    return m;
}

EXPORT int bloomline_steps(void* handle, const uint64_t* in, uint64_t* out, uint64_t clocks, uint64_t* done) {
    Model& m = model(handle);
    uint64_t n = 0;
    if (__builtin_expect(m.status() == 0, 1)) {
        Model::Scope scope{m};
        try {
            for (; n < clocks; in += IN_WORDS, out += OUT_WORDS) {
                m.clock(in, out);
                ++n;
                if (__builtin_expect(m.capture.finished, 0)) break;
            }
        } catch (const std::exception& e) {
            if (!m.capture.stopped) m.capture.error = e.what();
            m.capture.stopped = true;
        }
    }
    *done = n;
    return m.status();
}

EXPORT int bloomline_step(void* handle, const uint64_t* in, uint64_t* out) {
    uint64_t done;
    return bloomline_steps(handle, in, out, 1, &done);
}

EXPORT int bloomline_status(void* handle) { return model(handle).status(); }
EXPORT uint64_t bloomline_cycle(void* handle) { return model(handle).cycle; }
EXPORT const char* bloomline_error(void* handle) { return model(handle).capture.error.c_str(); }
EXPORT const char* bloomline_log(void* handle) { return model(handle).capture.log.c_str(); }
EXPORT void bloomline_clear_log(void* handle) { model(handle).capture.log.clear(); }

EXPORT int bloomline_trace_open(void* handle, const char* path) {
#if BLOOMLINE_TRACE
    Model& m = model(handle);
    Model::Scope scope{m};
    m.vcd.open(path);
    m.tracing = m.vcd.isOpen();
    return m.tracing ? 0 : 1;
#else
    (void)handle, (void)path;
    return 1;
#endif
}

EXPORT void bloomline_trace_close(void* handle) {
#if BLOOMLINE_TRACE
    Model& m = model(handle);
    Model::Scope scope{m};
    m.tracing = false;
    m.vcd.close();
#else
    (void)handle;
#endif
}

EXPORT void bloomline_write_coverage(void* handle, const char* path) {
#if BLOOMLINE_COVERAGE
    Model& m = model(handle);
    Model::Scope scope{m};
    m.context.coveragep()->write(path);
#else
    (void)handle, (void)path;
#endif
}

EXPORT void bloomline_free(void* handle) {
    Model* const m = &model(handle);
    Model::Scope scope{*m};
    try {
#if BLOOMLINE_TRACE
        m->vcd.close();
#endif
        // Final blocks only run on a model that is whole.
        if (m->dut && !m->capture.stopped) m->dut->final();
    } catch (const std::exception&) {
        // Nobody is left to be told: the model is going away.
    }
    delete m->dut;
    delete m;
}
"#;

/// The complete shim of a design.
pub(crate) fn shim_text(design: &Design, options: &BuildOptions) -> String {
    let mut text = String::new();
    let flag = |on: bool| if on { 1 } else { 0 };
    let _ = writeln!(text, "#define BLOOMLINE_ABI {ABI}");
    let _ = writeln!(text, "#define BLOOMLINE_TRACE {}", flag(options.trace));
    let _ = writeln!(
        text,
        "#define BLOOMLINE_COVERAGE {}",
        flag(options.coverage)
    );
    text.push_str("#include \"Vdut.h\"\n");
    if options.trace {
        text.push_str("#include \"verilated_vcd_c.h\"\n");
    }
    if options.coverage {
        text.push_str("#include \"verilated_cov.h\"\n");
    }
    let _ = writeln!(
        text,
        "namespace {{\nconstexpr bool HAS_CLOCK = {};",
        design.clock.is_some()
    );
    let _ = writeln!(
        text,
        "constexpr uint64_t IN_WORDS = {}, OUT_WORDS = {};",
        design.input_words(),
        design.output_words()
    );
    let set_clock = design
        .clock
        .as_ref()
        .map(|name| format!("m.{} = value;", member(name)))
        .unwrap_or_default();
    let _ = writeln!(text, "inline void set_clock([[maybe_unused]] Vdut& m, [[maybe_unused]] uint8_t value) {{ {set_clock} }}");
    text.push_str(
        "inline void drive([[maybe_unused]] Vdut& m, [[maybe_unused]] const uint64_t* in) {\n",
    );
    for (port, word) in design.inputs() {
        text.push_str(&move_port(port, word));
    }
    text.push_str(
        "}\ninline void sample([[maybe_unused]] Vdut& m, [[maybe_unused]] uint64_t* out) {\n",
    );
    for (port, word) in design.outputs() {
        text.push_str(&move_port(port, word));
    }
    text.push_str("}\n}  // namespace\n");
    text.push_str(FUNCTIONS);
    text
}

/// Statements that move one port between its member and its words. Verilator keeps 65 bits and more in words of 32, and
/// needs the bits above the width of an input to be zero.
fn move_port(port: &Port, word: usize) -> String {
    let member = member(&port.name);
    let mut text = String::new();
    if port.width <= 64 {
        let _ = match port.direction {
            Direction::Input => writeln!(
                text,
                "  m.{member} = in[{word}] & {};",
                mask(port.width, 64)
            ),
            Direction::Output => writeln!(text, "  out[{word}] = m.{member};"),
        };
        return text;
    }
    let halves = port.width.div_ceil(32);
    for half in 0..halves {
        let (index, shift) = (word + half / 2, 32 * (half % 2));
        let _ = match port.direction {
            Direction::Input => {
                let bits = (port.width - 32 * half).min(32);
                writeln!(
                    text,
                    "  m.{member}[{half}] = static_cast<uint32_t>(in[{index}] >> {shift}) & {};",
                    mask(bits, 32)
                )
            }
            Direction::Output if shift == 0 => {
                writeln!(text, "  out[{index}] = m.{member}[{half}];")
            }
            Direction::Output => writeln!(
                text,
                "  out[{index}] |= static_cast<uint64_t>(m.{member}[{half}]) << 32;"
            ),
        };
    }
    text
}

/// A literal with the low `bits` bits set, in a type of `of` bits.
fn mask(bits: usize, of: usize) -> String {
    let value = if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    let suffix = if of == 64 { "ull" } else { "u" };
    format!("{value:#x}{suffix}")
}

/// The C++ member of a port: Verilator writes a double underscore as `___05F`.
pub(crate) fn member(name: &str) -> String {
    name.replace("__", "___05F")
}
