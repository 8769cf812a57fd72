use super::link::identified;
use super::path_and_ports;
use super::path_options::{self, Bytes, ClassPolicy, Learn, OfLane};
use super::readings::ticks_in_ms;
use super::secret;
use crate::activity::Activity;
use crate::numbers;
use crate::output::Output;
use bloomline_driver::{DriverError, NewSecret};
use bloomline_spec::{Design, TICK_CLOCKS};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `configure`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    #[command(flatten)]
    settings: Settings,
}

/// What to set.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
struct Settings {
    /// Threshold: bits set or messages of one half, or the count from which a key is reported
    #[arg(long, value_name = "N", value_parser = numbers::whole)]
    threshold: Option<u64>,
    /// Longest time a half of a recycling filter stays active; 0 for no limit
    #[arg(long, value_name = "MS", value_parser = numbers::whole)]
    max_age_ms: Option<u64>,
    /// Hash with the secret in this file from then on: 32 hexadecimal digits, `-` for stdin. Two phases keep the half that
    /// freezes, any other filter is emptied
    #[arg(long, value_name = "FILE")]
    rekey: Option<PathBuf>,
    /// Empty the filter with the rekey, whatever its kind
    #[arg(long, requires = "rekey")]
    clear: bool,
    /// What happens to the frames of a class (unseen, seen, other, truncated, malformed, too-deep, oversize, bad): pass, drop or
    /// mark:DSCP. Of one lane of a line card with LANE (lane_0, lane_1), else of every lane. May be given again
    #[arg(long, value_name = "[LANE.]CLASS=POLICY")]
    policy: Vec<OfLane<ClassPolicy>>,
    /// Insert the keys of frames as they are looked up (on), or look them up only (off). May be given again
    #[arg(long, value_name = "[LANE=]on|off")]
    learn: Vec<OfLane<Learn>>,
    /// Bytes of the longest frame that is not oversize, without FCS. May be given again
    #[arg(long, value_name = "[LANE=]BYTES")]
    max_frame: Vec<OfLane<Bytes>>,
}

/// What stands in the device afterwards.
#[derive(Serialize)]
struct Configured {
    filter: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_age_ticks: Option<u32>,
    rekeyed: bool,
    /// Of a rekey: what was inserted before is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    emptied: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<path_and_ports::Path>,
}

impl Cmd {
    /// Sets what is asked for and prints what the device says then.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let secret = self
            .settings
            .rekey
            .as_deref()
            .map(|file| secret::read("--rekey", file))
            .transpose()?;
        let device = identified(url, &self.spec)?;
        let settings = self.settings.of_device(device.design(), secret)?;
        if secret.is_some() && device.design().is_keyed() {
            secret::warn_of_the_network(url, "secret");
        }
        // over a slow UART, or one that is simulated, it takes a while
        let activity = Activity::begin(format!("{url}: configuring"));
        let configured = device.configure(&settings);
        configured.map_err(|error| match (error, self.settings.max_age_ms) {
            (error @ DriverError::MaxAge { .. }, Some(ms)) => {
                anyhow::Error::new(error).context(format!("--max-age-ms {ms}"))
            }
            (error, _) => error.into(),
        })?;
        let sample = device.sample()?;
        drop(activity);
        let configured = Configured {
            filter: device.design().common().name().to_owned(),
            threshold: sample.threshold,
            max_age_ticks: sample.max_age_ticks,
            rekeyed: secret.is_some(),
            emptied: secret.map(|_| secret::empties(device.design(), self.settings.clear)),
            paths: path_and_ports::Path::settings(device.design(), &sample),
        };
        let clock_hz = device.design().common().clock_hz();
        output.result(&configured, || as_text(&configured, clock_hz))
    }
}

impl Settings {
    /// The settings as the driver takes them.
    fn of_device(
        &self,
        design: &Design,
        secret: Option<u128>,
    ) -> anyhow::Result<bloomline_driver::Settings> {
        let clear = self.clear;
        let mut settings = bloomline_driver::Settings {
            threshold: self.threshold,
            max_age: self.max_age_ms.map(Duration::from_millis),
            secret: secret.map(|secret| NewSecret { secret, clear }),
            ..Default::default()
        };
        let (policies, learns, longest) = (&self.policy, &self.learn, &self.max_frame);
        path_options::place(&mut settings, design, policies, learns, longest)?;
        Ok(settings)
    }
}

fn as_text(configured: &Configured, clock_hz: u64) -> String {
    let mut lines = vec![configured.filter.clone()];
    if let Some(threshold) = configured.threshold {
        lines.push(format!("threshold      {threshold}"));
    }
    if let Some(ticks) = configured.max_age_ticks {
        let ms = ticks_in_ms(ticks, clock_hz);
        lines.push(match ticks {
            0 => "maximum age    no limit".to_owned(),
            _ => format!("maximum age    {ticks} ticks of {TICK_CLOCKS} clocks, {ms:.3} ms"),
        });
    }
    if configured.rekeyed {
        lines.push(match configured.emptied {
            Some(true) => "hash           under the new secret, and the filter is empty".to_owned(),
            _ => "hash           under the new secret".to_owned(),
        });
    }
    lines.join("\n") + &path_and_ports::paths_as_text(&configured.paths)
}
