//! The secret in the address of the page: who does not know it is not answered.

use std::fmt::Write as _;

/// 128 bits that nobody can guess, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one, from the operating system.
    pub fn new() -> std::io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|e| std::io::Error::other(e.to_string()))?;
        let mut text = String::new();
        bytes.iter().for_each(|byte| write!(text, "{byte:02x}").expect("writing to a string cannot fail"));
        Ok(Self(text))
    }

    /// The digits.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether these are the digits. How long that takes says nothing about how many of them are right.
    pub fn is(&self, text: &str) -> bool {
        let same = self.0.bytes().zip(text.bytes()).fold(0, |seen, (a, b)| seen | (a ^ b));
        same == 0 && self.0.len() == text.len()
    }
}

/// Secrets are not for logs.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_nothing_but_itself() {
        let (one, other) = (Token::new().expect("there is randomness"), Token::new().expect("there is randomness"));
        assert!(one.is(one.text()) && one.text().len() == 32);
        assert!(!one.is(other.text()) && !one.is("") && !one.is(&one.text()[1..]));
        assert!(!one.is(&format!("{}0", one.text())) && !format!("{one:?}").contains(one.text()));
    }
}
