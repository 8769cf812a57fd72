use super::CardError;
use bloomline_driver::{Line, SerialLine};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Silence after which what no client has read is thrown away.
const STALE_AFTER: Duration = Duration::from_secs(1);

/// The serving end of a pseudo-terminal, which clients open, leave and open again as they like; with a link to its device
/// file where one was asked for, which goes when this goes.
#[derive(Debug)]
pub struct Terminal {
    line: SerialLine,
    /// Keeps the terminal there while no client has it open.
    kept: SerialLine,
    link: Option<Link>,
    path: String,
    heard: Instant,
    fresh: bool,
}

/// A symbolic link that was made here.
#[derive(Debug)]
struct Link {
    path: PathBuf,
    target: PathBuf,
}

impl Drop for Link {
    fn drop(&mut self) {
        // Somebody may have removed it, or put another thing there: that is theirs.
        if std::fs::read_link(&self.path).is_ok_and(|target| target == self.target) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Terminal {
    /// A new pseudo-terminal, with a link to it at `link`.
    ///
    /// # Errors
    /// [`CardError::NoTerminal`], [`CardError::LinkExists`], [`CardError::Link`].
    pub fn open(link: Option<&Path>) -> Result<Terminal, CardError> {
        // Before there is a new one, which may well be where that one was.
        if let Some(link) = link.filter(|link| is_left_behind(link)) {
            // Where it cannot be removed it cannot be made anew either, which is told.
            let _ = std::fs::remove_file(link);
        }
        let failed = |source| CardError::NoTerminal { source };
        let (line, kept) = SerialLine::pair().map_err(|error| failed(error.into()))?;
        let path = kept
            .path()
            .ok_or_else(|| failed(io::Error::other("it has no device file")))?;
        let link = link.map(|link| make_link(link, &path)).transpose()?;
        Ok(Terminal {
            line,
            kept,
            link,
            path,
            heard: Instant::now(),
            fresh: true,
        })
    }

    /// The device file that clients open: the link where there is one.
    pub fn path(&self) -> String {
        match &self.link {
            Some(link) => link.path.display().to_string(),
            None => self.path.clone(),
        }
    }
}

/// Where pseudo-terminals are.
const TERMINALS: &str = "/dev/pts";

/// Whether it is a link to a pseudo-terminal that is not there: one whose maker was killed.
fn is_left_behind(link: &Path) -> bool {
    std::fs::read_link(link).is_ok_and(|target| target.starts_with(TERMINALS) && !target.exists())
}

fn make_link(link: &Path, terminal: &str) -> Result<Link, CardError> {
    let path = link.to_owned();
    match std::os::unix::fs::symlink(terminal, link) {
        Ok(()) => Ok(Link {
            path,
            target: PathBuf::from(terminal),
        }),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(CardError::LinkExists { path })
        }
        Err(source) => Err(CardError::Link {
            path,
            terminal: terminal.to_owned(),
            source,
        }),
    }
}

impl Line for Terminal {
    fn now(&self) -> Instant {
        self.line.now()
    }

    fn send(&mut self, bytes: &[u8], until: Instant) -> io::Result<()> {
        self.fresh = false;
        self.line.send(bytes, until)
    }

    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        // A client that took the terminal for itself and was killed would keep everybody else out.
        self.kept.share()?;
        let got = self.line.receive(buffer, until)?;
        let now = self.line.now();
        if got > 0 {
            self.heard = now;
        } else if !self.fresh && now.saturating_duration_since(self.heard) >= STALE_AFTER {
            // Answers to a client that went away are not the next one's.
            self.kept.discard_received()?;
            self.fresh = true;
        }
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_a_link_to_a_terminal_that_is_gone_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("card");
        symlink("/dev/pts/2147483647", &link).expect("a link");
        let terminal = Terminal::open(Some(&link)).expect("a pseudo-terminal");
        assert!(link.exists(), "it leads to the new one");
        drop(terminal);
        assert!(!link.is_symlink());

        // A new terminal may well have the name of the one that is gone.
        let gone = Terminal::open(None).expect("a pseudo-terminal").path();
        symlink(gone, &link).expect("a link");
        drop(Terminal::open(Some(&link)).expect("a pseudo-terminal"));

        let target = folder.path().join("nothing");
        for target in [Path::new("/dev/pts/ptmx"), &target, folder.path()] {
            symlink(target, &link).expect("a link");
            let refused = Terminal::open(Some(&link));
            assert!(
                matches!(refused, Err(CardError::LinkExists { .. })),
                "{target:?}: {refused:?}"
            );
            assert_eq!(std::fs::read_link(&link).expect("it is there"), target);
            std::fs::remove_file(&link).expect("it can be removed");
        }
        std::fs::write(&link, "").expect("a file");
        let refused = Terminal::open(Some(&link));
        assert!(matches!(refused, Err(CardError::LinkExists { .. })));
        assert!(link.is_file());
    }
}
