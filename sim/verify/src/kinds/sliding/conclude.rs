//! Evaluates the statistics of a run into claims.

use super::outcome::{
    OverflowFound, RateTest, Share, SlackBand, SlackFound, SlidingVerification, WindowFound,
};
use super::report;
use super::statistics::{Band, SlidingStatistics};
use super::window::{Predicted, Window};
use crate::found::{FirstMismatch, Latency, Rate};
use crate::judge::{rate, state_result};
use crate::latency::LatencyProbe;
use crate::plan::Plan;
use crate::report::ReportData;
use crate::session::speed;
use crate::stats::{clopper_pearson, family_confidence, StatsError, Verdict, MINIMUM_EVENTS};
use crate::{VerifyError, CONFIDENCE};
use bloomline_bench::lockstep::{LockstepError, Outcome};
use bloomline_spec::FilterKind;

/// A run that has ended.
pub(super) struct Ended<'a, G: Window> {
    pub plan: &'a Plan,
    pub geometry: &'a G,
    pub skipped: u64,
    /// Items that were to be sent.
    pub planned: u64,
    pub test: RateTest,
    pub statistics: &'a SlidingStatistics<G::Filter>,
    pub finished: Option<Outcome>,
    pub mismatch: Option<LockstepError>,
    /// As of [`crate::session::clocks_of`].
    pub clocks: (u64, u64, u64),
    pub latency: LatencyProbe,
}

impl<G: Window> Ended<'_, G> {
    /// Draws the conclusions.
    pub fn conclude(self) -> Result<SlidingVerification, VerifyError> {
        let statistics = self.statistics;
        let (fpr, fpr_model_error) = self.rate()?;
        let state_test = state_result(&statistics.state);
        let slack = self.slack()?;
        let overflow = self.overflow()?;
        let latency = Latency::of(&self.latency);
        let first_mismatch = self.mismatch.as_ref().map(FirstMismatch::of);
        let unfinished = statistics.items < self.planned && self.finished.is_some();
        let mismatches = statistics.differing + u64::from(first_mismatch.is_some() || unfinished);
        let verdicts = [
            fpr.verdict,
            state_test.verdict,
            slack.verdict,
            overflow.verdict,
            latency.verdict,
        ];
        let failed = mismatches > 0
            || statistics.scan_late
            || statistics.forgotten > 0
            || slack.live_unseen > 0
            || verdicts.contains(&Verdict::Fail);
        let (span, scan_stall_cycles, control_stall_cycles) = self.clocks;
        let mut result = SlidingVerification {
            verdict: if failed { Verdict::Fail } else { Verdict::Pass },
            kind: FilterKind::Sliding,
            source: self.plan.keys.name(),
            items: statistics.items,
            elements: statistics.elements(),
            questions: statistics.questions,
            skipped: self.skipped,
            mismatches,
            cycles: self.finished.map_or(0, |outcome| outcome.clocks),
            items_per_cycle: if span == 0 {
                0.0
            } else {
                statistics.items as f64 / span as f64
            },
            scan_stall_cycles,
            held_by: G::HELD_BY,
            control_stall_cycles,
            scan_late: statistics.scan_late,
            cycles_per_second: speed(self.finished),
            lost_keys: statistics.forgotten,
            window: WindowFound {
                asked: statistics.inside.trials,
                seen: statistics.inside.hits,
                forgotten_after_loss: statistics.forgotten_after_loss,
            },
            fpr,
            fpr_test: self.test,
            fpr_model_error,
            target_fpr: self.geometry.promise().target_fpr,
            state_test,
            slack,
            overflow,
            latency,
            first_mismatch,
            report: ReportData::default(),
        };
        result.report = report::report(&result, &statistics.running, self.latency)?;
        Ok(result)
    }

    /// The rate of absent keys: two-sided against the prediction, or not above eps.
    fn rate(&self) -> Result<(Rate, f64), VerifyError> {
        let predicted = self.geometry.rate()?;
        let model_error = predicted.value * predicted.accuracy.relative_error;
        let outside = self.statistics.outside;
        let measured = rate(
            outside.hits,
            outside.trials,
            Some(predicted.value),
            model_error,
        )?;
        let (verdict, reason) = match self.test {
            RateTest::Prediction => (measured.verdict, measured.reason.clone()),
            RateTest::AtMostTarget => at_most(
                &measured,
                outside.trials,
                self.geometry.promise().target_fpr,
            ),
        };
        Ok((
            Rate {
                verdict,
                reason,
                ..measured
            },
            model_error,
        ))
    }

    fn slack(&self) -> Result<SlackFound, VerifyError> {
        let bands = &self.statistics.bands;
        let confidence = family_confidence(1.0 - CONFIDENCE, bands.len())?;
        let bands = bands
            .iter()
            .map(|band| self.band(band, confidence))
            .collect::<Result<Vec<_>, _>>()?;
        let all = |verdict| bands.iter().all(|band| band.verdict == verdict);
        let verdict = if bands.iter().any(|band| band.verdict == Verdict::Fail) {
            Verdict::Fail
        } else if all(Verdict::Pass) {
            Verdict::Pass
        } else if all(Verdict::NotApplicable) {
            Verdict::NotApplicable
        } else {
            Verdict::Inconclusive
        };
        Ok(SlackFound {
            bands,
            live_unseen: self.statistics.live_unseen,
            verdict,
        })
    }

    fn band(&self, band: &Band, confidence: f64) -> Result<SlackBand, StatsError> {
        let (asked, seen) = (band.tally.trials, band.tally.hits);
        let interval = clopper_pearson(seen, asked.max(1), confidence)?;
        let [predicted, predicted_most] =
            [band.expected, band.most].map(|sum| sum / asked.max(1) as f64);
        Ok(SlackBand {
            from: band.from,
            to: band.to,
            asked,
            seen,
            measured: seen as f64 / asked.max(1) as f64,
            ci_low: interval.low,
            ci_high: interval.high,
            confidence,
            predicted,
            predicted_most,
            verdict: if self.test == RateTest::AtMostTarget {
                Verdict::NotApplicable
            } else if asked < MINIMUM_EVENTS {
                Verdict::Inconclusive
            } else if interval.low <= predicted_most && predicted <= interval.high {
                Verdict::Pass
            } else {
                Verdict::Fail
            },
        })
    }

    fn overflow(&self) -> Result<OverflowFound, VerifyError> {
        let (predicted, lost) = self.geometry.overflow()?;
        let (all, steady) = (self.statistics.insertions, self.statistics.steady);
        let share = |(count, predicted): (u64, Predicted)| Share {
            key: predicted.key,
            place: predicted.place,
            measured: count as f64 / steady.all.max(1) as f64,
            predicted: predicted.share,
        };
        let lost_expected = lost * all.all as f64;
        Ok(OverflowFound {
            insertions: all.all,
            shares: steady
                .further
                .into_iter()
                .zip(predicted)
                .map(share)
                .collect(),
            lost: all.lost,
            lost_expected,
            // the formula is no bound: where it predicts losses, their number decides nothing
            verdict: match (all.lost, lost_expected < 1.0 - CONFIDENCE) {
                (_, false) => Verdict::NotApplicable,
                (0, true) => Verdict::Pass,
                (_, true) => Verdict::Fail,
            },
        })
    }
}

/// Whether a rate is at most `target`: fail when its whole interval lies above, pass when all of it lies below.
fn at_most(measured: &Rate, trials: u64, target: f64) -> (Verdict, String) {
    if trials == 0 {
        let reason = "no element outside window and slack was asked for";
        (Verdict::NotApplicable, reason.to_owned())
    } else if measured.ci_low > target {
        let reason = "the whole interval lies above target_fpr";
        (Verdict::Fail, reason.to_owned())
    } else if measured.ci_high <= target {
        (Verdict::Pass, String::new())
    } else {
        let reason = "target_fpr lies in the interval; more items make it narrower";
        (Verdict::Inconclusive, reason.to_owned())
    }
}
