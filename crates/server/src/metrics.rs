//! The operator's metrics, in the Prometheus format.

use crate::load::LoadLimit;
use actix_web::http::{Method, StatusCode};
use octavo_app::{ContentMemory, Quota, WorkKind};
use octavo_core_model::{Bucket, consumer::ConsumerName};
use prometheus::{
    Encoder, Gauge, GaugeVec, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec,
    Opts, Registry, TextEncoder, core::Collector,
};
use std::time::Duration;

/// The common label of unknown paths and verbs: clients must not be able to create labels.
const UNMATCHED: &str = "unmatched";

const BUCKETS: &[f64] = &[0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// All metric families. No label names a user, a workspace or a resource.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    request_seconds: HistogramVec,
    in_flight: IntGauge,
    rate_limited: IntCounterVec,
    overload_refused: IntCounterVec,
    query_seconds: Histogram,
    pool: IntGaugeVec,
    jobs_queued: IntGaugeVec,
    job_seconds: HistogramVec,
    job_failures: IntCounterVec,
    event_lag: Gauge,
    search_lag: Gauge,
    consumer_lag: GaugeVec,
    events_set_aside: IntGaugeVec,
    compute_jobs: IntGaugeVec,
    compute_wait: HistogramVec,
    compute_ends: IntCounterVec,
    content_bytes: IntGauge,
    content_refused: IntCounter,
    table_bytes: IntGauge,
    body_bytes: IntGauge,
    body_refused: IntCounter,
}

impl Metrics {
    #[allow(clippy::too_many_lines, reason = "one entry for each family")]
    fn new() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let keep = Families(&registry);
        let call = &["method", "route", "status"];
        let statements = HistogramOpts::new("octavo_db_query_duration_seconds", "Time of database statements.");
        let metrics = Self {
            requests: keep.counters("octavo_http_requests_total", "Answered requests.", call)?,
            request_seconds: keep.histograms(
                "octavo_http_request_duration_seconds",
                "Time from the head of a request to its answer.",
                call,
            )?,
            in_flight: keep.one(IntGauge::new("octavo_http_in_flight", "Requests being served.")?)?,
            rate_limited: keep.counters("octavo_rate_limited_total", "Calls a bucket refused.", &["bucket"])?,
            overload_refused: keep.counters("octavo_overload_refused_total", "Calls refused by load.", &["limit"])?,
            query_seconds: keep.one(Histogram::with_opts(statements.buckets(BUCKETS.to_vec()))?)?,
            pool: keep.gauges("octavo_db_pool_connections", "Database connections.", &["state"])?,
            jobs_queued: keep.gauges("octavo_jobs_queued", "Jobs that wait.", &["queue"])?,
            job_seconds: keep.histograms("octavo_job_duration_seconds", "Time of jobs.", &["queue"])?,
            job_failures: keep.counters("octavo_job_failures_total", "Attempts of jobs that failed.", &["queue"])?,
            event_lag: keep
                .one(Gauge::new("octavo_event_log_lag_seconds", "Age of the oldest event nobody can read yet.")?)?,
            search_lag: keep.one(Gauge::new(
                "octavo_search_lag_seconds",
                "How long the search index of the node has been behind an event log.",
            )?)?,
            consumer_lag: keep.one(GaugeVec::new(
                Opts::new("octavo_event_consumer_lag_seconds", "Age of the oldest event a consumer has not handled."),
                &["consumer"],
            )?)?,
            events_set_aside: keep.gauges(
                "octavo_events_set_aside",
                "Events a consumer could not handle.",
                &["consumer"],
            )?,
            compute_jobs: keep.gauges("octavo_compute_jobs", "Jobs of the compute pool.", &["kind", "state"])?,
            compute_wait: keep.histograms(
                "octavo_compute_wait_seconds",
                "Time that jobs of the compute pool waited before they began.",
                &["kind"],
            )?,
            compute_ends: keep.counters(
                "octavo_compute_unfinished_total",
                "Jobs that found no place in the queue, or whose callers waited no longer.",
                &["kind", "reason"],
            )?,
            content_bytes: keep.one(IntGauge::new(
                "octavo_content_memory_bytes",
                "Page content that calls have in memory, without small pages.",
            )?)?,
            content_refused: keep.one(IntCounter::new(
                "octavo_content_memory_refused_total",
                "Calls that were refused because too much page content was in memory.",
            )?)?,
            table_bytes: keep
                .one(IntGauge::new("octavo_table_memory_bytes", "Tables of records that queries keep in memory.")?)?,
            body_bytes: keep.one(IntGauge::new(
                "octavo_body_memory_bytes",
                "Request bodies that arrive or are in use, without small ones.",
            )?)?,
            body_refused: keep.one(IntCounter::new(
                "octavo_body_memory_refused_total",
                "Calls that were refused because there was no room for their body.",
            )?)?,
            registry: registry.clone(),
        };
        let build = keep.gauges("octavo_build_info", "The running release.", &["version"])?;
        build.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1);
        #[cfg(target_os = "linux")]
        registry.register(Box::new(prometheus::process_collector::ProcessCollector::for_self()))?;
        metrics.show_every_family();
        Ok(metrics)
    }

    /// A family without a member prints nothing, not even its type, so that an alert on it would look misspelled.
    fn show_every_family(&self) {
        let labels = ["GET", UNMATCHED, "4xx"];
        self.requests.with_label_values(&labels);
        self.request_seconds.with_label_values(&labels);
        for bucket in Bucket::ALL {
            self.rate_limited.with_label_values(&[bucket.name()]);
        }
        for limit in LoadLimit::ALL {
            self.overload_refused.with_label_values(&[limit.name()]);
        }
        for queue in octavo_core_model::chore::Queue::ALL {
            self.jobs_queued.with_label_values(&[queue.name()]);
            self.job_seconds.with_label_values(&[queue.name()]);
            self.job_failures.with_label_values(&[queue.name()]);
        }
        for consumer in ConsumerName::ALL {
            self.consumer(*consumer, 0.0, 0);
        }
        for kind in WorkKind::ALL {
            self.compute(kind);
        }
        for state in ["idle", "used"] {
            self.pool.with_label_values(&[state]);
        }
    }

    pub(crate) fn request_began(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    #[cfg(test)]
    pub(crate) fn calls_under_way(&self) -> i64 {
        self.in_flight.get()
    }

    /// `route` is the verb and the path that the route of the call declares.
    pub(crate) fn request_ended(
        &self,
        method: &Method,
        route: Option<(&Method, &str)>,
        status: StatusCode,
        took: Duration,
    ) {
        let (method, route) = match route {
            Some((method, path)) => (method.as_str(), path),
            None => (known_verb(method), UNMATCHED),
        };
        let labels = [method, route, class(status)];
        self.requests.with_label_values(&labels).inc();
        self.request_seconds.with_label_values(&labels).observe(took.as_secs_f64());
    }

    pub(crate) fn rate_limited(&self, bucket: Bucket) {
        self.rate_limited.with_label_values(&[bucket.name()]).inc();
    }

    pub(crate) fn refused_by_load(&self, limit: LoadLimit) {
        self.overload_refused.with_label_values(&[limit.name()]).inc();
    }

    pub fn query_took(&self, took: Duration) {
        self.query_seconds.observe(took.as_secs_f64());
    }

    /// The metrics of compute jobs of one kind.
    pub fn compute(&self, kind: WorkKind) -> ComputeMetrics {
        let kind = kind.name();
        ComputeMetrics {
            waiting: self.compute_jobs.with_label_values(&[kind, "waiting"]),
            running: self.compute_jobs.with_label_values(&[kind, "running"]),
            wait: self.compute_wait.with_label_values(&[kind]),
            refused: self.compute_ends.with_label_values(&[kind, "refused"]),
            cancelled: self.compute_ends.with_label_values(&[kind, "cancelled"]),
        }
    }

    /// `state` is `idle` or `used`.
    pub fn pool_holds(&self, state: &str, connections: i64) {
        self.pool.with_label_values(&[state]).set(connections);
    }

    pub fn jobs_wait(&self, queue: &str, count: i64) {
        self.jobs_queued.with_label_values(&[queue]).set(count);
    }

    pub fn job_ended(&self, queue: &str, took: Duration, failed: bool) {
        self.job_seconds.with_label_values(&[queue]).observe(took.as_secs_f64());
        if failed {
            self.job_failures.with_label_values(&[queue]).inc();
        }
    }

    /// How far a consumer is behind, and how many events it could not handle.
    pub fn consumer(&self, consumer: ConsumerName, lag_seconds: f64, set_aside: u64) {
        self.consumer_lag.with_label_values(&[consumer.name()]).set(lag_seconds);
        let set_aside = i64::try_from(set_aside).unwrap_or(i64::MAX);
        self.events_set_aside.with_label_values(&[consumer.name()]).set(set_aside);
    }

    pub(crate) fn search_lag(&self, seconds: f64) {
        self.search_lag.set(seconds);
    }

    pub fn events_lag(&self, seconds: f64) {
        self.event_lag.set(seconds);
    }

    pub(crate) fn content_memory(&self, memory: &ContentMemory) {
        self.content_bytes.set(i64::try_from(memory.used()).unwrap_or(i64::MAX));
        // Metrics are served by one thread, so no difference is added twice.
        self.content_refused.inc_by(memory.refused().saturating_sub(self.content_refused.get()));
    }

    pub(crate) fn table_memory(&self, bytes: u64) {
        self.table_bytes.set(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    pub(crate) fn body_memory(&self, memory: &Quota) {
        self.body_bytes.set(i64::try_from(memory.used()).unwrap_or(i64::MAX));
    }

    pub(crate) fn body_refused(&self) {
        self.body_refused.inc();
    }

    #[cfg(test)]
    pub(crate) fn bodies_refused(&self) -> u64 {
        self.body_refused.get()
    }

    /// All families in the text format.
    pub fn render(&self) -> Vec<u8> {
        let mut text = Vec::new();
        // Writing to memory cannot fail, and the families were checked when they were registered.
        let _ = TextEncoder::new().encode(&self.registry.gather(), &mut text);
        text
    }
}

impl Default for Metrics {
    #[expect(clippy::expect_used, reason = "names and labels are fixed, so a family either always registers or never")]
    fn default() -> Self {
        Self::new().expect("valid metric families")
    }
}

/// The metrics of compute jobs of one kind.
#[derive(Clone, Debug)]
pub struct ComputeMetrics {
    waiting: IntGauge,
    running: IntGauge,
    wait: Histogram,
    refused: IntCounter,
    cancelled: IntCounter,
}

impl ComputeMetrics {
    /// Counts a job as waiting until the returned value is dropped.
    pub fn waits(&self) -> Counted {
        Counted::in_gauge(&self.waiting)
    }

    /// Counts a job as running until the returned value is dropped.
    pub fn runs(&self) -> Counted {
        Counted::in_gauge(&self.running)
    }

    pub fn waited(&self, time: Duration) {
        self.wait.observe(time.as_secs_f64());
    }

    pub fn was_refused(&self) {
        self.refused.inc();
    }

    pub fn was_cancelled(&self) {
        self.cancelled.inc();
    }

    /// How many jobs are waiting, are running, were refused and were cancelled.
    pub fn counts(&self) -> [i64; 4] {
        let total = |counter: &IntCounter| i64::try_from(counter.get()).unwrap_or(i64::MAX);
        [self.waiting.get(), self.running.get(), total(&self.refused), total(&self.cancelled)]
    }
}

/// Counts something for as long as this value exists.
#[derive(Debug)]
pub struct Counted(IntGauge);

impl Counted {
    fn in_gauge(gauge: &IntGauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Counts a request as being served until this is dropped, even if its client hangs up.
#[derive(Debug)]
pub(crate) struct InFlight(IntGauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() {
        100..=199 => "1xx",
        200..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    }
}

fn known_verb(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|verb| *verb == method.as_str()).unwrap_or(UNMATCHED)
}

/// Registers families as they are created.
struct Families<'a>(&'a Registry);

impl Families<'_> {
    fn one<C: Collector + Clone + 'static>(&self, family: C) -> prometheus::Result<C> {
        self.0.register(Box::new(family.clone()))?;
        Ok(family)
    }

    fn counters(&self, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<IntCounterVec> {
        self.one(IntCounterVec::new(Opts::new(name, help), labels)?)
    }

    fn gauges(&self, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<IntGaugeVec> {
        self.one(IntGaugeVec::new(Opts::new(name, help), labels)?)
    }

    fn histograms(&self, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<HistogramVec> {
        self.one(HistogramVec::new(HistogramOpts::new(name, help).buckets(BUCKETS.to_vec()), labels)?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn every_family_shows_its_type_from_the_start() {
        let text = String::from_utf8(Metrics::default().render()).unwrap();
        for family in [
            "octavo_http_requests_total counter",
            "octavo_http_request_duration_seconds histogram",
            "octavo_http_in_flight gauge",
            "octavo_db_query_duration_seconds histogram",
            "octavo_db_pool_connections gauge",
            "octavo_jobs_queued gauge",
            "octavo_job_duration_seconds histogram",
            "octavo_job_failures_total counter",
            "octavo_event_log_lag_seconds gauge",
            "octavo_event_consumer_lag_seconds gauge",
            "octavo_search_lag_seconds gauge",
            "octavo_events_set_aside gauge",
            "octavo_compute_jobs gauge",
            "octavo_compute_wait_seconds histogram",
            "octavo_compute_unfinished_total counter",
            "octavo_content_memory_bytes gauge",
            "octavo_content_memory_refused_total counter",
            "octavo_table_memory_bytes gauge",
            "octavo_body_memory_bytes gauge",
            "octavo_body_memory_refused_total counter",
            "octavo_rate_limited_total counter",
            "octavo_overload_refused_total counter",
            "octavo_build_info gauge",
            "process_resident_memory_bytes gauge",
        ] {
            assert!(text.contains(&format!("# TYPE {family}\n")), "{family}\n{text}");
        }
    }

    #[test]
    fn made_up_verbs_and_paths_share_one_label() {
        let metrics = Metrics::default();
        let before = metrics.requests.clone();
        for verb in ["BREW", "WHEN"] {
            let verb = Method::from_bytes(verb.as_bytes()).unwrap();
            metrics.request_ended(&verb, None, StatusCode::NOT_FOUND, Duration::ZERO);
        }
        assert_eq!(before.with_label_values(&[UNMATCHED, UNMATCHED, "4xx"]).get(), 2);
    }
}
