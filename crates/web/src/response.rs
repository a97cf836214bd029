//! Responses: every one ends the connection, says that it is not to be kept, and lets the page load nothing from elsewhere.

use std::io::{self, Write};

/// What browsers may do with our answers. Styles and scripts are files of our own; pictures may also be made by the page.
const HEADERS: &str = "Connection: close\r\n\
    Cache-Control: no-store\r\n\
    Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Referrer-Policy: no-referrer\r\n\
    X-Content-Type-Options: nosniff\r\n\
    X-Frame-Options: DENY\r\n";

/// A whole answer.
pub(crate) fn whole(out: &mut impl Write, status: u16, kind: &str, body: &[u8]) -> io::Result<()> {
    write!(
        out,
        "HTTP/1.1 {status} {}\r\n{HEADERS}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
        phrase(status),
        body.len()
    )?;
    out.write_all(body)?;
    out.flush()
}

/// A sentence.
pub(crate) fn sentence(out: &mut impl Write, status: u16, text: &str) -> io::Result<()> {
    whole(out, status, "text/plain; charset=utf-8", format!("{text}\n").as_bytes())
}

/// The head of an answer whose lines follow as they come; it ends with the connection.
pub(crate) fn begin_lines(out: &mut impl Write) -> io::Result<()> {
    write!(out, "HTTP/1.1 200 {}\r\n{HEADERS}Content-Type: application/x-ndjson; charset=utf-8\r\n\r\n", phrase(200))?;
    out.flush()
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Error",
    }
}
