//! A card as the driver's own tests have it, served to the command.

use crate::common::Run;
use bloomline_driver::serve::{serve, Bridge, EtherboneResponder, UdpServer};
use bloomline_driver::{Design, Transport};
use bloomline_spec::FilterKind;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::JoinHandle;
use tempfile::TempDir;

/// A card that serves over UDP until it is dropped, and a folder with its specification.
pub struct Card {
    pub folder: TempDir,
    pub url: String,
    stop: Arc<AtomicBool>,
    server: Option<JoinHandle<()>>,
}

impl Card {
    pub fn new(kind: FilterKind) -> Card {
        let text = format!("{}\n[card]\n", crate::model::text(kind));
        Card::of(&crate::model::design(&text), &text)
    }

    pub fn of(design: &Design, text: &str) -> Card {
        let device = crate::model::ModelCard::new(design);
        Card::serving(Bridge::new(device, crate::model::LIMITS.access), text)
    }

    /// What stands behind `bridge`, with the specification `text`.
    pub fn serving<T: Transport + Send + 'static>(bridge: Bridge<T>, text: &str) -> Card {
        let folder = crate::common::folder(text);
        let mut line = UdpServer::bind("127.0.0.1:0").expect("a port of this machine");
        let address = line.address().expect("it is bound");
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let server = std::thread::spawn(move || {
            let mut responder = EtherboneResponder::new(bridge);
            serve(&mut line, &mut responder, &told).expect("the line holds");
        });
        Card {
            folder,
            url: format!("etherbone:{address}"),
            stop,
            server: Some(server),
        }
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        let arguments = [&["device", &self.url], arguments].concat();
        crate::common::run(self.folder.path(), &arguments)
    }

    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let run = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        serde_json::from_str(&run.stdout).expect("it is JSON")
    }

    /// The command's error, which must be one of bad input.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stdout);
        assert_eq!(run.stdout, "", "{arguments:?}");
        run.stderr
    }

    pub fn start(&self, arguments: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_bloomline"))
            .current_dir(self.folder.path())
            .args(["device", &self.url])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts")
    }

    /// From here on nothing answers at its address.
    pub fn unplug(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(server) = self.server.take() {
            let ended = server.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the card broke");
        }
    }
}

impl Drop for Card {
    fn drop(&mut self) {
        self.unplug();
    }
}
