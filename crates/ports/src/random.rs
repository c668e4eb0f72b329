//! Random bits.

use octavo_core_model::{Timestamp, Token, TokenKind, api_key::KeyText};

/// A source of unpredictable bits: the operating system's in production, a seeded one in tests.
pub trait Random: Send {
    fn fill(&mut self, bytes: &mut [u8]);
}

impl dyn Random + '_ {
    /// `N` random bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// A new id of any kind: `random.id(now, UserId::new)`.
    pub fn id<T>(&mut self, now: Timestamp, make: impl FnOnce(i64, [u8; 10]) -> T) -> T {
        make(now.millis(), self.bytes())
    }

    pub fn token(&mut self, kind: TokenKind) -> Token {
        Token::new(kind, self.bytes())
    }

    pub fn api_key(&mut self) -> KeyText {
        KeyText::new(self.bytes())
    }
}
