//! Who is answered: only requests that name this machine as their host, come from no other page, and know the token.
//!
//! A page of somebody else that is open in the same browser can send requests here, too. It cannot read an answer without our
//! permission, which nobody gets, and it does not know the token. It could make a name of its own point to this machine (DNS
//! rebinding) and would then be of one origin with what it asks for: the host of such a request is that name, and refused. What a browser says of where a
//! request comes from (`Origin`, `Sec-Fetch-Site`) is looked at as well, so that none of the three stands alone.

use crate::request::Twice;
use crate::{Request, Token};

/// What is asked of every request.
#[derive(Clone, Debug)]
pub struct Guard {
    token: Token,
    /// This server as browsers may call it.
    hosts: [String; 2],
}

/// Why a request is not answered: a status and a sentence.
pub(crate) type Refused = (u16, &'static str);

impl Guard {
    /// For the server at a port of this machine.
    pub fn new(token: Token, port: u16) -> Self {
        Self { token, hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")] }
    }

    /// What is asked for, after the token; or why it is not to be had.
    pub(crate) fn admit<'r>(&self, request: &'r Request) -> Result<&'r str, Refused> {
        let one = |name: &str| request.header(name).map_err(|Twice| (400, "a header is there twice"));
        if !one("host")?.is_some_and(|host| self.is_own(host)) {
            return Err((421, "this server is for 127.0.0.1 only"));
        }
        let foreign = (403, "requests of other pages are refused");
        if !one("origin")?.is_none_or(|origin| origin.strip_prefix("http://").is_some_and(|host| self.is_own(host))) {
            return Err(foreign);
        }
        if !one("sec-fetch-site")?.is_none_or(|site| matches!(site, "same-origin" | "none")) {
            return Err(foreign);
        }
        let rest = request.path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let unknown = (404, "there is nothing here: the address has a token, as `impasse serve` printed it");
        rest.filter(|(token, _)| self.token.is(token)).map(|(_, rest)| rest).ok_or(unknown)
    }

    fn is_own(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}
