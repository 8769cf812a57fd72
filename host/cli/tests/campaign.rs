//! Campaigns by the command: here, killed and resumed, and on a Slurm cluster of two nodes that the test starts itself.

use crate::common::{run, run_with, Run};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Ended at once when it goes out of scope, with all that it started.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A folder with a campaign's description.
fn described(runs: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(
        folder.path().join("trial.toml"),
        format!("name = \"trial\"\n{runs}"),
    )
    .expect("written");
    folder
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr))
}

/// The files of a report.
fn report(campaign: &Path) -> [Vec<u8>; 3] {
    ["report.json", "report.html", "units.csv"]
        .map(|name| fs::read(campaign.join("report").join(name)).expect("a report"))
}

#[test]
fn runs_of_verify_are_pooled_and_a_killed_campaign_goes_on() {
    let folder = described(
        "[[runs]]\nkind = \"verify\"\nspec = \"tiny.toml\"\noptions = [\"--items\", \"40000\"]\nseeds = { from = 1, to = 8 }\nseconds = 1\n",
    );
    let at = folder.path();
    fs::write(at.join("tiny.toml"), crate::common::BASE).expect("written");
    let planned = run(
        at,
        &["campaign", "new", "c", "--from", "trial.toml", "--json"],
    );
    assert_eq!(
        (planned.code, &json(&planned)["units"]),
        (0, &Value::from(8)),
        "{}",
        planned.stderr
    );
    let child = Command::new(env!("CARGO_BIN_EXE_bloomline"))
        .current_dir(at)
        .args(["campaign", "run", "c", "--jobs", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut killed = Process(child.expect("starts"));
    let done = |at: &Path| json(&run(at, &["campaign", "status", "c", "--json"]))["done"].as_u64();
    let began = Instant::now();
    while done(at) < Some(2) && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    killed.0.kill().expect("killed");
    drop(killed);
    let before = done(at).expect("a number");
    assert!(
        (2..8).contains(&before),
        "{before} of 8 units were done when the run was killed"
    );
    let resumed = run(at, &["campaign", "run", "c", "--json"]);
    let ended = json(&resumed);
    assert_eq!(ended["failed"], serde_json::json!({}), "{}", resumed.stdout);
    let (ran, skipped) = (ended["run"].as_u64(), ended["skipped"].as_u64());
    assert!(
        skipped >= Some(before) && ran.unwrap_or(0) + skipped.unwrap_or(0) == 8,
        "{ended}"
    );
    let merged = json(&run(at, &["campaign", "merge", "c", "--json"]));
    let group = &merged["groups"][0];
    assert_eq!(
        group["merged"]["sums"]["items"],
        Value::from(320_000.0),
        "{merged}"
    );
    assert_eq!(group["merged"]["sums"]["mismatches"], Value::from(0.0));
    assert_eq!(group["merged"]["rate"]["runs"], Value::from(8));
    // the same in one go gives the same report
    run(at, &["campaign", "new", "d", "--from", "trial.toml"]);
    run(at, &["campaign", "run", "d"]);
    run(at, &["campaign", "merge", "d"]);
    assert_eq!(report(&at.join("c")), report(&at.join("d")));
}

/// Runs of the first cycles alone have another rate than the one that is predicted.
#[test]
fn runs_too_short_for_the_rate_are_not_pooled_into_one() {
    let folder = described(
        "[[runs]]\nkind = \"verify\"\nspec = \"tiny.toml\"\noptions = [\"--items\", \"20000\"]\nseeds = [1, 2]\nseconds = 1\n",
    );
    let at = folder.path();
    fs::write(at.join("tiny.toml"), crate::common::BASE).expect("written");
    run(at, &["campaign", "new", "c", "--from", "trial.toml"]);
    run(at, &["campaign", "run", "c"]);
    let merged = run(at, &["campaign", "merge", "c", "--json"]);
    let group = &json(&merged)["groups"][0];
    assert_eq!(group["merged"]["rate"], Value::Null);
    assert_eq!((merged.code, &group["holds"]), (0, &Value::Bool(true)));
    assert_eq!(group["verdict"], "inconclusive");
    let text = run(at, &["campaign", "merge", "c"]).stdout;
    assert!(
        text.contains("verify tiny: 2 of 2: too little evidence (False-positive rate, model test: in every run)"),
        "{text}"
    );
}

#[test]
fn folders_with_spaces_are_quoted_and_one_unit_is_one() {
    let folder = described("[[runs]]\nkind = \"command\"\ncommand = [\"true\"]\nseconds = 1\n");
    let at = folder.path();
    let planned = run(at, &["campaign", "new", "my camp", "--from", "trial.toml"]);
    assert_eq!(
        planned.stdout.trim_end(),
        "trial: 1 unit, about 1 s on one core\nnext: bloomline campaign run 'my camp'"
    );
    let ran = run(at, &["campaign", "run", "my camp"]);
    assert!(
        ran.stdout.starts_with("1 unit run, ") && ran.stdout.contains("campaign merge 'my camp'"),
        "{}",
        ran.stdout
    );
    let again = run(at, &["campaign", "new", "my camp", "--from", "trial.toml"]);
    assert!(
        again.stderr.contains("campaign run 'my camp'"),
        "{}",
        again.stderr
    );
}

/// Options, seeds and columns that every unit would be refused for.
#[test]
fn options_that_the_command_does_not_take_are_refused_before_anything_is_planned() {
    let verify = "kind = \"verify\"\nspec = \"tiny.toml\"\n";
    for (run_keys, expected) in [
        (
            format!("{verify}options = [\"--itemz\", \"5\"]"),
            "runs[0]: options: unexpected argument '--itemz' found; tip: a similar argument exists: '--items'; `bloomline verify --help` lists the options",
        ),
        (
            format!("{verify}options = [\"--items\", \"zero\"]"),
            "runs[0]: options: invalid value 'zero' for '--items <N>'",
        ),
        (
            format!("{verify}options = [\"--help\"]"),
            "options: --help and --version do no work",
        ),
        (
            format!("{verify}files = [\"k.csv\"]\noptions = [\"--keys\", \"k.csv:zz\"]"),
            "k.csv has no column \"zz\"; it has k",
        ),
        (
            "kind = \"build\"\nspec = \"tiny.toml\"\nboards = [\"b\"]\nseeds = [1, 99999999999]".to_owned(),
            "runs[0]: seeds: invalid value '99999999999' for '--seed <N>'",
        ),
        (
            "kind = \"prove\"\nspec = \"tiny.toml\"\noptions = [\"--depth\", \"0\"]".to_owned(),
            "runs[0]: options: invalid value '0' for '--depth <N>'",
        ),
        (
            "kind = \"figures\"\nonly = [\"rbf-3\"]\noptions = [\"--threads\", \"0\"]".to_owned(),
            "runs[0]: options: invalid value '0' for '--threads <N>'",
        ),
    ] {
        let folder = described(&format!("[[runs]]\n{run_keys}\nseconds = 1\n"));
        let at = folder.path();
        fs::write(at.join("tiny.toml"), crate::common::BASE).expect("written");
        fs::write(at.join("k.csv"), "k\n1\n").expect("written");
        let refused = run(at, &["campaign", "new", "c", "--from", "trial.toml"]);
        assert_eq!(refused.code, 2, "{run_keys}");
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
        assert!(!at.join("c").exists());
    }
}

#[test]
fn output_of_failed_units_that_cannot_be_written_is_not_said_to_be_there() {
    let folder =
        described("[[runs]]\nkind = \"command\"\ncommand = [\"false-program\"]\nseconds = 1\n");
    let at = folder.path();
    run(at, &["campaign", "new", "c", "--from", "trial.toml"]);
    let usual = run(at, &["campaign", "run", "c"]).stdout;
    assert!(
        usual.contains("\ntheir output is in c/failures;"),
        "{usual}"
    );
    // A file stands where the folder must be.
    fs::remove_dir_all(at.join("c/failures")).expect("removed");
    fs::write(at.join("c/failures"), "").expect("written");
    let ran = run(at, &["campaign", "run", "c"]);
    let expected = "the output of 0 of them is in c/failures; that of 1 could not be written there";
    assert!(
        ran.code == 1 && ran.stdout.contains(expected),
        "{}",
        ran.stdout
    );
    let ran = json(&run(at, &["campaign", "run", "c", "--json"]));
    assert_eq!(ran["unwritten"].as_object().map(|all| all.len()), Some(1));
}

/// What a trial says of a swept key that no specification has.
#[test]
fn a_swept_key_that_there_is_not_is_refused_before_anything_is_planned() {
    let folder = described(
        "[[runs]]\nkind = \"verify\"\nspec = \"tiny.toml\"\nseconds = 1\n[runs.sweep]\n\"filter.hashs\" = [2, 4]\n",
    );
    let at = folder.path();
    fs::write(at.join("tiny.toml"), crate::common::BASE).expect("written");
    let refused = run(at, &["campaign", "new", "c", "--from", "trial.toml"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("with filter.hashs=2") && refused.stderr.contains("`hashes`"),
        "{}",
        refused.stderr
    );
    assert!(!at.join("c").exists());
}

#[test]
fn without_a_batch_system_submit_says_what_else_there_is() {
    let folder = described("[[runs]]\nkind = \"command\"\ncommand = [\"true\"]\nseconds = 1\n");
    let at = folder.path();
    run(at, &["campaign", "new", "c", "--from", "trial.toml"]);
    let nowhere = [("PATH", "/nowhere")];
    let refused = run_with(
        at,
        &["campaign", "submit", "c", "--engine", "slurm"],
        &nowhere,
    );
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("sbatch: cannot be started")
            && refused.stderr.contains("--engine shell"),
        "{}",
        refused.stderr
    );
    assert!(
        !at.join("c/slurm").join("1").exists(),
        "nothing is left of what was refused"
    );
    let lines = run(at, &["campaign", "submit", "c", "--engine", "shell"]);
    let script = Command::new("/bin/sh")
        .arg("-c")
        .arg(&lines.stdout)
        .current_dir(at)
        .output();
    assert!(script.expect("starts").status.success(), "{}", lines.stdout);
    let status = json(&run(at, &["campaign", "status", "c", "--json"]));
    assert_eq!(status["done"], Value::from(1));
    let none = run(at, &["campaign", "submit", "c", "--engine", "shell"]);
    assert!(
        none.code == 0
            && none.stdout.trim().is_empty()
            && none.stderr.contains("every unit has its result"),
        "{}{}",
        none.stdout,
        none.stderr
    );
    let again = run(at, &["campaign", "submit", "c", "--engine", "slurm"]);
    assert_eq!(
        (
            again.code,
            again.stdout.contains("every unit has its result")
        ),
        (0, true),
        "{}",
        again.stderr
    );
}

/// A Slurm cluster of two nodes of one core each on this machine, in a folder of its own.
struct Cluster {
    folder: TempDir,
    controller: Option<Process>,
    nodes: Vec<Option<Process>>,
    _munge: Process,
}

/// A TCP port that nobody has.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

impl Cluster {
    /// Starts it; `None` after saying what is missing, which is a failure in CI.
    fn start() -> Option<Cluster> {
        for program in ["munged", "slurmctld", "slurmd", "sbatch"] {
            let missing = Command::new(program).arg("-V").output().is_err();
            if missing {
                let text = format!("{program} is missing: install Slurm (Debian: apt-get install slurmctld slurmd slurm-client munge)");
                assert!(!std::env::var("CI").is_ok_and(|ci| ci == "true"), "{text}");
                eprintln!("SKIPPED: {text}");
                return None;
            }
        }
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        let place = at.display();
        fs::create_dir(at.join("state")).expect("a folder");
        let key = at.join("munge.key");
        fs::write(&key, [0x5A; 1024]).expect("a key");
        fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o400))
            .expect("a key");
        let munge = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            format!("--key-file={place}/munge.key"),
            format!("--socket={place}/munge.socket"),
            format!("--pid-file={place}/munged.pid"),
            format!("--log-file={place}/munged.log"),
            format!("--seed-file={place}/munged.seed"),
        ];
        let munge = Self::daemon("munged", &munge);
        let host = Command::new("hostname")
            .arg("-s")
            .output()
            .expect("a name")
            .stdout;
        let host = String::from_utf8_lossy(&host).trim().to_owned();
        let ports: Vec<u16> = (0..3).map(|_| free_port()).collect();
        let node = |n: usize| {
            format!("NodeName=n{n} NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=1 RealMemory=1000 State=UNKNOWN\n", ports[n])
        };
        let configuration = format!(
            "ClusterName=trial\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\n\
             AuthInfo=socket={place}/munge.socket\nCredType=cred/munge\nStateSaveLocation={place}/state\nSlurmdSpoolDir={place}/spool-%n\n\
             SlurmctldPidFile={place}/slurmctld.pid\nSlurmdPidFile={place}/slurmd-%n.pid\nSlurmctldPort={}\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
             SchedulerParameters=sched_interval=2,sched_min_interval=1,requeue_setup_env_fail\nReturnToService=2\nSlurmdTimeout=8\n\
             MpiDefault=none\nSwitchType=switch/none\n{}{}PartitionName=all Nodes=n1,n2 Default=YES MaxTime=120 State=UP\n",
            ports[0],
            node(1),
            node(2)
        );
        fs::write(at.join("slurm.conf"), configuration).expect("written");
        let mut cluster = Cluster {
            folder,
            controller: None,
            nodes: vec![None, None],
            _munge: munge,
        };
        cluster.start_controller();
        cluster.start_node(1);
        cluster.start_node(2);
        Some(cluster)
    }

    fn daemon(program: &str, arguments: &[String]) -> Process {
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Process(child.unwrap_or_else(|error| panic!("{program}: {error}")))
    }

    fn configuration(&self) -> PathBuf {
        self.folder.path().join("slurm.conf")
    }

    fn start_controller(&mut self) {
        let file = self.configuration().display().to_string();
        self.controller = Some(Self::daemon("slurmctld", &["-D".into(), "-f".into(), file]));
    }

    fn start_node(&mut self, n: usize) {
        let file = self.configuration().display().to_string();
        let name = format!("n{n}");
        self.nodes[n - 1] = Some(Self::daemon(
            "slurmd",
            &["-D".into(), "-f".into(), file, "-N".into(), name],
        ));
    }

    /// Ends a node as a power cut would: its daemon, the supervisors of its jobs, which could still report, and the jobs.
    fn kill_node(&mut self, n: usize) {
        self.nodes[n - 1] = None;
        let mark = format!("SLURMD_NODENAME=n{n}");
        let place = format!("SLURM_CONF={}", self.configuration().display());
        let of_the_node = |process: &PathBuf| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            let has = |text: &str| {
                let mut parts = environment.split(|byte| *byte == 0);
                parts.any(|part| part == text.as_bytes())
            };
            has(&mark) && has(&place)
        };
        let processes = fs::read_dir("/proc").expect("the processes").flatten();
        let jobs: Vec<PathBuf> = processes
            .map(|entry| entry.path())
            .filter(of_the_node)
            .collect();
        let supervisors = jobs.iter().filter_map(|job| {
            let status = fs::read_to_string(job.join("status")).ok()?;
            let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
            let parent = Path::new("/proc").join(parent.trim());
            let name = fs::read_to_string(parent.join("comm")).ok()?;
            name.starts_with("slurmstepd").then_some(parent)
        });
        let supervisors: Vec<PathBuf> = supervisors.collect();
        assert!(!supervisors.is_empty(), "node {n} runs a job");
        for process in supervisors.iter().chain(&jobs) {
            let number = process.file_name().unwrap_or_default();
            let _ = Command::new("kill").arg("-9").arg(number).status();
        }
    }

    fn command(&self, at: &Path, arguments: &[&str]) -> Run {
        let file = self.configuration().display().to_string();
        run_with(at, arguments, &[("SLURM_CONF", &file)])
    }

    fn status(&self, at: &Path, campaign: &str) -> Value {
        let began = Instant::now();
        loop {
            let status = self.command(at, &["campaign", "status", campaign, "--json"]);
            if status.code == 0 {
                return json(&status);
            }
            // The controller does not answer while it starts again.
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "{}",
                status.stderr
            );
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// Waits for a state of a campaign.
    fn wait(&self, at: &Path, campaign: &str, what: &str, until: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let status = self.status(at, campaign);
            if until(&status) {
                return status;
            }
            assert!(
                began.elapsed() < Duration::from_secs(300),
                "{what}: {status}"
            );
            std::thread::sleep(Duration::from_millis(300));
        }
    }
}

/// 200 short units; one is without room and one fails until a file is there.
const UNITS: &str = "\
[[runs]]
kind = \"command\"
command = [\"/bin/sh\", \"-c\", \"\"\"sleep 0.2; n={seed}
if [ $n = 50 ] && [ ! -e mended ]; then echo x > /dev/full || exit 2; fi
if [ $n = 120 ] && [ ! -e mended ]; then echo broken >&2; exit 3; fi
echo \"{\\\\\"square\\\\\": $((n * n))}\"\"\"\"]
seeds = { from = 1, to = 200 }
seconds = 12
memory_mb = 100
";

#[test]
#[ignore = "a claim"]
fn a_cluster_that_loses_a_node_and_its_controller_gives_the_report_of_a_local_run() {
    let Some(mut cluster) = Cluster::start() else {
        return;
    };
    let folder = described(UNITS);
    let at = folder.path();
    let good = |run: Run| assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    good(cluster.command(at, &["campaign", "new", "c", "--from", "trial.toml"]));
    let refused = cluster.command(
        at,
        &[
            "campaign",
            "submit",
            "c",
            "--engine",
            "slurm",
            "--",
            "--partition=nowhere",
        ],
    );
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("invalid partition"),
        "{}",
        refused.stderr
    );
    let submit = [
        "campaign",
        "submit",
        "c",
        "--engine",
        "slurm",
        "--job-minutes",
        "2",
        "--json",
    ];
    let began = Instant::now();
    let submitted = loop {
        let submitted = cluster.command(at, &submit);
        if submitted.code == 0 {
            break json(&submitted);
        }
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "{}",
            submitted.stderr
        );
        std::thread::sleep(Duration::from_millis(500));
    };
    assert_eq!(
        (&submitted["units"], &submitted["jobs"]),
        (&Value::from(200), &Value::from(20))
    );
    let done = |status: &Value| status["done"].as_u64().unwrap_or(0);
    cluster.wait(at, "c", "the first results", |status| done(status) >= 15);
    cluster.kill_node(2);
    cluster.controller = None;
    cluster.start_controller();
    let middle = cluster.wait(at, "c", "results after the node was lost", |status| {
        done(status) >= 60
    });
    assert!(
        done(&middle) < 198,
        "the node was lost in the middle: {middle}"
    );
    cluster.start_node(2);
    let ended = |status: &Value| {
        status["jobs"]
            .as_object()
            .is_some_and(|jobs| jobs.is_empty())
    };
    let status = cluster.wait(at, "c", "the end of the queue", ended);
    assert_eq!(
        (done(&status), &status["failed"]),
        (198, &Value::from(2)),
        "{status}"
    );
    let merge = fs::read_to_string(at.join("c/slurm/1/merge.log")).expect("a log");
    assert!(merge.contains("198 of 200 units have a result"), "{merge}");
    fs::write(at.join("c/mended"), "").expect("written");
    // given again, taken back, and given once more
    good(cluster.command(at, &submit));
    good(cluster.command(at, &["campaign", "cancel", "c"]));
    cluster.wait(at, "c", "an empty queue", ended);
    let again = cluster.command(at, &submit);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let status = cluster.wait(at, "c", "the end of the second queue", ended);
    assert_eq!(
        (done(&status), &status["failed"]),
        (200, &Value::from(0)),
        "{status}"
    );
    good(run(at, &["campaign", "merge", "c"]));
    good(run(
        at,
        &["campaign", "new", "local", "--from", "trial.toml"],
    ));
    fs::write(at.join("local/mended"), "").expect("written");
    good(run(at, &["campaign", "run", "local", "--jobs", "8"]));
    good(run(at, &["campaign", "merge", "local"]));
    assert_eq!(report(&at.join("c")), report(&at.join("local")));
    let merged: Value = serde_json::from_slice(&report(&at.join("c"))[0]).expect("JSON");
    let square = &merged["groups"][0]["merged"]["spreads"]["square"];
    assert_eq!(
        (&square["count"], &square["greatest"]),
        (&Value::from(200), &Value::from(40_000.0))
    );
}

#[test]
fn what_is_written_under_a_mask_of_077_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = crate::common::folder(crate::common::BASE);
    let description =
        "name = \"c\"\n[[runs]]\nkind = \"command\"\ncommand = [\"true\"]\nseconds = 1.0\n";
    fs::write(folder.path().join("c.toml"), description).expect("a description");
    let script =
        "umask 077 && \"$0\" plan tiny.toml --html p.html && \"$0\" campaign new c --from c.toml";
    let ended = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_bloomline")])
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    assert!(ended.status.success(), "{ended:?}");
    for name in ["p.html", "c", "c/campaign.json"] {
        let found = fs::metadata(folder.path().join(name)).expect(name);
        assert_eq!(found.permissions().mode() & 0o077, 0, "{name}");
    }
}
