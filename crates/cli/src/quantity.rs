//! Times, sizes and settings, as people write them.

use std::time::Duration;

/// `n=12`.
pub(crate) fn setting(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a whole number"))?;
    Ok((name.trim().to_owned(), value))
}

/// `N=12`, `FLAG`; a macro without a value is 1, as compilers have it.
pub(crate) fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let mut letters = name.chars();
    let starts = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !starts || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("`{name}` is no name of a macro"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// `500ms`, `60s`, `5m`, `1h`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1e3,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time: use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is too long"))
}

/// `500M`, `4G`; a bare number is bytes. Units are powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let power = match unit.trim_end_matches("iB").trim_end_matches('B').to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(format!("`{unit}` is no unit of size: use K, M, G or T")),
    };
    let bytes = number * 1024f64.powi(power);
    if bytes < 2f64.powi(63) { Ok(bytes as u64) } else { Err(format!("`{text}` is too much")) }
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number, text[end..].trim()))
}

/// A number of bytes for people.
pub(crate) fn show_bytes(bytes: u64) -> String {
    show(bytes as f64, 1024.0, &["B", "KB", "MB", "GB", "TB"])
}

/// A rate for people.
pub(crate) fn show_rate(count: u64, seconds: f64) -> String {
    show(count as f64 / seconds.max(1e-9), 1000.0, &["", "k", "M", "G"]).trim_end().to_owned()
}

fn show(mut value: f64, base: f64, units: &[&str]) -> String {
    let mut unit = 0;
    while value >= base && unit + 1 < units.len() {
        value /= base;
        unit += 1;
    }
    let digits = usize::from(unit > 0 && value < 100.0);
    format!("{value:.digits$} {}", units[unit])
}

/// So many of something.
pub(crate) fn show_number(count: u64, what: &str) -> String {
    let plural = match count {
        1 => "",
        _ if what.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {what}{plural}", show_count(count))
}

/// A number in decimal digits, and of what: `deadlocks`. Of very long numbers, only how many digits they have.
pub(crate) fn show_large(digits: &str, of: &str) -> String {
    if digits == "1" {
        let (first, rest) = of.split_once(' ').map_or((of, String::new()), |(first, rest)| (first, format!(" {rest}")));
        return format!("1 {}{rest}", first.strip_suffix('s').unwrap_or(first));
    }
    if digits.len() <= SHOWN_DIGITS {
        return format!("{} {of}", grouped(digits));
    }
    let (first, rest) = digits.split_at(1);
    format!("{first}.{}e{} {of} (all digits are in the JSON report)", &rest[..5], rest.len())
}

/// The most digits of a number that are shown.
const SHOWN_DIGITS: usize = 40;

/// A count with thousands separated.
pub(crate) fn show_count(count: u64) -> String {
    grouped(&count.to_string())
}

/// A number of any size: in groups of three digits, or the first ones and how many follow if there are many.
pub(crate) fn show_digits(digits: &str) -> String {
    if digits.len() <= 13 {
        return grouped(digits);
    }
    format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1)
}

fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        assert!(duration("s").is_err() && duration("3 days").is_err() && duration("1.2.3").is_err());
        assert!(duration("99999999999999999999999999h").is_err() && duration("-1s").is_err());
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("1.5KiB"), Ok(1536));
        assert_eq!(bytes("10"), Ok(10));
        assert!(bytes("4X").is_err() && bytes("99999999T").is_err());
        assert_eq!(setting("n=-3"), Ok(("n".to_owned(), -3)));
        assert!(setting("n").is_err() && setting("n=x").is_err());
    }

    #[test]
    fn figures_for_people() {
        assert_eq!(show_bytes(999), "999 B");
        assert_eq!(show_bytes(1536), "1.5 KB");
        assert_eq!(show_bytes(300 << 20), "300 MB");
        assert_eq!(show_rate(2_500_000, 1.0), "2.5 M");
        assert_eq!(show_rate(12, 1.0), "12");
        assert_eq!(show_large("1", "suspects of model errors"), "1 suspect of model errors");
        assert_eq!(show_large("12345678901234567890123", "states"), "12,345,678,901,234,567,890,123 states");
        assert!(show_large(&"7".repeat(50), "states").starts_with("7.77777e49 states"));
        assert_eq!(show_count(1_234_567), "1,234,567");
        assert_eq!(show_count(123), "123");
        assert_eq!([show_number(1, "state"), show_number(0, "state")], ["1 state", "0 states"]);
    }
}
