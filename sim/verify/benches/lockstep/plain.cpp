// The usual hand-written loop around a Verilated model: it drives the items, counts the verdicts and checks nothing.
// Arguments: file of keys (two 64-bit words each), number of keys, and `cpu` for the processor's time instead of the clock on the wall.
// Prints clocks, seconds and verdicts.
#include "Vdut.h"
#include "verilated.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) return 2;
    const auto now = [&] {
        if (argc == 4) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    const size_t items = std::strtoull(argv[2], nullptr, 10);
    std::vector<uint64_t> keys(2 * items);
    FILE* const file = std::fopen(argv[1], "rb");
    if (!file || std::fread(keys.data(), 16, items, file) != items) return 2;
    std::fclose(file);

    VerilatedContext context;
    context.randReset(0);
    const std::unique_ptr<Vdut> dut{new Vdut{&context}};
    dut->reset = 0;
    dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_bready = dut->s_axil_arvalid = dut->s_axil_rready = 0;
    dut->m_verdict_tready = 1;
    dut->s_item_tuser = 2;
    size_t next = 0, verdicts = 0;
    uint64_t clocks = 0;
    const double start = now();
    while (verdicts < items) {
        dut->s_item_tvalid = next < items;
        if (next < items) {
            const uint64_t* const key = &keys[2 * next];
            dut->s_item_tdata[0] = static_cast<uint32_t>(key[0]);
            dut->s_item_tdata[1] = static_cast<uint32_t>(key[0] >> 32);
            dut->s_item_tdata[2] = static_cast<uint32_t>(key[1]);
            dut->s_item_tdata[3] = static_cast<uint32_t>(key[1] >> 32);
            dut->s_item_tid = next & 0xffff;
        }
        dut->clock = 0;
        dut->eval();
        const bool accepted = dut->s_item_tvalid && dut->s_item_tready;
        verdicts += dut->m_verdict_tvalid;
        dut->clock = 1;
        dut->eval();
        next += accepted;
        ++clocks;
    }
    const double elapsed = now() - start;
    dut->final();
    std::printf("%llu %.6f %zu\n", static_cast<unsigned long long>(clocks), elapsed, verdicts);
    return 0;
}
