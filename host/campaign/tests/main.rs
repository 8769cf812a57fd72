//! Campaigns of small programs: planned, run, killed, damaged and merged.

use bloomline_campaign::{
    parts, Campaign, CampaignError, Checks, Group, Merged, Outcome, PooledRate, PooledState,
    Runner, Slurm, UnitResult,
};
use bloomline_verify::stats::{clopper_pearson, Verdict};
use serde_json::{json, Value};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A program that stands for the command: only its hash matters here.
fn executable() -> PathBuf {
    std::env::current_exe().expect("this test")
}

/// A folder with a description of `runs`, and files beside it.
fn described(runs: &str, files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let text = format!("name = \"trial\"\n{runs}");
    std::fs::write(folder.path().join("trial.toml"), text).expect("a description");
    folder
}

fn planned(folder: &TempDir, name: &str) -> Result<Campaign, CampaignError> {
    let description = folder.path().join("trial.toml");
    let legal = |text: &str| match text.contains("illegal") {
        true => Err("is not legal".to_owned()),
        false => Ok(()),
    };
    // stands for the options of the command: those that begin with --bad are none, and seeds have six digits at most
    let arguments = |words: &[String]| {
        let bad = words.iter().find(|word| word.starts_with("--bad"));
        match (bad, words.last().filter(|word| word.len() > 6)) {
            (Some(word), _) => Err(format!("unexpected argument '{word}' found")),
            (None, Some(seed)) if words[words.len() - 2] == "--seed" => {
                Err(format!("invalid value '{seed}' for '--seed <N>'"))
            }
            _ => Ok(()),
        }
    };
    let input = |option: &str, file: &Path, behind: &str| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        match behind {
            ":zz" => Err(format!("{name} has no column \"zz\" for {option}")),
            _ => Ok(()),
        }
    };
    Campaign::create(
        &folder.path().join(name),
        &description,
        &executable(),
        Checks {
            specification: &legal,
            arguments: &arguments,
            input: &input,
        },
    )
}

fn run(campaign: &Campaign, jobs: usize) -> bloomline_campaign::Ended {
    let places: Vec<usize> = (0..campaign.units().len()).collect();
    let runner = Runner {
        campaign,
        executable: executable(),
        jobs,
    };
    runner.run(&places, &|_| {})
}

/// Every file of a report, by name.
fn report(campaign: &Campaign) -> Vec<(String, Vec<u8>)> {
    ["report.json", "report.html", "units.csv"]
        .map(|name| {
            let path = campaign.folder().join("report").join(name);
            (name.to_owned(), std::fs::read(path).expect("a report"))
        })
        .to_vec()
}

/// Units that count how often they were run, beside their result.
const COUNTED: &str = "\
[[runs]]
kind = \"command\"
command = [\"/bin/sh\", \"-c\", \"echo x >> count.{seed}; printf '{\\\"number\\\": {seed}}'\"]
seeds = { from = 1, to = 20 }
seconds = 2.0
";

fn count(campaign: &Campaign, seed: u64) -> usize {
    let path = campaign.folder().join(format!("count.{seed}"));
    std::fs::read_to_string(path)
        .unwrap_or_default()
        .lines()
        .count()
}

#[test]
fn a_unit_with_its_result_is_not_run_again_and_the_report_is_the_same() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    assert_eq!(campaign.units().len(), 20);
    let first = run(&campaign, 3);
    assert_eq!((first.run, first.skipped, first.failed.len()), (20, 0, 0));
    let merged = campaign.merge().expect("merged");
    let Merged::Other { spreads } = &merged.groups[0].merged else {
        panic!("{merged:?}");
    };
    let number = spreads["number"];
    assert_eq!(
        (number.count, number.least, number.mean, number.greatest),
        (20, 1.0, 10.5, 20.0)
    );
    let before = report(&campaign);
    let again = run(&campaign, 3);
    assert_eq!((again.run, again.skipped), (0, 20));
    assert!((1..=20).all(|seed| count(&campaign, seed) == 1));
    // another campaign of the same description, run one unit at a time
    let other = planned(&folder, "d").expect("planned");
    run(&other, 1);
    other.merge().expect("merged");
    assert_eq!(report(&other), before);
}

#[test]
fn a_damaged_result_is_told_and_made_again() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    run(&campaign, 2);
    campaign.merge().expect("merged");
    let whole = report(&campaign);
    let file = |index: usize| {
        let id = &campaign.units()[index].id;
        campaign
            .folder()
            .join("results")
            .join(&id[..2])
            .join(format!("{id}.json"))
    };
    let text = std::fs::read_to_string(file(0)).expect("a result");
    std::fs::write(file(0), &text[..text.len() / 2]).expect("cut");
    let text = std::fs::read_to_string(file(1)).expect("a result");
    std::fs::write(file(1), text.replace("\"number\": 2", "\"number\": 9")).expect("changed");
    std::fs::copy(file(3), file(2)).expect("exchanged");
    let progress = campaign.progress().expect("progress");
    assert_eq!((progress.done, progress.damaged.len()), (17, 3));
    let problems: String = progress
        .damaged
        .iter()
        .map(|d| d.problem.as_str())
        .collect();
    for part in [
        "is cut or damaged",
        "does not match its digest",
        "is the result of unit",
    ] {
        assert!(problems.contains(part), "{problems}");
    }
    let incomplete = campaign.merge().expect("merged");
    assert_eq!((incomplete.done, incomplete.damaged.len()), (17, 3));
    for (damage, place) in incomplete.damaged.iter().zip(0..) {
        let place = file(place);
        let place = place.strip_prefix(campaign.folder()).expect("within");
        assert!(
            damage
                .problem
                .starts_with(&format!("{}: ", place.display())),
            "{damage:?}"
        );
        assert!(
            damage
                .problem
                .ends_with("`bloomline campaign run` makes it again"),
            "{damage:?}"
        );
    }
    assert_eq!(campaign.remaining().expect("remaining"), [0, 1, 2]);
    run(&campaign, 2);
    campaign.merge().expect("merged");
    assert_eq!(report(&campaign), whole);
}

#[test]
fn a_unit_that_fails_leaves_the_others_and_is_tried_again() {
    let runs = "\
[[runs]]
kind = \"command\"
command = [\"/bin/sh\", \"-c\", \"if [ {seed} = 3 ] && [ ! -e mended ]; then echo no room >&2; exit 2; fi; if [ {seed} = 4 ]; then exit 1; fi; echo {seed}\"]
seeds = [1, 2, 3, 4]
seconds = 1
";
    let folder = described(runs, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    let ended = run(&campaign, 2);
    assert_eq!((ended.run, ended.check_failed), (3, 1));
    let [(unit, said)] = ended.failed.as_slice() else {
        panic!("{ended:?}");
    };
    assert!(
        said.contains("exit status: 2") && said.ends_with("no room"),
        "{said}"
    );
    let kept = campaign
        .folder()
        .join("failures")
        .join(format!("{unit}.txt"));
    assert_eq!(&std::fs::read_to_string(&kept).expect("kept"), said);
    assert_eq!(campaign.progress().expect("progress").failed, 1);
    std::fs::write(campaign.folder().join("mended"), "").expect("a file");
    let ended = run(&campaign, 2);
    assert_eq!((ended.run, ended.skipped, ended.failed.len()), (1, 3, 0));
    assert!(!kept.exists());
}

#[test]
fn what_a_failed_unit_said_and_could_not_be_written_is_counted() {
    let runs = "\
[[runs]]
kind = \"command\"
command = [\"/bin/sh\", \"-c\", \"echo no room >&2; exit {seed}\"]
seeds = [2, 3]
seconds = 1
";
    let folder = described(runs, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    assert!(run(&campaign, 1).unwritten.is_empty());
    // A file stands where the folder of failures must be.
    let failures = campaign.folder().join("failures");
    std::fs::remove_dir_all(&failures).expect("removed");
    std::fs::write(&failures, "").expect("a file");
    let ended = run(&campaign, 1);
    assert_eq!((ended.failed.len(), ended.unwritten.len()), (2, 2));
    let (unit, why) = &ended.unwritten[0];
    assert_eq!(unit, &ended.failed[0].0);
    assert!(why.contains("failures"), "{why}");
}

#[test]
fn a_result_that_cannot_be_written_fails_its_unit_alone() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    // A file stands where the folder of this unit's result must be.
    let shard = &campaign.units()[0].id[..2];
    std::fs::create_dir(campaign.folder().join("results")).expect("a folder");
    std::fs::write(campaign.folder().join("results").join(shard), "").expect("a file");
    let concerned = campaign
        .units()
        .iter()
        .filter(|unit| unit.id.starts_with(shard))
        .count();
    let ended = run(&campaign, 2);
    assert_eq!(ended.failed.len(), concerned, "{ended:?}");
    assert!(
        ended.failed[0]
            .1
            .contains("give the folder space and write permission"),
        "{ended:?}"
    );
    assert_eq!(ended.run, 20 - concerned);
}

#[test]
fn what_a_result_depends_on_is_in_its_name() {
    let runs = |options: &str| {
        format!(
            "[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\noptions = [{options}]\nseeds = [1, 2]\nseconds = 1\n\
             [runs.sweep]\n\"filter.hashes\" = [2, 4]\n\"filter.memory_bits\" = {{ from = 1024, to = 4096, times = 2 }}\n"
        )
    };
    let ids = |options: &str, spec: &str| -> Vec<String> {
        let folder = described(&runs(options), &[("s.toml", spec)]);
        let campaign = planned(&folder, "c").expect("planned");
        campaign
            .units()
            .iter()
            .map(|unit| unit.id.clone())
            .collect()
    };
    let spec = "name = \"s\"\n[filter]\nkind = \"static\"\n";
    let first = ids("", spec);
    assert_eq!(first.len(), 2 * 2 * 3);
    assert_eq!(ids("", spec), first);
    let other_options = ids("\"--items\", \"1000\"", spec);
    let other_spec = ids("", "name = \"t\"\n[filter]\nkind = \"static\"\n");
    for other in [other_options, other_spec] {
        assert!(other.iter().all(|id| !first.contains(id)));
    }
    let folder = described(&runs(""), &[("s.toml", spec)]);
    let campaign = planned(&folder, "c").expect("planned");
    let groups: std::collections::BTreeSet<&str> = campaign
        .units()
        .iter()
        .map(|unit| unit.group.as_str())
        .collect();
    assert!(
        groups.contains("verify s filter.hashes=2 filter.memory_bits=4096"),
        "{groups:?}"
    );
    let file =
        campaign.units()[0].command[2].replace("{folder}", &campaign.folder().to_string_lossy());
    let swept = std::fs::read_to_string(file).expect("a specification");
    assert!(
        swept.contains("hashes = 2") && swept.contains("memory_bits = 1024"),
        "{swept}"
    );
}

#[test]
fn input_files_are_copied_however_an_option_names_them() {
    for (option, expected) in [
        ("\"--keys\", \"a.csv:k\"", "{}:k"),
        ("\"--keys\", \"./a.csv\"", "{}"),
        ("\"--keys=a.csv:k\"", "--keys={}:k"),
        ("\"--keys=./a.csv\"", "--keys={}"),
    ] {
        let runs = format!(
            "[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [{option}]\nfiles = [\"a.csv\"]\nseeds = [7]\n"
        );
        let id = |content: &str| {
            let folder = described(&runs, &[("s.toml", "name = \"s\"\n"), ("a.csv", content)]);
            let campaign = planned(&folder, "c").expect("planned");
            let unit = campaign.units()[0].clone();
            let kept = unit.command.iter().find(|word| word.contains("/a.csv"));
            let (place, _) = kept
                .and_then(|kept| kept.split_once("/a.csv"))
                .expect(option);
            let (_, place) = place.split_once("{folder}").expect("in the folder");
            let kept = kept.expect(option).clone();
            assert_eq!(
                kept,
                expected.replace("{}", &format!("{{folder}}{place}/a.csv"))
            );
            unit.id
        };
        assert_ne!(id("k\n1\n"), id("k\n2\n"), "{option}");
    }
}

#[test]
fn a_script_of_ones_own_is_the_program_of_its_units() {
    let script = ("tool.sh", "#!/bin/sh\necho \"{\\\"number\\\": $1}\"\n");
    let runs = |program: &str, files: &str| {
        format!("[[runs]]\nkind = \"command\"\ncommand = [\"{program}\", \"{{seed}}\"]\n{files}seeds = [3]\nseconds = 1\n")
    };
    let listed = "files = [\"tool.sh\"]\n";
    for program in ["./tool.sh", "tool.sh"] {
        let folder = described(&runs(program, listed), &[script]);
        let file = folder.path().join("tool.sh");
        let refused = planned(&folder, "c").expect_err(program).to_string();
        assert!(refused.contains("tool.sh is not executable"), "{refused}");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&file, mode).expect("executable");
        let campaign = planned(&folder, "c").expect("planned");
        let ended = run(&campaign, 1);
        assert_eq!((ended.run, &ended.failed), (1, &vec![]));
        assert_eq!(campaign.units()[0].group, "command tool.sh");
    }
    let folder = described(&runs("./tool.sh", ""), &[script]);
    let refused = planned(&folder, "c").expect_err("elsewhere").to_string();
    assert!(
        refused.contains("runs[0]: command: ./tool.sh: a unit runs in the campaign's folder")
            && refused.contains("add it to files"),
        "{refused}"
    );
}

#[test]
fn a_file_or_a_link_is_no_folder_for_a_campaign() {
    let folder = described(COUNTED, &[("afile", "")]);
    std::fs::create_dir(folder.path().join("empty")).expect("a folder");
    std::os::unix::fs::symlink("empty", folder.path().join("link")).expect("a link");
    let before = || std::fs::read_dir(folder.path()).expect("it").count();
    let count = before();
    for name in ["afile", "link"] {
        let error = planned(&folder, name).expect_err(name).to_string();
        assert!(
            error.contains(&format!("{name}: is a file or a link; name a folder")),
            "{error}"
        );
    }
    assert_eq!(before(), count, "nothing is left behind");
    assert!(planned(&folder, "empty").is_ok());
}

#[test]
fn a_group_is_units_that_differ_by_their_seeds_alone() {
    let runs = |spec: &str, more: &str| {
        format!("[[runs]]\nkind = \"verify\"\nspec = \"{spec}\"\nseconds = 1\n{more}\n")
    };
    let short = "options = [\"--items\", \"50k\"]\n";
    let description = [
        runs("s.toml", &format!("{short}seeds = [1, 2]")),
        runs(
            "s.toml",
            "options = [\"--items\", \"50000\"]\nseeds = [3, 4]",
        ),
        runs("./s.toml", &format!("{short}seeds = [3]")),
        runs("other/s.toml", &format!("{short}seeds = [1, 2]")),
        runs(
            "s.toml",
            &format!("{short}seeds = [5]\nenvironment = {{ A = \"b\" }}"),
        ),
        "[[runs]]\nkind = \"command\"\ncommand = [\"/bin/sh\", \"-c\", \"a\"]\nseconds = 1\n"
            .into(),
        "[[runs]]\nkind = \"command\"\ncommand = [\"/bin/sh\", \"-c\", \"b\\nc\"]\nseconds = 1\n"
            .into(),
        runs("alone.toml", &format!("{short}seeds = [1, 2]")),
    ]
    .concat();
    let spec = "name = \"s\"\n";
    let folder = described(&description, &[("s.toml", spec), ("alone.toml", spec)]);
    std::fs::create_dir(folder.path().join("other")).expect("a folder");
    std::fs::write(folder.path().join("other/s.toml"), "name = \"t\"\n").expect("a file");
    let campaign = planned(&folder, "c").expect("planned");
    let mut groups: std::collections::BTreeMap<&str, Vec<Option<u64>>> = Default::default();
    for unit in campaign.units() {
        groups.entry(&unit.group).or_default().push(unit.seed);
    }
    let expected = [
        ("command sh -c a", vec![None]),
        ("command sh -c b c", vec![None]),
        ("verify alone", vec![Some(1), Some(2)]),
        ("verify s --items 50000 s.toml", vec![Some(3), Some(4)]),
        ("verify s --items 50k other/s.toml", vec![Some(1), Some(2)]),
        (
            "verify s --items 50k s.toml",
            vec![Some(1), Some(2), Some(3)],
        ),
        ("verify s --items 50k s.toml A=b", vec![Some(5)]),
    ];
    assert_eq!(groups.into_iter().collect::<Vec<_>>(), expected);
}

/// A program is given each swept specification, and one worker takes the first seed of every group before the second of any.
#[test]
fn a_program_is_given_swept_specifications_and_groups_grow_together() {
    let runs = "[[runs]]
kind = \"command\"
command = [\"/bin/sh\", \"-c\", \"cat {spec} | tail -n 1 >> order; echo {seed} >> order\"]
spec = \"s.toml\"
seeds = [1, 2]
seconds = 1
sweep.\"filter.hashes\" = [2, 4]
";
    let folder = described(runs, &[("s.toml", "name = \"s\"\n")]);
    let campaign = planned(&folder, "c").expect("a campaign");
    assert_eq!(run(&campaign, 1).run, 4);
    let order = std::fs::read_to_string(campaign.folder().join("order")).expect("order");
    assert_eq!(
        order.lines().collect::<Vec<_>>(),
        [
            "hashes = 2",
            "1",
            "hashes = 4",
            "1",
            "hashes = 2",
            "2",
            "hashes = 4",
            "2"
        ]
    );
    let groups: std::collections::BTreeSet<&str> =
        campaign.units().iter().map(|unit| &*unit.group).collect();
    assert_eq!(
        groups.into_iter().collect::<Vec<_>>(),
        [
            "command s sh filter.hashes=2",
            "command s sh filter.hashes=4"
        ]
    );
}

#[test]
fn mistakes_of_a_description_are_told_with_their_key() {
    let files = [("s.toml", "name = \"s\"\n"), ("a.csv", "k\n1\n")];
    let cases: &[(&str, &str)] = &[
        ("", "missing field `runs`"),
        ("runs = []", "runs: is empty; add a table [[runs]]"),
        ("[[runs]]\nkind = \"simulate\"\nseconds = 1", "unknown variant `simulate`"),
        ("[[runs]]\nkind = \"verify\"\nseconds = 1", "runs[0]: kind = \"verify\" needs spec"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"", "runs[0]: seconds is missing: the estimated seconds of one unit on one core; write seconds = 4"),
        ("files = [\"a.csv\"]\n[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1", "files belongs to runs; write it below a line [[runs]]"),
        ("seeds = [1]", "seeds belongs to runs; write it below a line [[runs]]"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--badz\", \"5\"]", "runs[0]: options: unexpected argument '--badz' found"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = [7, 1000000, 8]", "runs[0]: seeds: invalid value '1000000' for '--seed <N>'"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--keys\", \"a.csv:zz\"]\nfiles = [\"a.csv\"]", "runs[0]: options: --keys: a.csv has no column \"zz\" for --keys"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 0", "seconds = 0: must be above 0"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"nowhere.toml\"\nseconds = 1", "nowhere.toml: No such file or directory (os error 2); name a file, as seen from the description"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseed = [1]", "unknown field `seed`"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = [-1]", "seeds: -1: must be a whole number from 0"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = []", "seeds: is empty"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = { from = 1, to = 9000000000000 }", "more than 1000000 values"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = { from = 1, to = 1000 }\nsweep.\"a.b\" = { from = 0, to = 1000 }", "make 1001000 units"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nsweep.\"filter.kind\" = [\"static\", \"illegal\"]", "s.toml with filter.kind=\"illegal\": is not legal"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = { from = 3, to = 1 }", "seeds: from = 3 is above to = 1"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = { from = 0, to = 9, times = 2 }", "times must be at least 2 and from at least 1"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = [1, 1]", "is there twice"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--seed\", \"3\"]", "--seed and --json are added by the campaign"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--report\", \"r\"]", "--report r: units would overwrite each other's; give --report {out}/NAME"),
        ("[[runs]]\nkind = \"prove\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--out=p\"]", "--out p: units would overwrite each other's"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nboards = [\"b\"]", "boards: kind = \"verify\" has none; only build has"),
        ("[[runs]]\nkind = \"build\"\nspec = \"s.toml\"\nseconds = 1", "needs boards"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nfiles = [\"s.toml\"]", "files: s.toml: no option names it"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\n[runs.sweep]\n\"name.x\" = [1]", "name is no section of the specification"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--keys\", \"/abs/a.csv:k\"]", "options: --keys /abs/a.csv:k: the file is not in files"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--pcap=a.csv\"]", "options: --pcap a.csv: the file is not in files"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--keys=a.csv:k\"]\nfiles = [\"a.csv\"]\nseeds = [1, 2]", "runs[0]: seeds: --keys gives the keys"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--pcap\", \"a.csv\"]\nfiles = [\"a.csv\"]\n[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--pcap\", \"a.csv\"]\nfiles = [\"a.csv\"]\nseeds = [2]", "runs[1]: seeds: --pcap gives the keys"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = 5", "must be a list, or { from, to } of whole numbers"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = { form = 1 }", "must be a list, or { from, to } of whole numbers"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = { from = 1 }", "must be a list, or { from, to } of whole numbers"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = { from = 0.5, to = 1.5 }", "must be a list, or { from, to } of whole numbers"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nsweep.\"filter.hashes\" = 4", "must be a list, or { from, to } of whole numbers"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = [1, 2, 1]", "runs[0]: seeds: 1 is there twice"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nsweep.\"filter.hashes\" = [2, 4, 2]", "sweep: filter.hashes: 2 is there twice"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\noptions = [\"--seed=5\"]", "--seed and --json are added by the campaign"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\n[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\n", "verify s is there twice; take one of the two out"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = [1]\n[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nseeds = [1]", "verify s with seed 1 is there twice; take one of the two out, or give it another seed"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nfiles = [\"no.csv\"]", "no.csv: No such file or directory (os error 2); name a file, as seen from the description"),
        ("[[runs]]\nkind = \"verify\"\nspec = \"s.toml\"\nseconds = 1\nonly = [\"x\"]", "only: kind = \"verify\" has none; only prove, figures and claims have"),
        ("[[runs]]\nkind = \"claims\"\nseconds = 1", "needs tree"),
        ("[[runs]]\nkind = \"command\"\nseconds = 1", "needs command"),
        ("[[runs]]\nkind = \"command\"\ncommand = [\"true\"]\nseeds = [1]\nseconds = 1", "no argument has {seed}"),
        ("[[runs]]\nkind = \"command\"\ncommand = [\"true\", \"{spec}\"]\nseconds = 1", "command: {spec} needs spec = \"FILE.toml\""),
        ("[[runs]]\nkind = \"command\"\ncommand = [\"true\"]\nspec = \"s.toml\"\nseconds = 1", "spec: no argument of command has {spec}"),
        ("[[runs]]\nkind = \"command\"\ncommand = [\"true\"]\nsweep.\"a.b\" = [1]\nseconds = 1", "sweep: needs spec"),
        ("[[runs]]\nkind = \"figures\"\nonly = [\"x\"]\nspec = \"s.toml\"\nseconds = 1", "spec: kind = \"figures\" has none"),
    ];
    for (runs, expected) in cases {
        let folder = described(runs, &files);
        let error = planned(&folder, "c").expect_err(runs).to_string();
        assert!(error.contains(expected), "{runs}\n{error}\n{expected}");
        for word in ["Some(", "None", "enum", "struct", "untagged"] {
            assert!(!error.contains(word), "{error}");
        }
        assert!(
            !folder.path().join("c").exists(),
            "{runs}: nothing is half written"
        );
    }
}

#[test]
fn a_folder_in_use_another_version_and_another_command_are_told() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    assert!(matches!(
        planned(&folder, "c"),
        Err(CampaignError::InUse { .. })
    ));
    assert!(matches!(
        Campaign::open(folder.path()),
        Err(CampaignError::NoCampaign { .. })
    ));
    assert!(campaign.check_command(&executable()).is_ok());
    let other = campaign
        .check_command(Path::new("/bin/sh"))
        .expect_err("another command");
    assert!(
        other.to_string().contains("another build of the command"),
        "{other}"
    );
    let plan = campaign.folder().join("campaign.json");
    let text = std::fs::read_to_string(&plan).expect("a plan");
    std::fs::write(&plan, text.replacen("\"format\":1", "\"format\":7", 1)).expect("changed");
    let error = Campaign::open(campaign.folder())
        .expect_err("another version")
        .to_string();
    assert!(
        error.contains("has format 7, this command reads format 1"),
        "{error}"
    );
    std::fs::write(&plan, "{").expect("cut");
    let error = Campaign::open(campaign.folder())
        .expect_err("damaged")
        .to_string();
    assert!(error.contains("is no plan of a campaign"), "{error}");
    std::fs::write(&plan, "[]").expect("another");
    let error = Campaign::open(campaign.folder())
        .expect_err("a list")
        .to_string();
    assert!(
        error.contains("expected name, format, command and units") && !error.contains("Plan"),
        "{error}"
    );
    let spaced = Campaign::open(Path::new("my camp"))
        .expect_err("nothing")
        .to_string();
    assert!(spaced.contains("campaign new 'my camp' --from"), "{spaced}");
}

#[test]
fn a_folder_in_the_place_of_a_result_is_told_to_be_removed() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    let id = &campaign.units()[0].id;
    let place = campaign
        .folder()
        .join(format!("results/{}/{id}.json", &id[..2]));
    std::fs::create_dir_all(&place).expect("a folder");
    let error = campaign.merge().expect_err("a folder").to_string();
    assert!(
        error.contains("it is no regular file; remove it"),
        "{error}"
    );
}

#[test]
fn two_merges_at_once_are_told_apart() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    let held = std::fs::File::create(campaign.folder().join("merge.lock")).expect("a lock");
    held.lock().expect("locked");
    assert!(matches!(
        campaign.merge(),
        Err(CampaignError::Merging { .. })
    ));
    drop(held);
    assert!(campaign.merge().is_ok());
}

#[test]
fn parts_take_about_the_same_time_and_hold_every_unit_once() {
    let runs: String = (1..=40)
        .map(|i| {
            format!(
                "[[runs]]\nkind = \"command\"\ncommand = [\"true\", \"{i}\"]\nseconds = {}\nmemory_mb = {i}\n",
                i * i
            )
        })
        .collect();
    let folder = described(&runs, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    let units: Vec<_> = campaign.units().iter().collect();
    let divided = parts(&units, 2000.0, 100);
    assert_eq!(divided.len(), 12);
    let mut all: Vec<usize> = divided.iter().flat_map(|part| part.units.clone()).collect();
    all.sort_unstable();
    assert_eq!(all, (0..40).collect::<Vec<_>>());
    let times: Vec<f64> = divided.iter().map(|part| part.seconds).collect();
    let (least, most) = (
        times.iter().copied().fold(f64::MAX, f64::min),
        times.iter().copied().fold(0.0, f64::max),
    );
    assert!(most < 1.3 * least, "{times:?}");
    assert_eq!(parts(&units, 1.0, 7).len(), 7);
    assert!(parts(&[], 1.0, 7).is_empty());
}

#[test]
fn lines_for_another_batch_system_name_every_unit_that_is_left() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "with ' quote").expect("planned");
    let runner = Runner {
        campaign: &campaign,
        executable: executable(),
        jobs: 1,
    };
    runner.run(&[0, 1], &|_| {});
    let slurm = Slurm {
        campaign: &campaign,
        executable: "/bin/bloomline".into(),
        job_seconds: 10.0,
        most_jobs: 100,
    };
    let lines = slurm.lines().expect("lines");
    assert_eq!(lines.len(), 4);
    assert!(
        lines[0].starts_with("'/bin/bloomline' campaign run '"),
        "{lines:?}"
    );
    let mut listed = Vec::new();
    for index in 0..lines.len() {
        let list = campaign.folder().join(format!("slurm/1/part-{index}.txt"));
        listed.extend(campaign.listed(&list).expect("a list"));
    }
    listed.sort_unstable();
    assert_eq!(listed, (2..20).collect::<Vec<_>>());
    let wrong = folder.path().join("wrong.txt");
    std::fs::write(&wrong, "0123\n").expect("a list");
    let error = campaign.listed(&wrong).expect_err("unknown").to_string();
    assert!(
        error.contains("unit 0123 is not of this campaign"),
        "{error}"
    );
}

#[test]
fn a_result_is_sound_whatever_numbers_it_has() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    let mut number = 1.0_f64;
    for unit in campaign.units() {
        let numbers: Vec<f64> = std::iter::repeat_with(|| {
            number = (number * 1.7).rem_euclid(0.93) + 1e-9;
            number - 0.001
        })
        .take(100)
        .collect();
        let result = UnitResult {
            unit: unit.id.clone(),
            outcome: Outcome::Good,
            output: json!({ "numbers": numbers }),
        };
        campaign.store(result, 1.0).expect("stored");
    }
    let done = campaign.progress().expect("read").done;
    assert_eq!(done, campaign.units().len());
}

/// The group of so many runs of `verify` that came to `output`, and its line in the table and the page.
fn group(runs: usize, output: &Value, outcome: Outcome) -> (Group, String, String) {
    let runs = format!("[[runs]]\nkind = \"verify\"\nspec = \"a.toml\"\nseeds = {{ from = 1, to = {runs} }}\nseconds = 1.0\n");
    let folder = described(&runs, &[("a.toml", "name = \"a\"\n")]);
    let campaign = planned(&folder, "c").expect("planned");
    for unit in campaign.units() {
        let result = UnitResult {
            unit: unit.id.clone(),
            outcome,
            output: output.clone(),
        };
        campaign.store(result, 1.0).expect("stored");
    }
    let group = campaign.merge().expect("merged").groups.remove(0);
    let [_, html, csv] = report(&campaign)
        .try_into()
        .map(|all: [(String, Vec<u8>); 3]| {
            all.map(|(_, text)| String::from_utf8(text).expect("text"))
        })
        .expect("three files");
    let line = csv.lines().nth(1).unwrap_or_default().to_owned();
    (group, line, html)
}

/// Whether the rates of four runs of `verify` that came to `output` agree together, and z of their state tests.
fn merged(output: &Value) -> (Option<bool>, Option<f64>) {
    let (rate, state_test) = pooled(&group(4, output, Outcome::Good).0);
    let agrees = |rate: PooledRate| rate.verdict == Verdict::Pass;
    (rate.map(agrees), state_test.map(|test| test.z))
}

fn pooled(group: &Group) -> (Option<PooledRate>, Option<PooledState>) {
    match group.merged.clone() {
        Merged::Verify {
            rate, state_test, ..
        } => (rate, state_test),
        other => panic!("{other:?}"),
    }
}

/// A run of a static filter with so many false positives among its absent keys.
fn counted(events: u64, trials: u64, predicted: f64, verdict: &str) -> Value {
    let interval = clopper_pearson(events, trials, 0.99).expect("an interval");
    json!({
        "items": trials, "false_positives": events, "fpr_model_error": 0.0,
        "fpr": {
            "measured": events as f64 / trials as f64, "events": events, "trials": trials, "ci_low": interval.low, "ci_high": interval.high,
            "confidence": 0.99, "predicted": predicted, "verdict": verdict,
        },
    })
}

#[test]
fn counts_of_runs_are_pooled_into_the_interval_of_all() {
    for (runs, events, trials) in [
        (1, 0, 1_000),
        (1, 3, 777),
        (8, 1, 50_000),
        (8, 0, 333),
        (3, 400, 9_001),
    ] {
        let run = counted(events, trials, 0.5, "fail");
        let (group, ..) = group(runs as usize, &run, Outcome::Good);
        let rate = pooled(&group).0.expect("a rate");
        let right = clopper_pearson(runs * events, runs * trials, 0.99).expect("an interval");
        assert_eq!((rate.ci_low, rate.ci_high), (right.low, right.high));
    }
}

#[test]
fn cycles_of_runs_are_pooled_by_the_squares_of_each_side() {
    let run = json!({
        "items": 1_000, "fpr_by_arrivals": { "cycles": 25 },
        "fpr": { "measured": 0.01, "events": 10, "trials": 1_000, "ci_low": 0.008, "ci_high": 0.016, "confidence": 0.99, "predicted": 0.01, "verdict": "inconclusive" },
    });
    for (runs, verdict) in [
        (1, Verdict::Inconclusive),
        (4, Verdict::Inconclusive),
        (16, Verdict::Pass),
    ] {
        let (group, ..) = group(runs, &run, Outcome::Good);
        let rate = pooled(&group).0.expect("a rate");
        let root = (runs as f64).sqrt();
        assert!(
            (rate.ci_low - (0.01 - 0.002 / root)).abs() < 1e-12,
            "{rate:?}"
        );
        assert!(
            (rate.ci_high - (0.01 + 0.006 / root)).abs() < 1e-12,
            "{rate:?}"
        );
        assert_eq!((rate.verdict, group.verdict), (verdict, verdict));
    }
    let mut nothing = run.clone();
    nothing["fpr"]["measured"] = 0.0.into();
    nothing["fpr"]["events"] = 0.into();
    nothing["fpr"]["ci_low"] = 0.0.into();
    nothing["fpr"]["ci_high"] = 0.0.into();
    assert_eq!(
        group(4, &nothing, Outcome::Good).0.verdict,
        Verdict::Inconclusive
    );
}

#[test]
fn too_little_evidence_is_said_and_is_no_failure() {
    let (little, line, html) = group(8, &counted(0, 1_000, 2.0e-5, "inconclusive"), Outcome::Good);
    assert_eq!(
        (little.verdict, little.holds),
        (Verdict::Inconclusive, true)
    );
    assert!(
        little.reason.starts_with("rate: about 800,000 more items"),
        "{little:?}"
    );
    assert!(line.ends_with(",inconclusive,inconclusive"), "{line}");
    assert!(
        html.contains("too little evidence") && html.contains("predicted 0.00200 %"),
        "{html}"
    );
    let (enough, line, _) = group(8, &counted(20, 1_000, 0.02, "inconclusive"), Outcome::Good);
    assert_eq!((enough.verdict, enough.holds), (Verdict::Pass, true));
    assert!(line.ends_with(",inconclusive,pass"), "{line}");
    // few events can differ, too
    let (differs, ..) = group(8, &counted(0, 1_000, 0.01, "inconclusive"), Outcome::Good);
    assert_eq!((differs.verdict, differs.holds), (Verdict::Fail, false));
}

#[test]
fn a_group_fails_by_any_claim_that_fails_beyond_chance() {
    let run = |name: &str, verdict: &str| json!({ "verdict": verdict, "claims": [{ "name": name, "verdict": verdict }] });
    let verdict = |runs, output: &Value, outcome| group(runs, output, outcome).0.verdict;
    for name in [
        "Clocks from item to verdict, at least",
        "Forgotten share of repeats, in whole cycles",
        "Underflows",
    ] {
        assert_eq!(
            verdict(3, &run(name, "fail"), Outcome::CheckFailed),
            Verdict::Fail
        );
        assert_eq!(verdict(3, &run(name, "pass"), Outcome::Good), Verdict::Pass);
    }
    // state tests without a rate, mismatches without a claim, and a failure without a reason
    let state = |observed: u64, z: f64| json!({ "verdict": "pass", "state_test": { "expected": 1_000.0, "observed": observed, "z": z, "verdict": "pass" } });
    assert_eq!(verdict(9, &state(1_040, 1.2), Outcome::Good), Verdict::Fail);
    assert_eq!(verdict(9, &state(1_010, 0.3), Outcome::Good), Verdict::Pass);
    assert_eq!(
        verdict(
            2,
            &json!({ "verdict": "fail", "mismatches": 1 }),
            Outcome::CheckFailed
        ),
        Verdict::Fail
    );
    assert_eq!(
        verdict(2, &json!({ "verdict": "fail" }), Outcome::CheckFailed),
        Verdict::Fail
    );
    // as `--require-conclusive` ends
    let open = run("Forgotten share of repeats", "inconclusive");
    let mut required = open.clone();
    required["verdict"] = "pass".into();
    assert_eq!(
        verdict(2, &required, Outcome::CheckFailed),
        Verdict::Inconclusive
    );
}

#[test]
fn a_pooled_rate_is_held_against_what_each_run_was() {
    let agrees = |measured: f64, place: &str, value: Value| {
        let mut run = json!({
            "items": 1_000_000, "fpr_test": "prediction", "fpr_model_error": 0.0,
            "fpr": {
                "measured": measured, "events": (measured * 66_000.0) as u64, "trials": 66_000,
                "ci_low": measured - 0.001, "ci_high": measured + 0.001,
                "confidence": 0.99, "predicted": 0.01, "at_most": false, "verdict": "pass",
            },
        });
        *run.pointer_mut(place).expect("a place") = value;
        merged(&run).0
    };
    assert_eq!(agrees(0.0101, "/fpr/verdict", json!("pass")), Some(true));
    assert_eq!(agrees(0.009, "/fpr/verdict", json!("pass")), Some(false));
    // a bound, from below and from above
    assert_eq!(agrees(0.009, "/fpr/at_most", json!(true)), Some(true));
    assert_eq!(agrees(0.011, "/fpr/at_most", json!(true)), Some(false));
    // what the prediction may be off by
    assert_eq!(agrees(0.009, "/fpr_model_error", json!(0.001)), Some(true));
    // nothing was asked, or the runs were held against another number
    let nothing = json!("not-applicable");
    assert_eq!(agrees(0.0101, "/fpr/verdict", nothing), None);
    assert_eq!(agrees(0.0101, "/fpr_test", json!("at-most-target")), None);
}

#[test]
fn an_error_of_what_is_expected_does_not_shrink_with_the_runs() {
    let test = json!({"expected": 1_000.0, "observed": 1_040, "z": 0.8, "allowed": 30.0});
    let z = merged(&json!({ "state_test": test })).1.expect("tests");
    // of each run 40 squared are by chance, and 30 in all runs the same
    let right = 160.0 / (4.0 * 1_600.0 + 120.0 * 120.0_f64).sqrt();
    assert!((z - right).abs() < 1e-9, "{z}, {right}");
}

#[test]
fn each_unit_writes_into_a_folder_of_its_own() {
    let runs = "[[runs]]\nkind = \"command\"\ncommand = [\"/bin/sh\", \"-c\", \"echo {seed} > '{out}/seed'\"]\nseeds = [3, 4]\nseconds = 1\n";
    let folder = described(runs, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    run(&campaign, 2);
    for unit in campaign.units() {
        let file = campaign
            .folder()
            .join("outputs")
            .join(&unit.id)
            .join("seed");
        let seed = unit.seed.expect("a seed");
        assert_eq!(
            std::fs::read_to_string(file).expect("written"),
            format!("{seed}\n")
        );
    }
}

#[test]
fn seeds_of_a_build_share_their_netlists() {
    let runs = "[[runs]]\nkind = \"build\"\nspec = \"s.toml\"\nboards = [\"b\"]\nseeds = [1, 2]\nseconds = 1\n";
    let folder = described(runs, &[("s.toml", "")]);
    let campaign = planned(&folder, "c").expect("planned");
    assert_eq!(campaign.units().len(), 2);
    for unit in campaign.units() {
        let netlists = ["--netlists", "{folder}/netlists"];
        assert!(
            unit.command.windows(2).any(|pair| pair == netlists),
            "{:?}",
            unit.command
        );
    }
}

#[test]
fn state_tests_of_too_few_false_positives_tell_how_many_items_are_missing() {
    let test = json!({"expected": 5.0, "observed": 5, "z": 0.0, "verdict": "inconclusive"});
    let output = json!({ "verdict": "pass", "items": 1_000, "state_test": test });
    let (group, _, html) = group(4, &output, Outcome::Good);
    let told = "about 20,000 more items needed for a decision";
    assert_eq!(group.verdict, Verdict::Inconclusive);
    assert_eq!(group.reason, format!("state test: {told}"));
    assert!(html.contains(&format!("too little evidence ({told})")));
}

#[test]
fn merging_the_campaign_of_others_changes_no_file_that_links_in_it_lead_to() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    let profile = folder.path().join("profile");
    std::fs::write(&profile, "mine").expect("a file");
    std::fs::create_dir(campaign.folder().join("report")).expect("a folder");
    for place in [
        "merge.lock",
        "report/report.json",
        "report/report.html",
        "report/units.csv",
    ] {
        std::os::unix::fs::symlink(&profile, campaign.folder().join(place)).expect("a link");
    }
    campaign.merge().expect("merged");
    assert_eq!(std::fs::read_to_string(&profile).expect("it"), "mine");
    assert!(report(&campaign).iter().all(|(_, text)| !text.is_empty()));
}

#[test]
fn a_plan_with_paths_for_ids_or_lines_for_a_name_is_refused() {
    let folder = described(COUNTED, &[]);
    let campaign = planned(&folder, "c").expect("planned");
    let path = campaign.folder().join("campaign.json");
    let good: Value = serde_json::from_slice(&std::fs::read(&path).expect("it")).expect("a plan");
    for (place, value) in [
        ("/units/3/id", "../../../elsewhere"),
        ("/units/3/id", ""),
        ("/name", "c\ncurl example.org | sh"),
    ] {
        let mut plan = good.clone();
        *plan.pointer_mut(place).expect("the key") = value.into();
        std::fs::write(&path, plan.to_string()).expect("written");
        let error = Campaign::open(campaign.folder())
            .expect_err(place)
            .to_string();
        assert!(error.contains(&format!("{value:?}: must be")), "{error}");
    }
}

#[test]
fn files_without_an_end_are_refused() {
    for runs in [
        "kind = \"command\"\ncommand = [\"cat\", \"/dev/zero\"]\nfiles = [\"/dev/zero\"]",
        "kind = \"verify\"\nspec = \"/dev/zero\"",
    ] {
        let folder = described(&format!("[[runs]]\n{runs}\nseconds = 1.0\n"), &[]);
        let error = planned(&folder, "c").expect_err("no end").to_string();
        assert!(
            error.contains("/dev/zero: it is no regular file"),
            "{error}"
        );
    }
}
