//! Evaluates the statistics of a run into claims.

use super::law::Law;
use super::outcome::{
    Bound, CellVerification, CountMinFound, CountingFound, Details, HotKey, Quantile, StaticFound,
};
use super::report;
use super::script::{Purpose, Script};
use super::statistics::{errors, CellStatistics};
use crate::found::{FirstMismatch, Latency, Rate};
use crate::judge::{interval, normal, rate, rate_at_most, state_result};
use crate::latency::LatencyProbe;
use crate::plan::Plan;
use crate::report::ReportData;
use crate::session::speed;
use crate::stats::Verdict;
use crate::{VerifyError, CONFIDENCE};
use bloomline_bench::lockstep::{LockstepError, Outcome};
use bloomline_spec::{CellGeometry, CellKind};

/// Keys shown.
const TOP: usize = 10;
/// Shares of keys at which errors are given.
const SHARES: [f64; 4] = [0.5, 0.9, 0.99, 0.999];
/// Failure probabilities at which the bound is tried.
const FAILURES: [f64; 3] = [0.1, 0.01, 0.001];

/// A run that has ended.
pub(super) struct Ended<'a> {
    pub plan: &'a Plan,
    pub geometry: &'a CellGeometry,
    pub law: Law,
    /// Records without a key.
    pub skipped: u64,
    pub script: &'a Script,
    pub statistics: &'a CellStatistics,
    pub finished: Option<Outcome>,
    pub mismatch: Option<LockstepError>,
    /// As of [`crate::session::clocks_of`].
    pub clocks: (u64, u64, u64),
    pub latency: LatencyProbe,
}

/// What one kind's own conclusion gives.
struct Found {
    fpr: Rate,
    model_error: f64,
    details: Details,
    failed: bool,
}

impl Ended<'_> {
    /// Draws the conclusions.
    pub fn conclude(self) -> Result<CellVerification, VerifyError> {
        let found = match self.geometry.cell_kind() {
            CellKind::Counting => self.counting(),
            CellKind::CountMin => self.count_min(),
            CellKind::Static => self.fixed(),
        }?;
        let statistics = self.statistics;
        let state_test = state_result(&statistics.state);
        let first_mismatch = self.mismatch.as_ref().map(FirstMismatch::of);
        let latency = Latency::of(&self.latency);
        let unfinished = statistics.items < self.script.items.len() as u64;
        let mismatches = statistics.differing
            + u64::from(first_mismatch.is_some() || (unfinished && self.finished.is_some()));
        let conservative = statistics.plain.as_ref().map(|plain| plain.found());
        let failed = found.failed
            || conservative
                .as_ref()
                .is_some_and(|found| found.above_plain > 0)
            || mismatches > 0
            || statistics.lost > 0
            || found.fpr.verdict == Verdict::Fail
            || state_test.verdict == Verdict::Fail
            || latency.verdict == Verdict::Fail;
        let (span, not_ready_running, not_ready_control) = self.clocks;
        let mut result = CellVerification {
            verdict: if failed { Verdict::Fail } else { Verdict::Pass },
            kind: self.geometry.kind(),
            source: self.plan.keys.name(),
            items: statistics.items,
            distinct_keys: self.distinct(),
            skipped: self.skipped,
            mismatches,
            cycles: self.finished.map_or(0, |outcome| outcome.clocks),
            items_per_cycle: if span == 0 {
                0.0
            } else {
                statistics.items as f64 / span as f64
            },
            stall_cycles: not_ready_running + not_ready_control,
            cycles_per_second: speed(self.finished),
            lost_keys: statistics.lost,
            fpr: found.fpr,
            fpr_model_error: found.model_error,
            state_test,
            state_tested: statistics.cells_give_rate,
            latency,
            conservative,
            details: found.details,
            first_mismatch,
            report: ReportData::default(),
        };
        result.report = report::report(&result, statistics, self.law, self.geometry, self.latency)?;
        Ok(result)
    }

    /// Distinct keys of the source: fresh ones stand behind them in the script.
    fn distinct(&self) -> u64 {
        let fresh = match self.geometry.cell_kind() {
            CellKind::CountMin => self.statistics.absent.0,
            CellKind::Static | CellKind::Counting => 0,
        };
        self.script.keys.len() as u64 - fresh
    }

    fn fixed(&self) -> Result<Found, VerifyError> {
        let (queried, hits) = self.statistics.absent;
        // The mean rate of the filters, and what the mean of independent ones deviates by.
        let filters = self.script.fills.len().max(1) as f64;
        let (mut predicted, mut variance) = (Some(0.0), 0.0);
        for fill in &self.script.fills {
            let law = self.law.rate(*fill)?;
            predicted = predicted
                .zip(law)
                .map(|(sum, (rate, _))| sum + rate / filters);
            variance += law.map_or(0.0, |(_, deviation)| (deviation / filters).powi(2));
        }
        let model_error = normal(CONFIDENCE) * variance.sqrt();
        Ok(Found {
            fpr: rate(hits, queried, predicted, model_error)?,
            model_error,
            details: Details::Static(StaticFound {
                inserted: self.script.fill,
                queried,
                false_positives: hits,
            }),
            failed: false,
        })
    }

    fn counting(&self) -> Result<Found, VerifyError> {
        let statistics = self.statistics;
        let Some(alarms) = &statistics.alarms else {
            unreachable!("a counting filter's statistics follow its alarms")
        };
        let keys = alarms.at_risk.max(1) as f64;
        let predicted = alarms.predicted().then_some(alarms.expected);
        let model_error = normal(CONFIDENCE) * alarms.deviation() / keys;
        let counts = self.counts_before_removal();
        let (hot_keys, never_hot) = (alarms.hot, alarms.never_hot());
        let judge = if self.geometry.conservative() {
            rate_at_most
        } else {
            rate
        };
        Ok(Found {
            fpr: judge(
                alarms.alarmed,
                alarms.at_risk,
                predicted.map(|expected| expected / keys),
                model_error,
            )?,
            model_error,
            details: Details::Counting(CountingFound {
                arrivals: self.script.fill,
                threshold: self.geometry.threshold(),
                window: self.geometry.window(),
                hot_keys,
                hot_keys_found: alarms.found,
                false_alarms: alarms.alarmed,
                false_alarms_predicted: predicted,
                never_hot,
                removed: statistics.removed,
                underflows: statistics.underflows,
                saturated: statistics.saturated,
                top: self.top(&counts, |_| None),
            }),
            failed: statistics.underflows > 0 || alarms.found != hot_keys,
        })
    }

    /// The counts of all keys, with the removals at the end put back.
    fn counts_before_removal(&self) -> Vec<u64> {
        let mut counts = self.statistics.counts.clone();
        for item in &self.script.items {
            counts[item.key as usize] += u64::from(item.purpose == Purpose::Remove);
        }
        counts
    }

    fn count_min(&self) -> Result<Found, VerifyError> {
        let statistics = self.statistics;
        let total = statistics.total_a_filter().max(1);
        let (threshold, max) = (self.geometry.threshold(), self.geometry.cell_max());
        let errors = errors(statistics, max);
        let of_share = |share: f64| {
            let place = (share * errors.len() as f64).ceil() as usize;
            errors.get(place.saturating_sub(1)).copied().unwrap_or(0)
        };
        let shares = SHARES.iter().filter(|_| !errors.is_empty());
        let quantiles = shares.map(|&share| Quantile {
            share,
            error: of_share(share),
            error_share: of_share(share) as f64 / total as f64,
        });
        let mut bounds = Vec::new();
        for failure in FAILURES {
            let Some(epsilon) = self.law.error_bound(total, failure)? else {
                continue;
            };
            let least = epsilon * total as f64;
            let above = errors.len() - errors.partition_point(|error| (*error as f64) < least);
            let interval = interval(above as u64, errors.len() as u64)?;
            bounds.push(Bound {
                failure,
                epsilon,
                measured: above as f64 / errors.len().max(1) as f64,
                ci_low: interval.low,
                verdict: if errors.is_empty() {
                    Verdict::NotApplicable
                } else if interval.low > failure {
                    Verdict::Fail
                } else {
                    Verdict::Pass
                },
            });
        }
        let heavy: Vec<u32> = statistics.heavy().collect();
        let is_heavy = |key: u32| statistics.counts[key as usize] >= u64::from(threshold);
        let reported = || {
            let estimates = statistics.estimates.iter();
            estimates.filter(|(_, estimate)| *estimate >= threshold)
        };
        let (reported_keys, right) = (
            reported().count() as u64,
            reported().filter(|(key, _)| is_heavy(*key)).count() as u64,
        );
        let part = |of: u64| (of > 0).then(|| right as f64 / of as f64);
        let asked = statistics.estimates.len() as u64;
        let light = asked.saturating_sub(heavy.len() as u64);
        let failed_bound = bounds.iter().any(|bound| bound.verdict == Verdict::Fail);
        let estimates: std::collections::HashMap<u32, u32> =
            statistics.estimates.iter().copied().collect();
        Ok(Found {
            fpr: rate(reported_keys - right, light, None, 0.0)?,
            model_error: 0.0,
            details: Details::CountMin(CountMinFound {
                arrivals: self.script.fill,
                total: statistics.total,
                clipped: self.script.clipped,
                threshold,
                heavy_keys: heavy.len() as u64,
                reported_keys,
                heavy_keys_found: right,
                precision: part(reported_keys),
                recall: part(heavy.len() as u64),
                mean_error: (!errors.is_empty())
                    .then(|| errors.iter().sum::<u64>() as f64 / errors.len() as f64),
                quantiles: quantiles.collect(),
                bounds,
                saturated: asked - errors.len() as u64,
                fresh_level: statistics.absent_level(),
                top: self.top(&statistics.counts, |key| estimates.get(&key).copied()),
            }),
            failed: failed_bound || (statistics.saturated == 0 && right < heavy.len() as u64),
        })
    }

    /// The keys with the greatest counts.
    fn top(&self, counts: &[u64], estimate: impl Fn(u32) -> Option<u32>) -> Vec<HotKey> {
        let mut order: Vec<usize> = (0..counts.len()).collect();
        order.sort_by_key(|&key| (std::cmp::Reverse(counts[key]), key));
        order
            .into_iter()
            .take(TOP)
            .filter(|&key| counts[key] > 0)
            .map(|key| HotKey {
                key: self.script.keys[key].to_string(),
                count: counts[key],
                estimate: estimate(key as u32),
            })
            .collect()
    }
}
