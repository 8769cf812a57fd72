//! Slurm, and batch systems that take lines of shell: scripts, submission, state.

use crate::error::CampaignError;
use crate::folder::{read, write, Campaign};
use crate::parts::{parts, Part};
use crate::unit::Unit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds beyond three times the estimate after which the batch system ends a job.
const SPARE_SECONDS: f64 = 600.0;
/// Spare memory of a job, in megabytes.
const SPARE_MB: u64 = 200;

/// How the work is divided.
#[derive(Debug, Clone)]
pub struct Slurm<'a> {
    /// The campaign.
    pub campaign: &'a Campaign,
    /// The command's executable, at a path that all machines have.
    pub executable: PathBuf,
    /// Seconds that a job should take.
    pub job_seconds: f64,
    /// Jobs at most. Slurm takes arrays of up to 1,000 tasks unless it is told otherwise (`MaxArraySize`).
    pub most_jobs: usize,
}

/// What was submitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Slurm's number of the array.
    pub array: u64,
    /// Slurm's number of the job that merges when the array has ended.
    pub merge: u64,
    /// Jobs of the array.
    pub jobs: usize,
    /// Units in them.
    pub units: usize,
}

impl Slurm<'_> {
    /// The parts of what is left to do, and a folder with a list of units for each.
    fn divide(&self) -> Result<(Vec<Part>, PathBuf), CampaignError> {
        let units = self.campaign.units();
        let remaining = self.campaign.remaining()?;
        let left: Vec<&Unit> = remaining.iter().map(|place| &units[*place]).collect();
        let divided = parts(&left, self.job_seconds, self.most_jobs);
        let all = self.campaign.folder().join("slurm");
        let number = (1..).find(|number| !all.join(number.to_string()).exists());
        let folder = all.join(number.unwrap_or(1_u32).to_string());
        for (index, part) in divided.iter().enumerate() {
            let ids: Vec<&str> = part
                .units
                .iter()
                .map(|place| left[*place].id.as_str())
                .collect();
            write(
                &folder.join(format!("part-{index}.txt")),
                (ids.join("\n") + "\n").as_bytes(),
            )?;
        }
        Ok((divided, folder))
    }

    /// Lines of shell, one a job, for GNU parallel, LSF or any other array.
    ///
    /// # Errors
    /// [`CampaignError::File`].
    pub fn lines(&self) -> Result<Vec<String>, CampaignError> {
        let (divided, folder) = self.divide()?;
        Ok((0..divided.len())
            .map(|index| self.line(&quoted(&folder.join(format!("part-{index}.txt")))))
            .collect())
    }

    /// A job's command; `list` is a word of shell.
    fn line(&self, list: &str) -> String {
        format!(
            "{} campaign run {} --units {list} --jobs 1",
            quoted(&self.executable),
            quoted(self.campaign.folder())
        )
    }

    /// Submits what is left to do as an array, and a job that merges behind it. `None` where nothing is left.
    ///
    /// # Errors
    /// [`CampaignError::Engine`] with what `sbatch` said; nothing is left in the queue or in the folder then.
    pub fn submit(&self, options: &[String]) -> Result<Option<Submission>, CampaignError> {
        let (divided, folder) = self.divide()?;
        if divided.is_empty() {
            return Ok(None);
        }
        let submitted = self.send(&divided, &folder, options);
        if submitted.is_err() {
            let _ = std::fs::remove_dir_all(&folder);
        }
        submitted.map(Some)
    }

    fn send(
        &self,
        divided: &[Part],
        folder: &Path,
        options: &[String],
    ) -> Result<Submission, CampaignError> {
        let longest = divided.iter().map(|part| part.seconds).fold(0.0, f64::max);
        let largest = divided.iter().map(|part| part.memory_mb).max().unwrap_or(0);
        let minutes = ((3.0 * longest + SPARE_SECONDS) / 60.0).ceil();
        let list = format!("{}/part-\"$SLURM_ARRAY_TASK_ID\".txt", quoted(folder));
        let script = format!(
            "#!/bin/sh\n#SBATCH --job-name={name}\n#SBATCH --array=0-{last}\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n\
             #SBATCH --time={minutes:.0}\n#SBATCH --mem={memory}M\n#SBATCH --requeue\n#SBATCH --open-mode=append\nexec {line}\n",
            name = self.campaign.name(),
            last = divided.len() - 1,
            memory = largest + SPARE_MB,
            line = self.line(&list),
        );
        let array_script = folder.join("array.sh");
        write(&array_script, script.as_bytes())?;
        let merge_script = folder.join("merge.sh");
        let merge = format!(
            "#!/bin/sh\n#SBATCH --job-name={}-merge\n#SBATCH --ntasks=1\nexec {} campaign merge {}\n",
            self.campaign.name(),
            quoted(&self.executable),
            quoted(self.campaign.folder())
        );
        write(&merge_script, merge.as_bytes())?;
        let log = |name: &str| format!("--output={}", folder.join(name).display());
        let mut arguments = vec!["--parsable".to_owned(), log("job-%a.log")];
        arguments.extend(options.iter().cloned());
        let array = sbatch(&arguments, &array_script)?;
        let mut arguments = vec![
            "--parsable".to_owned(),
            log("merge.log"),
            format!("--dependency=afterany:{array}"),
        ];
        arguments.extend(options.iter().cloned());
        let submitted = sbatch(&arguments, &merge_script).and_then(|merge| {
            let submission = Submission {
                array,
                merge,
                jobs: divided.len(),
                units: divided.iter().map(|part| part.units.len()).sum(),
            };
            let text = serde_json::to_string_pretty(&submission).unwrap_or_default();
            write(&folder.join("submission.json"), text.as_bytes())?;
            Ok(submission)
        });
        if submitted.is_err() {
            let _ = engine("scancel", &[array.to_string()]);
        }
        submitted
    }
}

impl Submission {
    /// The submissions of a campaign, the first first.
    ///
    /// # Errors
    /// [`CampaignError::Form`], [`CampaignError::File`].
    pub fn all(campaign: &Campaign) -> Result<Vec<Submission>, CampaignError> {
        let mut all = Vec::new();
        for number in 1_u32.. {
            let folder = campaign.folder().join("slurm").join(number.to_string());
            let path = folder.join("submission.json");
            match read(&path) {
                Ok(bytes) => all.push(serde_json::from_slice(&bytes).map_err(|error| {
                    CampaignError::Form {
                        path: path.clone(),
                        problem: error.to_string(),
                    }
                })?),
                // A list of lines for another batch system has none.
                Err(_) if folder.exists() => {}
                Err(_) => break,
            }
        }
        Ok(all)
    }

    /// How many jobs of it are in which state, by Slurm's words; empty when all have ended.
    ///
    /// # Errors
    /// [`CampaignError::Engine`].
    pub fn states(&self) -> Result<BTreeMap<String, usize>, CampaignError> {
        let jobs = format!("{},{}", self.array, self.merge);
        let arguments = ["-h", "-r", "-j", &jobs, "-o", "%T"].map(str::to_owned);
        let text = match engine("squeue", &arguments) {
            // Slurm forgets jobs some minutes after their end.
            Err(CampaignError::Engine { problem, .. }) if problem.contains("Invalid job id") => {
                String::new()
            }
            other => other?,
        };
        let mut states = BTreeMap::new();
        for state in text.lines().filter(|line| !line.is_empty()) {
            *states.entry(state.trim().to_owned()).or_insert(0) += 1;
        }
        Ok(states)
    }

    /// Takes its jobs from the queue; those that run are ended.
    ///
    /// # Errors
    /// [`CampaignError::Engine`].
    pub fn cancel(&self) -> Result<(), CampaignError> {
        let jobs = [self.array, self.merge].map(|job| job.to_string());
        engine("scancel", &jobs).map(|_| ())
    }
}

fn sbatch(options: &[String], script: &Path) -> Result<u64, CampaignError> {
    let mut arguments = options.to_vec();
    arguments.push(script.to_string_lossy().into_owned());
    let printed = engine("sbatch", &arguments)?;
    // "--parsable" prints the number, or "number;cluster".
    let number = printed.trim().split(';').next().unwrap_or_default().parse();
    number.map_err(|_| CampaignError::Engine {
        program: "sbatch".into(),
        problem: format!("printed {printed:?} where a job's number was expected"),
    })
}

/// Runs a program of Slurm; what it prints.
fn engine(program: &str, arguments: &[String]) -> Result<String, CampaignError> {
    let failed = |problem: String| CampaignError::Engine {
        program: program.into(),
        problem,
    };
    let output = Command::new(program).args(arguments).output().map_err(|error| {
        failed(format!(
            "cannot be started: {error}; run this on a machine of a Slurm cluster, or use `--engine shell` or `bloomline campaign run`"
        ))
    })?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(failed(
            String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        )),
    }
}

/// A path as one word of shell, in quotes only where it needs them: for commands that people read and type.
pub fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.into_owned(),
        false => quoted(path),
    }
}

/// A path as one word of shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"))
}
