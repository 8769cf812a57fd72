//! `device`: what a host asks of one device, one verb a file.
//!
//! Every verb but `info` takes the specification, for the registers mean nothing without it, and refuses a device of another.
//! What the verbs share: [`link`] (from URL and specification to an identified device), [`keys`] (where keys come from),
//! [`items`] (from keys to verdicts), [`readings`] and [`path_and_ports`] (from a sample to names and numbers), [`path_options`] (settings
//! of packet paths), [`secret`], [`progress`].

mod clear;
mod configure;
mod estimate;
mod export;
mod host_key;
mod http;
mod info;
mod insert;
mod items;
mod keys;
mod link;
mod path_and_ports;
mod path_options;
mod progress;
mod prometheus;
mod query;
mod readings;
mod recycle;
mod rekey;
mod remove;
mod restore;
mod secret;
mod similarity;
mod snapshot;
mod stats;
mod union;
mod watch;

use crate::output::{Ending, Output};

/// Arguments of `device`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Where the device is: 'uart:/dev/ttyUSB0?baud=1000000' (without baud: card.uart_baud of SPEC, else 115200), etherbone:HOST:PORT
    /// (:1234 may be left out), 'pcie:0000:03:00.0/2?offset=0x100000', sim:SPEC (a simulated card) or, for union, estimate and
    /// similarity of files, -. Quote a URL with `?`: the shell may take it for a pattern
    url: String,
    #[command(subcommand)]
    what: What,
}

/// What to ask the device.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// Identify the device: its blocks and settings
    Info,
    /// Set threshold, maximum age, the secret of a keyed hash, or what happens to frames
    Configure(configure::Cmd),
    /// Look keys up
    Query(query::Cmd),
    /// Insert keys
    Insert(insert::Cmd),
    /// Take keys out of a counting filter
    Remove(remove::Cmd),
    /// Print state, fill and counters
    Stats(stats::Cmd),
    /// Show state, fill, counters and events as they change
    Watch(watch::Cmd),
    /// Empty the filter
    Clear(clear::Cmd),
    /// Load a random secret for a keyed hash: do this at each start, before traffic
    Rekey(rekey::Cmd),
    /// Load the key under which the host port of a line card takes requests
    HostKey(host_key::Cmd),
    /// Recycle now: the active half of a recycling filter freezes, or with one phase empties
    Recycle(recycle::Cmd),
    /// Read the array into a file (all kinds but sliding; a recycling filter's halves are of one cycle)
    Snapshot(snapshot::Cmd),
    /// Combine snapshots, and the device's own array, into one
    Union(union::Cmd),
    /// Estimate how many different keys an array holds
    Estimate(estimate::Cmd),
    /// Estimate how many keys two arrays have in common, and their Jaccard index
    Similarity(similarity::Cmd),
    /// Write a snapshot back into the array (all kinds but sliding; a recycling filter is cleared first)
    Restore(restore::Cmd),
    /// Serve the counters to Prometheus over HTTP
    Export(export::Cmd),
}

impl Cmd {
    /// Asks and prints.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let url = self.url.as_str();
        match self.what {
            What::Info => info::run(url, output)?,
            What::Configure(cmd) => cmd.run(url, output)?,
            What::Query(cmd) => cmd.run(url, output)?,
            What::Insert(cmd) => cmd.run(url, output)?,
            What::Remove(cmd) => cmd.run(url, output)?,
            What::Stats(cmd) => cmd.run(url, output)?,
            What::Watch(cmd) => cmd.run(url, output)?,
            What::Clear(cmd) => cmd.run(url, output)?,
            What::Rekey(cmd) => cmd.run(url, output)?,
            What::HostKey(cmd) => cmd.run(url, output)?,
            What::Recycle(cmd) => cmd.run(url, output)?,
            What::Snapshot(cmd) => cmd.run(url, output)?,
            What::Union(cmd) => cmd.run(url, output)?,
            What::Estimate(cmd) => cmd.run(url, output)?,
            What::Similarity(cmd) => cmd.run(url, output)?,
            What::Restore(cmd) => cmd.run(url, output)?,
            What::Export(cmd) => cmd.run(url, output)?,
        }
        Ok(Ending::Good)
    }
}
