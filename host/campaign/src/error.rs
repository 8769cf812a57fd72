use crate::slurm::shell_word;
use std::path::PathBuf;

/// Why a campaign could not be planned, run, submitted or merged.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}; {next}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
        /// What to do next.
        next: &'static str,
    },
    /// A file is not of its form.
    #[error("{}: {problem}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// Key or place, value and rule.
        problem: String,
    },
    /// A description asks for something that cannot be.
    #[error("{}: runs[{index}]: {problem}", path.display())]
    Runs {
        /// The description.
        path: PathBuf,
        /// Which table of `runs`, counted from 0.
        index: usize,
        /// Key, value and rule.
        problem: String,
    },
    /// The folder for a new campaign is in use.
    #[error("{}: is not empty; name another folder, or continue what is there with `bloomline campaign run {}`", path.display(), shell_word(path))]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// A file or a link is where the folder for a new campaign should be.
    #[error("{}: is a file or a link; name a folder that is empty or does not exist yet", path.display())]
    NoFolder {
        /// Its path.
        path: PathBuf,
    },
    /// The folder holds no campaign.
    #[error("{}: there is no campaign.json; make a campaign with `bloomline campaign new {} --from FILE.toml`", path.display(), shell_word(path))]
    NoCampaign {
        /// The folder.
        path: PathBuf,
    },
    /// The campaign was made by another version.
    #[error("{}: the campaign has format {found}, this command reads format {known}; run it with the version that made it, or make it again with `bloomline campaign new`", path.display())]
    Version {
        /// Its plan.
        path: PathBuf,
        /// The format that the plan says.
        found: u64,
        /// The format that this version reads.
        known: u64,
    },
    /// The command is not the one that the campaign was planned with.
    #[error("{}: the campaign was planned with another build of the command (hash {planned}, this one has {found}), so its results would not be comparable; run it with that build, or make the campaign again", path.display())]
    OtherCommand {
        /// Its plan.
        path: PathBuf,
        /// Hash of the command's executable when the campaign was planned.
        planned: String,
        /// Hash of the one that runs.
        found: String,
    },
    /// Results are damaged.
    #[error("{}: {problem}; `bloomline campaign run` makes it again", path.display())]
    Damaged {
        /// The result file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Another process merges.
    #[error("{}: another merge is under way; wait for it to end", path.display())]
    Merging {
        /// The lock file.
        path: PathBuf,
    },
    /// A program of the batch system is missing or failed.
    #[error("{program}: {problem}")]
    Engine {
        /// The program.
        program: String,
        /// What it said, or why it could not be started, with the next step.
        problem: String,
    },
    /// A unit is unknown.
    #[error("{}: unit {unit} is not of this campaign; its units are in campaign.json", path.display())]
    UnknownUnit {
        /// The list of units.
        path: PathBuf,
        /// The unit.
        unit: String,
    },
}

impl CampaignError {
    /// Names the file of a failed read or write, and the next step.
    pub(crate) fn file(
        path: &std::path::Path,
        next: &'static str,
    ) -> impl FnOnce(std::io::Error) -> CampaignError {
        let path = path.to_owned();
        move |source| CampaignError::File { path, source, next }
    }
}
