//! Times, and values that only an actual run produces (expressions.md, sections 4 and 9).

use std::fmt::Write as _;

use super::{CallContext, Function, FunctionError, Outcome, Returns, Variation, argument, param};
use overfold_base::account::{self, ChargedText};
use overfold_value::{Type, Value, excerpt};

pub(super) fn rows() -> Vec<Function> {
    let text = |name| param(name, Type::String);
    let returns = || Returns::Fixed(Type::String);
    vec![
        Function::new("formatdate", [text("format"), text("time")], returns(), |args, _, context| {
            account::work(argument(args, 0).len() as u64 / 8);
            let time =
                Time::parse(argument(args, 1), context).map_err(|problem| FunctionError::argument(1, problem))?;
            format_date(argument(args, 0), &time).map(Value::text)
        }),
        Function::new("timeadd", [text("timestamp"), text("duration")], returns(), |args, _, context| {
            account::work(argument(args, 1).len() as u64 / 6);
            let time = Time::parse(argument(args, 0), context).map_err(FunctionError::new)?;
            let step = duration(argument(args, 1)).ok_or_else(|| {
                FunctionError::new(format!("{:?} is not a valid duration, such as 1h30m", excerpt(argument(args, 1))))
            })?;
            Ok(Value::text(time.plus(step)))
        })
        .may_be_null(),
        Function::new(
            "timecmp",
            [text("timestamp_a"), text("timestamp_b")],
            Returns::Fixed(Type::Number),
            |args, _, _| {
                let read = |index| {
                    Time::read(argument(args, index))
                        .map(|time| time.instant())
                        .map_err(|problem| FunctionError::argument(index, problem))
                };
                Ok(Value::number(read(0)?.cmp(&read(1)?) as i64))
            },
        ),
        Function::new("timestamp", [], returns(), current_timestamp),
        Function::new("plantimestamp", [], returns(), plan_timestamp),
        Function::new("uuid", [], returns(), unknown_until_run),
        Function::new("bcrypt", [text("str")], returns(), unknown_until_run).variadic(param("cost", Type::Number)),
    ]
}

/// Returns the unknown result of a function that only an actual run can compute.
#[expect(clippy::unnecessary_wraps, reason = "the signature of every function")]
fn unknown_until_run(_: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    Ok(Value::unknown_not_null(Type::String))
}

/// Returns the time, where it is known.
fn current_timestamp(values: &[Value], ty: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    match context.env.scope.clock {
        Some(time) => Ok(Value::text(time)),
        None => unknown_until_run(values, ty, context),
    }
}

/// Returns the time of the plan, as far as it is known (plan.md, section 3).
fn plan_timestamp(values: &[Value], ty: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    match context.env.scope.plan_time {
        Some(time) => Ok(Value::text(time)),
        None => {
            let unknown = unknown_until_run(values, ty, context)?;
            Ok(context.env.scope.absent.map_or_else(|| unknown.clone(), |absent| absent.time(&unknown)))
        }
    }
}

/// Whether a text is a time as in RFC 3339.
pub fn is_timestamp(text: &str) -> bool {
    Time::read(text).is_ok()
}

/// A time as in RFC 3339.
#[derive(Clone, Copy)]
struct Time {
    /// The local time at the offset.
    local: jiff::civil::DateTime,
    /// The nanoseconds within the second.
    fraction: i64,
    /// The offset in minutes east of Greenwich.
    offset: i64,
}

impl Time {
    /// Reads a time as the release does whose functions are called.
    fn parse(text: &str, context: &CallContext<'_, '_>) -> Result<Self, String> {
        let short_hour = matches!(text.as_bytes().get(10..13), Some(&[b'T', hour, b':']) if hour.is_ascii_digit());
        if !context.has(Variation::LooseTimestamps) || !(short_hour || text.contains(',')) {
            return Self::read(text);
        }
        let (date, clock) = text.scanned(32).split_at_checked(11).unwrap_or((text, ""));
        let zero = if short_hour { "0" } else { "" };
        Self::read(&format!("{date}{zero}{}", clock.replacen(',', ".", 1)))
    }

    fn read(text: &str) -> Result<Self, String> {
        Self::parts(text.scanned(32))
            .ok_or_else(|| format!("{:?} is not a valid timestamp, such as 2006-01-02T15:04:05Z", excerpt(text)))
    }

    fn parts(text: &str) -> Option<Self> {
        let (time, rest) = text.split_at_checked(19)?;
        let number = |from: usize, to: usize| {
            let digits = time.get(from..to)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<i16>().ok())?
        };
        let small = |from: usize| i8::try_from(number(from, from + 2)?).ok();
        let bytes = time.as_bytes();
        for (index, sign) in [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')] {
            if bytes.get(index) != Some(&sign) {
                return None;
            }
        }
        let second = small(17).filter(|second| *second < 60)?;
        let (year, month, day) = (number(0, 4)?, small(5)?, small(8)?);
        let local = jiff::civil::DateTime::new(year, month, day, small(11)?, small(14)?, second, 0).ok()?;
        let mut rest = rest;
        let mut fraction = 0;
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            let (digits, after) = after.split_at_checked(end).filter(|(digits, _)| !digits.is_empty())?;
            let nanoseconds: String = digits.chars().chain("000000000".chars()).take(9).collect();
            fraction = nanoseconds.parse().ok()?;
            rest = after;
        }
        if rest == "Z" {
            return Some(Self { local, fraction, offset: 0 });
        }
        let sign = match rest.as_bytes().first()? {
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        let (hours, minutes) = rest.get(1..)?.split_once(':')?;
        let part = |digits: &str, max: i64| {
            let two = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<i64>().ok().filter(|value| two && *value <= max)
        };
        Some(Self { local, fraction, offset: sign * (part(hours, 23)? * 60 + part(minutes, 59)?) })
    }

    /// Returns the seconds since 1970 on the local clock.
    fn local_seconds(&self) -> i64 {
        self.local.duration_since(jiff::civil::datetime(1970, 1, 1, 0, 0, 0, 0)).as_secs()
    }

    /// Returns the nanoseconds since 1970.
    fn instant(&self) -> i128 {
        let seconds = self.local_seconds() - self.offset * 60;
        i128::from(seconds) * 1_000_000_000 + i128::from(self.fraction)
    }

    /// Returns the time this many nanoseconds later, as text; its fraction of a second is cut off, and the offset is
    /// kept.
    fn plus(&self, nanoseconds: i64) -> String {
        let whole = i128::from(self.fraction) + i128::from(nanoseconds);
        let seconds = i64::try_from(whole.div_euclid(1_000_000_000)).unwrap_or(0) + self.local_seconds();
        let (days, clock) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = date_of(days);
        let year = if year < 0 { format!("-{:04}", -year) } else { format!("{year:04}") };
        let clock = format!("{:02}:{:02}:{:02}", clock / 3600, clock / 60 % 60, clock % 60);
        let zone = if self.offset == 0 { "Z".to_owned() } else { self.zone(":") };
        format!("{year}-{month:02}-{day:02}T{clock}{zone}")
    }

    fn zone(&self, between: &str) -> String {
        let (sign, offset) = (if self.offset < 0 { '-' } else { '+' }, self.offset.abs());
        format!("{sign}{:02}{between}{:02}", offset / 60, offset % 60)
    }
}

/// Returns the year, month and day for a number of days since 1970, in the unbounded Gregorian calendar.
fn date_of(days: i64) -> (i64, i64, i64) {
    // Days are counted from the first of March of the year 0, so that a leap day is the last day of its year.
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// Parses a duration in Go's format to nanoseconds: numbers with units, `h m s ms us µs ns`.
fn duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at_checked(end)?;
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && part.is_empty() || part.contains('.') {
            return None;
        }
        let end = after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end)?;
        let unit: i128 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        // Digits worth less than a nanosecond are ignored.
        let digits = part.get(..part.len().min(18))?;
        let scale = 10i128.pow(u32::try_from(digits.len()).ok()?);
        let part: i128 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        total += i128::from(whole) * unit + part * unit / scale;
        if total > 1 << 63 {
            return None;
        }
        rest = after;
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn format_date(format: &str, time: &Time) -> Result<String, FunctionError> {
    let wrong = |message: String| Err(FunctionError::argument(0, message));
    let mut out = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        if let Some(mut after) = rest.strip_prefix('\'') {
            if let Some(after) = after.strip_prefix('\'') {
                out.push('\'');
                rest = after;
                continue;
            }
            loop {
                let Some((text, behind)) = after.split_once('\'') else {
                    return wrong("a quote is never closed".to_owned());
                };
                out.push_str(text);
                after = behind;
                let Some(behind) = behind.strip_prefix('\'') else { break };
                out.push('\'');
                after = behind;
            }
            rest = after;
            continue;
        }
        let end = rest.find(|c| c != first).unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        if !first.is_ascii_alphabetic() {
            out.push_str(run);
            continue;
        }
        if !field(run, time, &mut out) {
            return wrong(format!(
                "{:?} is not a known part of a timestamp; put literal text in single quotes",
                excerpt(run)
            ));
        }
    }
    Ok(out)
}

/// Writes the part of the time selected by a run of one letter, such as `YYYY`.
fn field(run: &str, time: &Time, out: &mut String) -> bool {
    let local = time.local;
    let month = usize::try_from(local.month() - 1).ok().and_then(|month| MONTHS.get(month)).copied().unwrap_or("");
    let weekday = match local.weekday() {
        jiff::civil::Weekday::Monday => "Monday",
        jiff::civil::Weekday::Tuesday => "Tuesday",
        jiff::civil::Weekday::Wednesday => "Wednesday",
        jiff::civil::Weekday::Thursday => "Thursday",
        jiff::civil::Weekday::Friday => "Friday",
        jiff::civil::Weekday::Saturday => "Saturday",
        jiff::civil::Weekday::Sunday => "Sunday",
    };
    let half = if local.hour() % 12 == 0 { 12 } else { local.hour() % 12 };
    let afternoon = local.hour() >= 12;
    // Writing to a String cannot fail.
    let _ = match run {
        "YYYY" => write!(out, "{:04}", local.year()),
        "YY" => write!(out, "{:02}", local.year() % 100),
        "MMMM" => out.write_str(month),
        "MMM" => out.write_str(month.get(..3).unwrap_or(month)),
        "MM" => write!(out, "{:02}", local.month()),
        "M" => write!(out, "{}", local.month()),
        "DD" => write!(out, "{:02}", local.day()),
        "D" => write!(out, "{}", local.day()),
        "EEEE" => out.write_str(weekday),
        "EEE" => out.write_str(weekday.get(..3).unwrap_or(weekday)),
        "hh" => write!(out, "{:02}", local.hour()),
        "h" => write!(out, "{}", local.hour()),
        "HH" => write!(out, "{half:02}"),
        "H" => write!(out, "{half}"),
        "mm" => write!(out, "{:02}", local.minute()),
        "m" => write!(out, "{}", local.minute()),
        "ss" => write!(out, "{:02}", local.second()),
        "s" => write!(out, "{}", local.second()),
        "AA" => out.write_str(if afternoon { "PM" } else { "AM" }),
        "aa" => out.write_str(if afternoon { "pm" } else { "am" }),
        "Z" if time.offset == 0 => out.write_str("Z"),
        "ZZZ" if time.offset == 0 => out.write_str("UTC"),
        "ZZZ" | "ZZZZ" => out.write_str(&time.zone("")),
        "Z" | "ZZZZZ" => out.write_str(&time.zone(":")),
        _ => return false,
    };
    true
}
