//! Cursors: the place after which a list continues, sealed so that only the caller that got it can use it, and only
//! for the same list.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use octavo_sealing::Keyring;
use std::{fmt, str::FromStr, sync::Arc};

const PURPOSE: &str = "cursor";
const CODE_BYTES: usize = 32;

/// The longest cursor that this service creates.
pub(super) const MAX_CURSOR: usize = 512;

/// What a cursor is bound to, as a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding([u8; 32]);

impl Binding {
    /// Binds to a principal, a workspace, a route and the filters of the list.
    pub fn new<'a>(
        principal: &str,
        workspace: &str,
        route: &str,
        filters: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let mut hasher = blake3::Hasher::new();
        let mut part = |text: &str| {
            // The lengths separate the parts.
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        };
        part(principal);
        part(workspace);
        part(route);
        let mut filters: Vec<_> = filters.into_iter().collect();
        filters.sort_unstable();
        for (name, value) in filters {
            part(name);
            part(value);
        }
        Self(hasher.finalize().into())
    }
}

/// Creates and opens the cursors of one list for one caller.
#[derive(Clone)]
pub struct CursorSeal {
    keyring: Arc<Keyring>,
    binding: Binding,
}

impl CursorSeal {
    pub const fn new(keyring: Arc<Keyring>, binding: Binding) -> Self {
        Self { keyring, binding }
    }

    pub fn seal(&self, position: &impl fmt::Display) -> String {
        let position = position.to_string();
        let code = self.keyring.authenticate(PURPOSE, &self.covered(position.as_bytes()));
        URL_SAFE_NO_PAD.encode([&code[..], position.as_bytes()].concat())
    }

    pub fn open<K: FromStr>(&self, cursor: &str) -> Option<K> {
        if cursor.len() > MAX_CURSOR {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (code, position) = bytes.split_at_checked(CODE_BYTES)?;
        if !self.keyring.verify(PURPOSE, &self.covered(position), code) {
            return None;
        }
        std::str::from_utf8(position).ok()?.parse().ok()
    }

    fn covered(&self, position: &[u8]) -> Vec<u8> {
        [&self.binding.0[..], position].concat()
    }
}

impl fmt::Debug for CursorSeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CursorSeal").field("binding", &self.binding).finish_non_exhaustive()
    }
}

/// Cuts the result of a use case into a page, with a cursor for the next one.
#[derive(Clone, Debug)]
pub struct Pager {
    pub limit: u32,
    pub seal: CursorSeal,
}

impl Pager {
    /// The use case is asked for one item more than the page holds; if there is one, there is a next page.
    pub fn cut<T, K: fmt::Display>(
        &self,
        mut found: Vec<T>,
        position: impl FnOnce(&T) -> K,
    ) -> (Vec<T>, Option<String>) {
        let limit = self.limit as usize;
        if found.len() <= limit {
            return (found, None);
        }
        found.truncate(limit);
        let next = found.last().map(|last| self.seal.seal(&position(last)));
        (found, next)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn keyring() -> Arc<Keyring> {
        Arc::new(Keyring::new(&[[7; 32]]).unwrap())
    }

    fn seal(principal: &str, workspace: &str, route: &str, filters: &[(&str, &str)]) -> CursorSeal {
        CursorSeal::new(keyring(), Binding::new(principal, workspace, route, filters.iter().copied()))
    }

    #[test]
    fn a_cursor_opens_for_the_same_caller_and_list_only() {
        let ours = seal("usr_1", "wks_1", "GET /sessions", &[("status", "ACTIVE"), ("q", "x")]);
        let cursor = ours.seal(&42);
        assert_eq!(ours.open::<u32>(&cursor), Some(42));
        let reordered = seal("usr_1", "wks_1", "GET /sessions", &[("q", "x"), ("status", "ACTIVE")]);
        assert_eq!(reordered.open::<u32>(&cursor), Some(42));
        for foreign in [
            seal("usr_2", "wks_1", "GET /sessions", &[("status", "ACTIVE"), ("q", "x")]),
            seal("usr_1", "wks_2", "GET /sessions", &[("status", "ACTIVE"), ("q", "x")]),
            seal("usr_1", "wks_1", "GET /events", &[("status", "ACTIVE"), ("q", "x")]),
            seal("usr_1", "wks_1", "GET /sessions", &[("status", "REVOKED"), ("q", "x")]),
            seal("usr_1", "wks_1", "GET /sessions", &[]),
        ] {
            assert_eq!(foreign.open::<u32>(&cursor), None);
        }
    }

    #[test]
    fn an_altered_or_oversized_cursor_does_not_open() {
        let ours = seal("usr_1", "wks_1", "GET /sessions", &[]);
        let cursor = ours.seal(&"position");
        for at in 0..cursor.len() {
            let mut altered = cursor.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            // The last character has unused bits, so a different one may decode to the same bytes.
            let opened = ours.open::<String>(&altered);
            assert!(opened.is_none() || at == cursor.len() - 1, "{altered}");
        }
        for wrong in ["", "!", "QQ", &"A".repeat(513)] {
            assert_eq!(ours.open::<String>(wrong), None);
        }
        assert_eq!(ours.open::<String>(&ours.seal(&"x".repeat(400))), None, "longer than a cursor may be");
    }

    #[test]
    fn a_page_ends_where_its_limit_says() {
        let pager = Pager { limit: 2, seal: seal("u", "w", "r", &[]) };
        assert_eq!(pager.cut(vec![1, 2], |n| *n), (vec![1, 2], None));
        let (page, next) = pager.cut(vec![1, 2, 3], |n| *n);
        assert_eq!(page, [1, 2]);
        assert_eq!(pager.seal.open::<i32>(&next.unwrap()), Some(2));
    }
}
