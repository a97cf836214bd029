//! Numbers as people read them.

/// A number of bytes for people.
pub fn show_bytes(bytes: u64) -> String {
    show(bytes as f64, 1024.0, &["B", "KB", "MB", "GB", "TB"])
}

/// A rate for people.
pub fn show_rate(count: u64, seconds: f64) -> String {
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
pub fn show_number(count: u64, what: &str) -> String {
    let plural = match count {
        1 => "",
        _ if what.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {what}{plural}", show_count(count))
}

/// A number in decimal digits, and of what: `deadlocks`. Of very long numbers, only how many digits they have.
pub fn show_large(digits: &str, of: &str) -> String {
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
pub fn show_count(count: u64) -> String {
    grouped(&count.to_string())
}

/// A number of any size: in groups of three digits, or the first ones and how many follow if there are many.
pub fn show_digits(digits: &str) -> String {
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
