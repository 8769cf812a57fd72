//! Plausible mistakes: what was typed, and what the message must name. Each ends with exit code 2 and prints no result.

use crate::common::run;
use std::path::Path;

/// What was typed, separated by blanks, and parts of the message: the fault, and what to type next.
const MISTAKES: &[(&str, &[&str])] = &[
    ("", &["Usage", "quickstart"]),
    ("paln onehit.toml", &["similar", "'plan'"]),
    ("plan", &["<SPEC>", "--help"]),
    ("plan none.toml", &["none.toml", "name an existing"]),
    ("plan specs", &["specs", "name an existing"]),
    ("plan onehit.toml extra", &["'extra'", "--help"]),
    ("plan onehit.toml --jsn", &["'--json'"]),
    ("plan empty.toml", &["missing field `name`"]),
    ("plan binary.toml", &["UTF-8", "name an existing"]),
    (
        "plan typo.toml",
        &["typo.toml:4:1", "`hases`", "did you mean `hashes`"],
    ),
    (
        "plan word.toml",
        &["unknown variant", "did you mean `recycling`"],
    ),
    (
        "plan odd.toml",
        &["filter.memory_bits = 131071", "nearest legal value 131072"],
    ),
    (
        "plan whole.toml",
        &[
            "filter.recycle.threshold = 65536",
            "nearest legal value 65535",
        ],
    ),
    (
        "plan never.toml",
        &[
            "filter.recycle.threshold = 65000",
            "98% full",
            "change messages",
        ],
    ),
    (
        "plan unit.toml",
        &["unit.toml:4:9", "in digits, such as 65536"],
    ),
    ("plan /dev/zero", &["/dev/zero", "more than 1048576 bytes"]),
    (
        "device sim:admit.toml restore /dev/zero",
        &["/dev/zero", "no snapshot"],
    ),
    (
        "campaign new x --from /dev/zero",
        &["/dev/zero", "more than 1048576 bytes"],
    ),
    (
        "build onehit.toml --board /dev/zero",
        &["/dev/zero", "more than 1048576 bytes"],
    ),
    (
        "size recycling --messages ten --rate 1%",
        &["`ten`", "64Ki", "1M"],
    ),
    (
        "size recycling --rate 1% --false-negatives 1% --zipf 0.9,lots",
        &["--zipf 0.9,lots", "0.9,1000000"],
    ),
    ("size", &["Usage", "static"]),
    ("size bloom", &["'bloom'", "--help"]),
    ("size static", &["--bits, --items and --rate"]),
    ("size static --items 0 --rate 1%", &["at least 1"]),
    (
        "size static --items -5 --rate 1%",
        &["`-5` is no whole", "64Ki"],
    ),
    ("new x --kind static --rate -1%", &["`-1%` is no rate"]),
    ("size static --items ten --rate 1%", &["`ten`", "64Ki"]),
    (
        "size static --items 1,5M --rate 1%",
        &["`1,5M`", "groups of three", "1.5M"],
    ),
    ("size static --items 1.5 --rate 1%", &["`1.5`", "1e6"]),
    ("size static --items 1e30 --rate 1%", &["`1e30`", "1e6"]),
    (
        "size static --items 1000 --rate 5",
        &["`5` is no rate", "1%"],
    ),
    (
        "size static --items 1000 --rate 0",
        &["`0` is no rate", "1%"],
    ),
    (
        "size static --items 1000 --rate 1%%",
        &["`1%%` is no rate", "1%"],
    ),
    (
        "size static --items 1e12 --rate 1%",
        &["fewer items", "--theory"],
    ),
    (
        "size static --items 1000 --rate 1% --hashes 9",
        &["--hashes", "--bits and --items"],
    ),
    (
        "size recycling --messages 10000 --rate 1e-15",
        &["10000 new keys a cycle, a rate of 1e-15: ", "4294967295"],
    ),
    (
        "size recycling --memory 17179869184 --messages 1000000 --independent",
        &[
            "a memory of 17179869184 bits, 1000000 new",
            "give less memory",
        ],
    ),
    (
        "size recycling --memory 4096 --hashes 4 --threshold 100",
        &["bloomline size recycling ... --independent"],
    ),
    (
        "size static --items 423 --bits 11653742 --hashes 742",
        &["--hashes 742: at most 16 hashes are sized for"],
    ),
    (
        "size static --items 1000 --bits 1M --hashes 99",
        &["16 hashes", "--theory"],
    ),
    (
        "size counting --window 5G --threshold 5 --rate 1%",
        &[
            "error: --window 5000000000: must be",
            "nearest legal value 4294967295",
        ],
    ),
    (
        "size count-min --error 1e-9 --failure 1%",
        &[
            "error: --error 1e-9 --failure 0.01",
            "larger error",
            "count-min ... --theory",
        ],
    ),
    (
        "size counting --insertions 10G --threshold 4 --rate 1%",
        &[
            "--insertions 10000000000 --threshold 4 --rate 0.01: ",
            "fewer insertions",
        ],
    ),
    (
        "size sliding --window 10G --rate 1%",
        &["error: --window 10000000000: must be from 16", "8388608"],
    ),
    (
        "size sliding --window 1000 --rate 1e-30 --table cuckoo",
        &["error: --rate 1e-30: is below", "take a greater rate"],
    ),
    (
        "new x --kind sliding --items 10G",
        &["error: --items 10000000000: must be from 16"],
    ),
    (
        "size static --bits 10 --items 1000",
        &["more bits", "--theory"],
    ),
    (
        "size static --items 1000 --rate 1% --write no/such/x.toml",
        &["cannot be written", "name a file"],
    ),
    (
        "size static --items 1000 --rate 1% --write onehit.toml",
        &["is there already", "--force"],
    ),
    (
        "size static --items 1000 --rate 1% --write module.toml",
        &["keyword", "module_filter"],
    ),
    (
        "size static --items 1000 --rate 1% --theory --write x.toml",
        &["--theory", "--write"],
    ),
    (
        "size static --items 1000 --rate 1% --key-bits 0",
        &["1..=512"],
    ),
    (
        "size counting --insertions 1000 --threshold 5",
        &["--counters"],
    ),
    (
        "size counting --insertions 1000 --threshold 0 --rate 1%",
        &["at least 1"],
    ),
    (
        "size counting --insertions 1000 --threshold 70000 --rate 1%",
        &["counter_bits", "nearest legal value 16"],
    ),
    (
        "size counting --insertions 1000 --threshold 5 --rate 1% --true-count 7",
        &["true count = 7", "nearest: 4"],
    ),
    ("size count-min --error 1%", &["--failure"]),
    (
        "size count-min --error 2 --failure 1%",
        &["`2` is no rate", "1%"],
    ),
    (
        "size count-min --error 1% --failure 1% --counter-bits 64",
        &["8..=32"],
    ),
    (
        "size count-min --error 1% --failure 1% --amount-bits 32 --counter-bits 8",
        &["amount_bits = 32", "nearest legal value 8"],
    ),
    (
        "size count-min --error 1% --failure 1% --copies 17",
        &["--copies", "1..=16"],
    ),
    ("size sliding --window 100", &["--rate"]),
    (
        "size sliding --window 10 --slack 10 --rate 1%",
        &["--window 10: must", "nearest legal value 16"],
    ),
    (
        "size sliding --window 1000 --slack 1 --rate 1%",
        &["--slack 1: ", "nearest legal value 20"],
    ),
    (
        "size sliding --window 1000 --slack 100 --rate 0.9",
        &["eps = 0.9", "at most 0.5"],
    ),
    (
        "size sliding --window 100M --slack 100 --rate 1%",
        &["nearest legal value 8388608"],
    ),
    (
        "size recycling --rate 1%",
        &["without a memory", "add what is missing"],
    ),
    (
        "size recycling --memory 100 --rate 1%",
        &["--memory 100", "give more memory"],
    ),
    (
        "size recycling --messages 1000 --rate 1% --phases 3",
        &["phases = 3", "1 or 2"],
    ),
    ("new", &["--kind", "<NAME>"]),
    ("new x", &["--kind"]),
    ("new x --kind bloom", &["recycling, static, counting"]),
    ("new x --kind static --items 0", &["at least 1"]),
    ("new x --kind static --rate 2", &["`2` is no rate"]),
    (
        "new x --kind recycling --items 1e8 --rate 1e-9",
        &["100000000 new keys", "bloomline size recycling ... --"],
    ),
    ("new x --kind static --board nope", &["versa-ecp5", ".toml"]),
    (
        "new x --kind sliding --memory 1000",
        &["--memory", "give --items"],
    ),
    (
        "new no/such/x --kind static",
        &["cannot be written", "name a file"],
    ),
    ("new onehit --kind static", &["is there already", "--force"]),
    ("explain", &["<KEY>"]),
    ("explain nothing", &["explain --all"]),
    ("explain filter.hases", &["did you mean filter.hashes"]),
    ("explain filter.hashes extra", &["'extra'"]),
    (
        "examples --write onehit.toml",
        &["cannot make the folder", "name another"],
    ),
    ("examples --write specs", &["is there already", "--force"]),
    ("examples onehit", &["'onehit'", "--help"]),
    ("schema x", &["'x'"]),
    ("emit onehit.toml", &["--out"]),
    (
        "emit onehit.toml --out onehit.toml",
        &["is no folder", "name another"],
    ),
    ("emit none.toml --out o", &["none.toml", "name an existing"]),
    ("verify", &["<SPEC>"]),
    ("verify none.toml", &["none.toml", "name an existing"]),
    ("verify onehit.toml --items 0", &["at least 1"]),
    ("verify onehit.toml --items many", &["`many`", "1e6"]),
    (
        "verify onehit.toml --pcap none.pcap",
        &["none.pcap", "name an existing"],
    ),
    (
        "verify onehit.toml --pcap onehit.toml",
        &["neither pcap nor pcapng", "Wireshark"],
    ),
    (
        "verify onehit.toml --keys none.csv:a",
        &["none.csv", "name an existing"],
    ),
    (
        "verify onehit.toml --keys k.csv",
        &["FILE:COLUMN", "trace.csv:lbn"],
    ),
    (
        "verify onehit.toml --keys k.csv:b",
        &["no column \"b\"", "name one of them"],
    ),
    (
        "verify onehit.toml --keys k.csv:",
        &["no column \"\"", "it has a"],
    ),
    (
        "verify onehit.toml --keys e.csv:a",
        &["e.csv", "names its columns"],
    ),
    ("verify onehit.toml --zipf x", &["'x'", "--help"]),
    ("verify onehit.toml --zipf 99", &["99", "from 0 to 10"]),
    (
        "verify onehit.toml --pcap a --zipf 1",
        &["--pcap", "--zipf"],
    ),
    (
        "verify onehit.toml --simulator vcs",
        &["built-in", "verilator"],
    ),
    ("verify onehit.toml --seed -1", &["`-1` is no whole number"]),
    (
        "verify onehit.toml --report onehit.toml --items 10",
        &["--report onehit.toml", "is no folder"],
    ),
    ("verify onehit.toml --pcap-back a.pcap", &["--pcap"]),
    (
        "verify onehit.toml --items 10 --waves ./onehit.toml",
        &["--waves ./onehit.toml", "replace the input onehit.toml"],
    ),
    (
        "verify onehit.toml --items 10 --waves k.csv",
        &["--waves k.csv", "no VCD waveform", "name another file"],
    ),
    (
        "verify onehit.toml --items 10 --report mine",
        &["mine/onehit.html", "no HTML page", "name another file"],
    ),
    (
        "verify specs/linecard.toml --pcap k.csv --write-pcap k.csv",
        &["--write-pcap k.csv", "replace the input"],
    ),
    (
        "plan onehit.toml --cache 20G --zipf 0.8,1M --sizes bytes",
        &["'--zipf <S,U>' cannot be used with '--sizes"],
    ),
    (
        "plan onehit.toml --html ./onehit.toml",
        &["--html ./onehit.toml", "replace the input onehit.toml"],
    ),
    (
        "plan onehit.toml --keys k.csv:a --html k.csv",
        &["--html k.csv", "replace the input k.csv"],
    ),
    (
        "plan onehit.toml --html n.csv",
        &["--html n.csv", "no HTML page", "name another file"],
    ),
    (
        "device - union k.csv --out k.csv",
        &["--out k.csv", "replace the input"],
    ),
    (
        "device sim:admit.toml snapshot --out n.csv",
        &["--out n.csv", "no snapshot"],
    ),
    ("prove none.toml", &["none.toml", "name an existing"]),
    ("build onehit.toml", &["--board"]),
    ("build onehit.toml --board nope", &["versa-ecp5"]),
    ("build onehit.toml --board none.toml", &["none.toml"]),
    ("program", &["<FOLDER>"]),
    (
        "program nothing",
        &["nothing/build.json", "bloomline build SPEC --board NAME"],
    ),
    ("completions", &["<SHELL>"]),
    ("completions tcsh", &["'tcsh'", "bash"]),
    ("man", &["--out"]),
    ("man --out onehit.toml", &["onehit.toml", "name another"]),
    (
        "verify onehit.toml --keys n.csv:key",
        &["names no columns", "#1 for the first column"],
    ),
    (
        "verify onehit.toml --keys n.csv:#3",
        &["no column \"#3\"", "#1 for the first column"],
    ),
    (
        "device sim:onehit.toml query 7",
        &["has no [card]", "add a line `[card]`"],
    ),
    (
        "device uart:/dev/none insert onehit.toml 7",
        &["has no [card]", "add a line `[card]`"],
    ),
    (
        "device uart:/dev/none estimate admit.toml --confidence 2",
        &["`2` is no confidence", "95%"],
    ),
    (
        "device uart:/dev/none configure admit.toml --threshold many",
        &["`many`", "64Ki"],
    ),
    (
        "plan odd.toml --explain",
        &["odd.toml:13:15", "memory_bits = 131071", "^^^^^^"],
    ),
    ("device", &["Usage"]),
    (
        "device sim:admit.toml quary 7",
        &["'quary'", "'query'", "--help"],
    ),
    (
        "device sim:none.toml info",
        &["none.toml", "name an existing"],
    ),
    ("device sim: info", &["sim:filter.toml"]),
    ("device foo:bar info", &["sim:, uart:, etherbone:, pcie:"]),
    ("device uart:/dev/none info", &["/dev/none", "plugged in"]),
    ("device uart: info", &["uart:/dev/ttyUSB0"]),
    ("device etherbone: info", &["etherbone:192.168.1.50:1234"]),
    ("device etherbone:127.0.0.1:99999 info", &["1 to 65535"]),
    ("device pcie:zz info", &["pcie:0000:03:00.0/2"]),
    ("device sim:onehit.toml query", &["<SPEC>"]),
    (
        "device uart:/dev/none query none.toml 1",
        &["none.toml", "name an existing"],
    ),
    (
        "device sim:admit.toml query fortytwo",
        &["\"fortytwo\" is no key", "write 42 or 0x2a"],
    ),
    (
        "device sim:admit.toml query 0xfffffffffffffffffffffffffff",
        &["104 bits", "set key.bits to at least 108"],
    ),
    (
        "device sim:admit.toml export --listen x",
        &["`x` is no address", "127.0.0.1:9187"],
    ),
    (
        "device sim:admit.toml restore none.snap",
        &["none.snap", "check that folder and file are there"],
    ),
    (
        "device sim:admit.toml configure",
        &["--threshold", "--help"],
    ),
    ("device - estimate", &["<SOURCE>", "--help"]),
    (
        "build onehit.toml --board versa-ecp5 --seed x",
        &["`x` is no whole number", "1e6"],
    ),
    (
        "build onehit.toml --board versa-ecp5 --seed 1e12",
        &["above 2147483647"],
    ),
    ("build onehit.toml --flow vivado", &["--part"]),
    (
        "build onehit.toml --flow vivad --part x",
        &["similar", "'vivado'"],
    ),
    (
        "new module --kind static",
        &["\"module\"", "keyword", "module_filter"],
    ),
    ("prove onehit.toml --only nope", &["there are", "bank-bit"]),
    ("prove onehit.toml --depth 0", &["1..=1000"]),
    (
        "verify onehit.toml --lanes 3",
        &["--lanes 3", "64, 128, 256 or 512"],
    ),
    ("verify onehit.toml --from 3", &["--waves"]),
    (
        "figures --out onehit.toml",
        &["onehit.toml", "name another"],
    ),
    (
        "campaign new x --from none.toml",
        &["none.toml", "description of a campaign"],
    ),
    (
        "campaign run nothing",
        &["campaign.json", "bloomline campaign new nothing"],
    ),
    ("campaign submit nothing", &["--engine"]),
    ("serve", &["<SPEC>"]),
    ("serve none.toml", &["none.toml", "name an existing"]),
    (
        "serve admit.toml --udp 0 --key none.key",
        &["--key none.key", "no host port", "leave it out"],
    ),
    ("figures --only nope", &["there are rbf-3"]),
    (
        "figures --only rbf-3 --out mine",
        &["mine/index.html", "no HTML page"],
    ),
    ("figures --shard 5/3", &["2/8"]),
    ("quickstart --out onehit.toml", &["choose another --out"]),
    (
        "quickstart --out mine",
        &["mine/onehit.toml is there already", "choose another --out"],
    ),
    ("quickstart extra", &["'extra'"]),
    ("tools", &["install", "doctor"]),
    ("tools instal", &["'install'"]),
    ("tools install nope", &["'nope'"]),
];

const GOOD: &str = include_str!("../../../hdl/specification/examples/onehit.toml");

#[test]
fn every_mistake_is_answered_with_what_to_type_next() {
    assert!(MISTAKES.len() >= 100, "{}", MISTAKES.len());
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("written");
    };
    let written = run(folder.path(), &["examples", "--write", "specs"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    write("onehit.toml", GOOD.as_bytes());
    std::fs::copy(
        folder.path().join("specs/admit.toml"),
        folder.path().join("admit.toml"),
    )
    .expect("an example");
    write("empty.toml", b"");
    write("binary.toml", &[0xff, 0xfe, 0x00]);
    write(
        "typo.toml",
        b"name = \"a\"\n[filter]\nkind = \"static\"\nhases = 4\n",
    );
    write(
        "word.toml",
        b"name = \"a\"\n[filter]\nkind = \"recyling\"\n",
    );
    write(
        "unit.toml",
        b"name = \"a\"\n[filter]\nkind = \"static\"\nitems = 1M\n",
    );
    write("odd.toml", GOOD.replace("131072", "131071").as_bytes());
    let threshold = |setting: &str| GOOD.replace("threshold = \"auto\"", setting);
    write("whole.toml", threshold("threshold = 65536").as_bytes());
    let never = threshold("threshold = 65000").replace("\"bits-set\"", "\"messages\"");
    write("never.toml", never.as_bytes());
    write("k.csv", b"a\n1\n2\n");
    write("n.csv", b"17\n18\n");
    write("e.csv", b"");
    std::fs::create_dir(folder.path().join("mine")).expect("a folder");
    write(
        "mine/onehit.toml",
        GOOD.replace("131072", "65536").as_bytes(),
    );
    write("mine/onehit.html", b"notes");
    write("mine/index.html", b"notes");
    let mut failures = String::new();
    for (typed, parts) in MISTAKES {
        let arguments: Vec<&str> = typed.split_whitespace().collect();
        let run = run(folder.path(), &arguments);
        let unnamed: Vec<_> = parts
            .iter()
            .filter(|part| !run.stderr.contains(**part))
            .collect();
        if run.code != 2
            || !run.stdout.is_empty()
            || !unnamed.is_empty()
            || run.stderr.contains("panicked")
        {
            failures += &format!(
                "bloomline {typed}: code {}, without {unnamed:?}\n{}{}\n",
                run.code, run.stdout, run.stderr
            );
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(
        !Path::new(folder.path()).join("x.toml").exists(),
        "nothing may be written"
    );
}
