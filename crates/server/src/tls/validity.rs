//! Until when the certificate of the service is valid: said in the log and in the metrics, since clients refuse it
//! afterwards.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustls::pki_types::CertificateDer;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;
use x509_cert::time::{Time, Validity as Read};

/// How long before its end a certificate is worth a warning, if it is valid for at least four times as long. Others
/// are by then about to be replaced, as certificate managers do when a third of their time is left.
const NOTICE: Duration = Duration::from_hours(14 * 24);

/// From when until when a certificate is valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Validity {
    not_before: Time,
    not_after: Time,
}

/// What is to be said about a certificate at some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    NotYet,
    Fine,
    Soon,
    Over,
}

impl Validity {
    /// Reads it; `None` if the certificate cannot be read, of which TLS itself needs less.
    pub(super) fn of(certificate: &CertificateDer<'_>) -> Option<Self> {
        let Read { not_before, not_after } = Certificate::from_der(certificate).ok()?.tbs_certificate.validity;
        Some(Self { not_before, not_after })
    }

    /// Returns when it begins and when it ends, since 1970.
    pub(super) fn since_1970(self) -> (Duration, Duration) {
        (self.not_before.to_unix_duration(), self.not_after.to_unix_duration())
    }

    /// Logs a warning if clients refuse the certificate now, or soon will.
    pub(super) fn warn(self) {
        let Self { not_before, not_after } = self;
        match self.state(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()) {
            State::Fine => {}
            State::NotYet => tracing::warn!(%not_before, "the certificate is not valid yet, so clients refuse it"),
            State::Soon => tracing::warn!(%not_after, "the certificate expires soon"),
            State::Over => tracing::warn!(%not_after, "the certificate has expired, so clients refuse it"),
        }
    }

    /// Returns what is to be said at a time since 1970.
    fn state(self, now: Duration) -> State {
        let (begin, end) = self.since_1970();
        let notice = NOTICE.min(end.saturating_sub(begin) / 4);
        match now {
            now if now < begin => State::NotYet,
            now if now > end => State::Over,
            now if now + notice > end => State::Soon,
            _ => State::Fine,
        }
    }
}

#[cfg(test)]
mod tests {
    use x509_cert::der::DateTime;
    use x509_cert::der::asn1::GeneralizedTime;

    use super::*;

    #[test]
    fn a_short_life_has_a_short_notice() {
        const HOUR: u64 = 60 * 60;
        const DAY: u64 = 24 * HOUR;
        let begin = 20_000 * DAY;
        let time = |seconds| {
            Time::from(GeneralizedTime::from_date_time(
                DateTime::from_unix_duration(Duration::from_secs(seconds)).unwrap(),
            ))
        };
        for (life, notice) in [(90 * DAY, 14 * DAY), (400 * DAY, 14 * DAY), (7 * DAY, 42 * HOUR), (DAY, 6 * HOUR)] {
            let end = begin + life;
            let validity = Validity { not_before: time(begin), not_after: time(end) };
            for (now, state) in [
                (begin - 1, State::NotYet),
                (begin, State::Fine),
                (end - notice, State::Fine),
                (end - notice + 1, State::Soon),
                (end, State::Soon),
                (end + 1, State::Over),
            ] {
                assert_eq!(validity.state(Duration::from_secs(now)), state, "{life} {now}");
            }
        }
    }
}
