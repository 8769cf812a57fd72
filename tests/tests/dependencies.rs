//! Every crate that the workspace builds with is under a licence, from a source and by a name that `deny.toml` allows: what `cargo deny check
//! licenses bans sources` looks at, without cargo-deny. And every Python package has hashes.

use bloomline_toolchain::{wheels, Package};
use serde_json::Value;
use spdx::{Expression, ParseMode};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The lists of `deny.toml`.
struct Rules {
    allowed: Vec<String>,
    /// Crates with licences that are allowed to them alone.
    exceptions: Vec<(String, Vec<String>)>,
    banned: Vec<String>,
    registries: Vec<String>,
}

fn strings(value: &toml::Value) -> Vec<String> {
    let list = value.as_array().expect("a list");
    list.iter()
        .map(|text| text.as_str().expect("a text").to_owned())
        .collect()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

impl Rules {
    fn read() -> Self {
        let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml is there");
        let table: toml::Table = toml::from_str(&text).expect("deny.toml is TOML");
        let name = |entry: &toml::Value| entry["crate"].as_str().expect("a crate").to_owned();
        let [licences, bans, sources] = ["licenses", "bans", "sources"].map(|part| &table[part]);
        // This test knows these settings and no others.
        assert_eq!(bans["wildcards"].as_str(), Some("deny"));
        assert_eq!(bans["multiple-versions"].as_str(), Some("allow"));
        for origin in ["unknown-registry", "unknown-git"] {
            assert_eq!(sources[origin].as_str(), Some("deny"), "{origin}");
        }
        let exceptions = licences["exceptions"].as_array().expect("a list");
        let banned = bans["deny"].as_array().expect("a list");
        Self {
            allowed: strings(&licences["allow"]),
            exceptions: exceptions
                .iter()
                .map(|entry| (name(entry), strings(&entry["allow"])))
                .collect(),
            banned: banned.iter().map(name).collect(),
            registries: strings(&sources["allow-registry"]),
        }
    }

    /// What is wrong with a package, and the entries of the lists that it needs.
    fn judge(&self, package: &Value, used: &mut BTreeSet<String>) -> Vec<String> {
        let name = package["name"].as_str().expect("a name");
        let mut wrong = Vec::new();
        if self.banned.iter().any(|banned| banned == name) {
            wrong.push(format!("{name} is banned"));
        }
        if let Some(source) = package["source"].as_str() {
            let known = |registry: &String| source == format!("registry+{registry}");
            if !self.registries.iter().any(known) {
                wrong.push(format!("{name} comes from {source}"));
            }
        }
        let needs = package["dependencies"].as_array().expect("a list");
        for need in needs.iter().filter(|need| need["path"].is_null()) {
            if need["req"] == "*" && package["source"].is_null() {
                wrong.push(format!("{name} takes any version of {}", need["name"]));
            }
        }
        match package["license"].as_str() {
            Some(licence) => {
                if let Err(why) = self.judge_licence(name, licence, used) {
                    wrong.push(why);
                }
            }
            None => wrong.push(format!("{name} names no licence")),
        }
        wrong
    }

    fn judge_licence(
        &self,
        name: &str,
        licence: &str,
        used: &mut BTreeSet<String>,
    ) -> Result<(), String> {
        let expression = Expression::parse_mode(licence, ParseMode::LAX)
            .map_err(|error| format!("{name}: {licence:?} is no licence: {error}"))?;
        let own = self.exceptions.iter().find(|(of, _)| of == name);
        let mut needed = BTreeSet::new();
        let good = expression.evaluate(|requirement| {
            let asked = requirement.to_string();
            let allowed = self.allowed.contains(&asked);
            let excepted = own.is_some_and(|(_, list)| list.contains(&asked));
            if allowed {
                needed.insert(asked);
            } else if excepted {
                needed.insert(format!("exception {name}"));
            }
            allowed || excepted
        });
        match good {
            true => {
                used.append(&mut needed);
                Ok(())
            }
            false => Err(format!("{name} is under {licence}, which is not allowed")),
        }
    }
}

/// `cargo metadata` of what this host builds.
fn metadata() -> Value {
    let rustc = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc runs");
    let text = String::from_utf8(rustc.stdout).expect("UTF-8");
    let host = text
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc names its host");
    let output = Command::new("cargo")
        .args(["metadata", "--offline", "--locked", "--format-version", "1"])
        .args(["--filter-platform", host])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata: {told}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let below = |path: PathBuf| match path.is_dir() {
        true => files_of(&path),
        false => vec![path],
    };
    paths.flat_map(below).collect()
}

/// A library whose own tests are not built (`test = false`) has none that would then never run.
#[test]
fn no_test_stands_where_it_is_not_built() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("a list");
    let mut untested = 0;
    for package in packages.iter().filter(|it| it["source"].is_null()) {
        for target in package["targets"].as_array().expect("a list") {
            if target["test"] != false || target["kind"][0] == "custom-build" {
                continue;
            }
            untested += 1;
            let root = Path::new(target["src_path"].as_str().expect("a path"));
            for file in files_of(root.parent().expect("a folder")) {
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                assert!(!text.contains("#[cfg(test)]"), "{}", file.display());
            }
        }
    }
    assert!(untested >= 5, "{untested}");
}

#[test]
fn every_crate_is_under_a_licence_and_from_a_source_that_is_allowed() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("a list");
    assert!(packages.len() > 50, "{} packages", packages.len());

    let rules = Rules::read();
    let mut used = BTreeSet::new();
    let wrong: Vec<String> = packages
        .iter()
        .flat_map(|package| rules.judge(package, &mut used))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let exceptions = rules
        .exceptions
        .iter()
        .map(|(name, _)| format!("exception {name}"));
    let listed = rules.allowed.iter().cloned().chain(exceptions);
    let idle: Vec<String> = listed.filter(|entry| !used.contains(entry)).collect();
    assert!(
        idle.is_empty(),
        "deny.toml allows what nothing needs: {idle:?}"
    );
}

#[test]
fn what_is_not_allowed_is_told() {
    let rules = Rules::read();
    let package = |licence: &str, source: &str| serde_json::json!({"name": "some", "license": licence, "source": source, "dependencies": []});
    let crates_io = "registry+https://github.com/rust-lang/crates.io-index";
    let judge = |package| rules.judge(&package, &mut BTreeSet::new());
    assert!(judge(package("MIT OR GPL-3.0-only", crates_io)).is_empty());
    assert!(judge(package("MIT/Apache-2.0", crates_io)).is_empty());
    for (licence, source) in [
        ("GPL-3.0-only", crates_io),
        ("MIT AND GPL-3.0-only", crates_io),
        ("MPL-2.0", crates_io),
        ("no licence at all", crates_io),
        ("MIT", "git+https://example.org/some"),
        ("MIT", "registry+https://example.org/index"),
    ] {
        let wrong = judge(package(licence, source));
        assert_eq!(wrong.len(), 1, "{licence} from {source}: {wrong:?}");
    }
    let mut banned = package("MIT", crates_io);
    banned["name"] = rules.banned[0].as_str().into();
    assert_eq!(judge(banned).len(), 1);
}

/// The crates of others that a choice of Cargo's builds, with their versions and features.
fn crates_of(choice: &[&str]) -> BTreeSet<String> {
    let output = Command::new("cargo")
        .args([
            "tree",
            "--offline",
            "--locked",
            "--prefix",
            "none",
            "--format",
            "{p} {f}",
        ])
        .args(choice)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo tree {choice:?}: {told}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines()
        .map(|line| line.trim_end_matches(" (*)").to_owned())
        .filter(|line| !line.is_empty() && !line.starts_with("bloomline"))
        .collect()
}

/// Another feature of one crate in `cargo test` would have that crate compiled again, and all that is built on it.
#[test]
fn the_command_and_claims_are_built_of_the_crates_that_the_tests_are_built_of() {
    let tests = crates_of(&["--workspace", "--edges", "normal,build,dev"]);
    for package in ["bloomline", "bloomline-tests"] {
        let own = crates_of(&["--package", package, "--edges", "normal,build"]);
        assert!(own.len() > 50, "{package}: {own:?}");
        let other: Vec<&String> = own.difference(&tests).collect();
        assert!(
            other.is_empty(),
            "{package} needs crates with features that `cargo test --workspace` compiles otherwise: {other:?}"
        );
    }
}

/// pip is given the hashes of `wheels.txt`: each pinned version has some there, and nothing else stands in it.
#[test]
fn every_wheel_of_a_pinned_version_is_known_by_its_hash() {
    let requirements: BTreeSet<String> = Package::EVERY
        .into_iter()
        .flat_map(Package::requirements)
        .collect();
    let advice = "run python3 hdl/toolchain/wheels.py NAME==VERSION, and take out lines of versions that are not pinned";
    for requirement in &requirements {
        let found = wheels().filter(|wheel| wheel.is_of(requirement)).count();
        assert!(found > 0, "{requirement} has no wheel; {advice}");
    }
    for wheel in wheels() {
        let digits = wheel.sha256.bytes().filter(u8::is_ascii_hexdigit).count();
        assert_eq!((digits, wheel.sha256.len()), (64, 64), "{}", wheel.file);
        let pinned = requirements.iter().any(|it| wheel.is_of(it));
        assert!(pinned, "{} is of no pinned version; {advice}", wheel.file);
    }
    let file = Package::Yosys.requirements_file();
    assert_eq!(file.lines().count(), Package::Yosys.requirements().len());
    for line in file.lines() {
        assert!(line.contains(" --hash=sha256:"), "{line}");
    }
}
