// Included before every file of the Verilated runtime and by the shim: what the design prints goes to the model that runs
// in this thread, and nothing ends the process.
#pragma once
#include <cstdint>
#include <exception>
#include <string>

namespace bloomline {

/// Text kept for one model; what comes after is dropped.
constexpr size_t LOG_LIMIT = 64 * 1024;

struct Capture {
    std::string log;
    std::string error;
    bool finished = false;
    bool stopped = false;
};

/// Thrown through a model's eval by $stop, $fatal and Verilator's own checks.
struct Stop final : std::exception {};

/// The model that runs in this thread.
extern thread_local Capture* current;

}  // namespace bloomline

extern "C" void bloomline_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
#define VL_PRINTF bloomline_printf
