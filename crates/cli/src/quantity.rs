//! Times, sizes, settings and names of reports, as people write them.

use std::path::PathBuf;
use std::time::Duration;

use crate::args::Format;

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

/// `impasse.sarif`: a file and the format that its name says.
pub(crate) fn report_file(text: &str) -> Result<(Format, PathBuf), String> {
    let path = PathBuf::from(text);
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let format = match &*extension {
        "sarif" => Format::Sarif,
        "json" => Format::Json,
        "xml" => Format::Junit,
        "html" | "htm" => Format::Html,
        _ => return Err("the name must end in .html, .sarif, .json or .xml (JUnit)".to_owned()),
    };
    Ok((format, path))
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number, text[end..].trim()))
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
}
