//! Metrics of the files that are read again when they change: certificates, and who may call.

use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use super::labels::File;
use super::{counted, measured};

/// Counters of all such files. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct FileCounts {
    failed: Family<File, Counter>,
    successful: Family<File, Gauge>,
    /// Only of a service that has a certificate: of another one, it would seem to have ended in 1970.
    validity: Option<ValidityGauges>,
}

/// Counters of the files of one setting. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Reloads {
    failed: Counter,
    successful: Gauge,
}

/// From when until when the certificate is valid. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct ValidityGauges {
    not_before: Gauge,
    not_after: Gauge,
}

impl FileCounts {
    /// Registers the counters, those of a certificate if there is one, and returns them.
    pub(super) fn registered(registry: &mut Registry, has_certificate: bool) -> Self {
        let failed = counted(registry, "reload_failures", "Times that changed files could not be used");
        let about = "Whether files could be used when they were last read; if not, what they contained before is";
        let successful = counted(registry, "reload_successful", about);
        let validity = has_certificate.then(|| {
            let mut since_1970 = |name, about| measured(registry, name, about, Unit::Seconds);
            ValidityGauges {
                not_before: since_1970("tls_certificate_not_before", "When the certificate became valid, since 1970"),
                not_after: since_1970("tls_certificate_not_after", "When the certificate expires, since 1970"),
            }
        });
        Self { failed, successful, validity }
    }

    /// Returns the counters of the files of a setting, whose series exist from then on.
    pub(super) fn of(&self, setting: &'static str) -> Reloads {
        let file = File { file: setting };
        let successful = self.successful.get_or_create(&file).clone();
        Reloads { failed: self.failed.get_or_create(&file).clone(), successful }
    }

    /// Returns the gauges of the certificate; `None` if the service has none.
    pub(super) fn validity(&self) -> Option<ValidityGauges> {
        self.validity.clone()
    }
}

impl Reloads {
    /// Says that the files can be used, whether they have changed or not.
    pub(crate) fn succeeded(&self) {
        self.successful.set(1);
    }

    /// Counts files that cannot be used. Called once for as long as the same is wrong with them.
    pub(crate) fn failed(&self) {
        self.failed.inc();
        self.successful.set(0);
    }
}

impl ValidityGauges {
    /// Says from when until when the certificate is valid, each since 1970.
    pub(crate) fn set(&self, not_before: Duration, not_after: Duration) {
        self.not_before.set(not_before.as_secs().cast_signed());
        self.not_after.set(not_after.as_secs().cast_signed());
    }
}
