// Replaces the process-ending functions of the Verilated runtime.
#include "bloomline_runtime.h"
#include "verilated.h"

#include <cstdarg>
#include <cstdio>

namespace bloomline {
thread_local Capture* current = nullptr;
}

extern "C" void bloomline_printf(const char* format, ...) {
    bloomline::Capture* const capture = bloomline::current;
    if (!capture || capture->log.size() >= bloomline::LOG_LIMIT) return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    if (length > 0) {
        const size_t old = capture->log.size();
        capture->log.resize(old + length + 1);
        vsnprintf(&capture->log[old], length + 1, format, again);
        capture->log.resize(old + length);
    }
    va_end(again);
}

static void stop(const char* file, int line, const char* message) {
    bloomline::Capture* const capture = bloomline::current;
    if (capture && !capture->stopped) {
        capture->stopped = true;
        if (file && *file) {
            capture->error = std::string(file) + ":" + std::to_string(line) + ": ";
        }
        capture->error += message;
    }
    throw bloomline::Stop{};
}

void vl_finish(const char*, int, const char*) {
    if (bloomline::current) bloomline::current->finished = true;
    Verilated::threadContextp()->gotFinish(true);
}
void vl_stop(const char* file, int line, const char*) { stop(file, line, "$stop, $fatal or a failed assertion"); }
void vl_fatal(const char* file, int line, const char*, const char* message) { stop(file, line, message); }
void vl_warn(const char* file, int line, const char*, const char* message) {
    bloomline_printf("%%Warning: %s:%d: %s\n", file ? file : "", line, message);
}
