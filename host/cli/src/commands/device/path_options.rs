//! Settings of packet paths that `configure` accepts: `[LANE.]CLASS=POLICY`, `[LANE=]on|off`, `[LANE=]BYTES`.

use crate::numbers;
use anyhow::bail;
use bloomline_driver::{Design, Part, Settings};
use bloomline_spec::{FrameClass, Policy};
use std::str::FromStr;

/// Why a setting is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// It is not of the form.
    #[error("{text:?} sets no class to a policy; give [LANE.]CLASS=POLICY, for example unseen=mark:8 or lane_0.bad=drop")]
    NoPolicy { text: String },
    /// There is no such class.
    #[error("no class of frames is called {word:?}; use one of {}", classes())]
    Class { word: String },
    /// There is no such policy.
    #[error(transparent)]
    Policy(#[from] bloomline_spec::UnknownPolicy),
    /// It is neither on nor off.
    #[error("expected on or off, got {word:?}")]
    Learn { word: String },
    /// It is no number.
    #[error("expected a number of bytes, such as 1518 or 9k, got {word:?}")]
    Bytes { word: String },
    /// The card has no such lane.
    #[error("{name} is no lane of this card; it has {has}")]
    Lane { name: String, has: String },
}

fn classes() -> String {
    let words: Vec<&str> = FrameClass::ALL.iter().map(|class| class.word()).collect();
    words.join(", ")
}

/// A setting, and the lane that it is for where it names one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfLane<S> {
    lane: Option<String>,
    setting: S,
}

/// What happens to the frames of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassPolicy(FrameClass, Policy);

/// Whether keys of frames are inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Learn(bool);

/// Bytes of the longest frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(u32);

/// `lane` and the rest of a text that begins with it.
fn split(text: &str, between: char) -> (Option<String>, &str) {
    match text.split_once(between) {
        Some((lane, rest)) => (Some(lane.to_owned()), rest),
        None => (None, text),
    }
}

impl FromStr for OfLane<ClassPolicy> {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let none = || SettingError::NoPolicy {
            text: text.to_owned(),
        };
        let (place, policy) = text.split_once('=').ok_or_else(none)?;
        let (lane, word) = split(place, '.');
        let class = FrameClass::ALL.iter().find(|class| class.word() == word);
        let &class = class.ok_or_else(|| SettingError::Class {
            word: word.to_owned(),
        })?;
        let setting = ClassPolicy(class, policy.parse()?);
        Ok(OfLane { lane, setting })
    }
}

impl FromStr for OfLane<Learn> {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let (lane, word) = split(text, '=');
        let setting = match word {
            "on" => Learn(true),
            "off" => Learn(false),
            _ => {
                let word = word.to_owned();
                return Err(SettingError::Learn { word });
            }
        };
        Ok(OfLane { lane, setting })
    }
}

impl FromStr for OfLane<Bytes> {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let (lane, word) = split(text, '=');
        let bytes = numbers::whole(word).ok();
        let bytes = bytes.and_then(|bytes| u32::try_from(bytes).ok());
        match bytes.map(Bytes) {
            Some(setting) => Ok(OfLane { lane, setting }),
            None => Err(SettingError::Bytes {
                word: word.to_owned(),
            }),
        }
    }
}

impl<S> OfLane<S> {
    /// The lanes that it is for.
    fn lanes(&self, design: &Design) -> Result<Vec<usize>, SettingError> {
        let all = 0..design.lanes();
        let Some(name) = &self.lane else {
            return Ok(all.collect());
        };
        let name_of = |lane| Part::of_lane(design, lane).to_string();
        match all.clone().find(|&lane| name_of(lane) == *name) {
            Some(lane) => Ok(vec![lane]),
            None => Err(SettingError::Lane {
                name: name.clone(),
                has: all.map(name_of).collect::<Vec<_>>().join(", "),
            }),
        }
    }
}

/// Settings with the lanes that each is for.
type Placed<S> = Vec<(usize, S)>;

fn placed<S: Copy>(settings: &[OfLane<S>], design: &Design) -> Result<Placed<S>, SettingError> {
    let mut placed = Vec::new();
    for of_lane in settings {
        let lanes = of_lane.lanes(design)?.into_iter();
        placed.extend(lanes.map(|lane| (lane, of_lane.setting)));
    }
    Ok(placed)
}

/// What was asked for, into `settings`; what names no lane is for every one there is.
///
/// # Errors
/// That there is no such lane, or none at all.
pub fn place(
    settings: &mut Settings,
    design: &Design,
    policies: &[OfLane<ClassPolicy>],
    learns: &[OfLane<Learn>],
    longest: &[OfLane<Bytes>],
) -> anyhow::Result<()> {
    let asked = policies.len() + learns.len() + longest.len();
    if asked > 0 && design.lanes() == 0 {
        bail!("--policy, --learn and --max-frame are for frames, and this card has no packet path: its specification has no [packet]");
    }
    let policies = placed(policies, design)?.into_iter();
    settings.policies = policies
        .map(|(lane, ClassPolicy(class, policy))| (lane, class, policy))
        .collect();
    let learns = placed(learns, design)?.into_iter();
    settings.learns = learns.map(|(lane, Learn(on))| (lane, on)).collect();
    let longest = placed(longest, design)?.into_iter();
    settings.max_frames = longest.map(|(lane, Bytes(bytes))| (lane, bytes)).collect();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_with_and_without_a_lane() {
        let policy = |text: &str| text.parse::<OfLane<ClassPolicy>>();
        let of = |lane: Option<&str>, class, policy| {
            Ok(OfLane {
                lane: lane.map(str::to_owned),
                setting: ClassPolicy(class, policy),
            })
        };
        assert_eq!(
            policy("unseen=mark:8"),
            of(None, FrameClass::Unseen, Policy::Mark(8))
        );
        assert_eq!(
            policy("lane_1.too-deep=drop"),
            of(Some("lane_1"), FrameClass::TooDeep, Policy::Drop)
        );
        let learn = "lane_0=off".parse::<OfLane<Learn>>().expect("is one");
        assert_eq!(
            (learn.lane.as_deref(), learn.setting),
            (Some("lane_0"), Learn(false))
        );
        let bytes = "9k".parse::<OfLane<Bytes>>().expect("is one");
        assert_eq!((bytes.lane, bytes.setting), (None, Bytes(9000)));
    }

    #[test]
    fn what_is_no_setting_is_refused_with_what_would_be() {
        let policy = |text: &str| {
            let refused = text.parse::<OfLane<ClassPolicy>>();
            refused.expect_err(text).to_string()
        };
        assert!(policy("drop").contains("lane_0.bad=drop"));
        assert!(policy("new=drop").contains("unseen, seen, other, truncated, malformed, too-deep"));
        assert!(policy("seen=mark:64").contains("a DSCP N from 0 to 63"));
        let learn = "yes".parse::<OfLane<Learn>>().expect_err("is none");
        assert_eq!(learn.to_string(), "expected on or off, got \"yes\"");
        assert!("lane_0=long".parse::<OfLane<Bytes>>().is_err());
    }
}
