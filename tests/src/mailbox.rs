//! The mails in the folder of a deployment.

use crate::{Tenant, poll, shape};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

#[derive(Clone, Debug)]
pub struct Mailbox {
    folder: PathBuf,
    tenant: Tenant,
    /// The last mail before the test started. Names are in the order of time.
    before: Option<OsString>,
}

/// A mail in the folder.
#[derive(Clone, Debug)]
pub struct Mail {
    /// The bytes as written.
    pub raw: String,
}

impl Mailbox {
    pub(crate) fn in_folder(folder: PathBuf) -> Self {
        Self { folder, tenant: Tenant::ALONE, before: None }
    }

    /// The mails of one test in the folder of a shared server.
    pub(crate) fn of_tenant(folder: PathBuf, tenant: Tenant) -> Self {
        let before = names(&folder).into_iter().max();
        Self { folder, tenant, before }
    }

    /// Every mail to an address so far.
    pub fn mails_to(&self, address: &str) -> Vec<Mail> {
        self.mails().into_iter().filter(|mail| mail.is_to(address)).collect()
    }

    pub fn mails(&self) -> Vec<Mail> {
        let mut names = names(&self.folder);
        names.retain(|name| Some(name) > self.before.as_ref());
        names.sort();
        let files = names.into_iter().filter_map(|name| fs::read(self.folder.join(name)).ok());
        let texts = files.map(|text| String::from_utf8_lossy(&text).into_owned());
        let own = texts.filter(|text| self.tenant == Tenant::ALONE || self.tenant.is_named_in(text));
        own.map(|text| Mail { raw: self.tenant.text_to_test(text) }).collect()
    }

    /// Waits for a mail to an address with a token of this kind that was not returned before.
    #[track_caller]
    pub fn token(&self, address: &str, prefix: &str) -> String {
        self.tokens(address, prefix, 1).remove(0)
    }

    /// Waits until this many different tokens of a kind were mailed to an address.
    #[track_caller]
    pub fn tokens(&self, address: &str, prefix: &str, count: usize) -> Vec<String> {
        poll::eventually(&format!("{count} {prefix} mailed to {address}"), || {
            let mut found = Vec::new();
            for token in self.mails_to(address).iter().filter_map(|mail| mail.token(prefix)) {
                if !found.contains(&token) {
                    found.push(token);
                }
            }
            (found.len() >= count).then_some(found)
        })
    }

    /// Waits for a matching mail.
    #[track_caller]
    pub fn mail(&self, address: &str, what: &str, fits: impl Fn(&Mail) -> bool) -> Mail {
        poll::eventually(&format!("{what} to {address}"), || self.mails_to(address).into_iter().find(&fits))
    }
}

fn names(folder: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    entries.filter(|name| Path::new(name).extension().is_some_and(|end| end == "eml")).collect()
}

impl Mail {
    fn is_to(&self, address: &str) -> bool {
        self.headers("To").iter().any(|value| value.contains(address))
    }

    /// The values of a header, unfolded.
    pub fn headers(&self, name: &str) -> Vec<String> {
        let head = self.raw.split("\r\n\r\n").next().unwrap_or_default();
        let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        let fields = unfolded.lines().filter_map(|line| line.split_once(':'));
        let named = fields.filter(|(present, _)| present.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.trim().to_owned()).collect()
    }

    /// The whole text, with quoted-printable decoded where it is used.
    pub fn text(&self) -> String {
        if !self.raw.contains("quoted-printable") {
            return self.raw.clone();
        }
        let joined = self.raw.replace("=\r\n", "");
        let mut text = Vec::with_capacity(joined.len());
        let mut rest = joined.as_bytes();
        while let Some((&first, behind)) = rest.split_first() {
            // Encoders write upper-case hex; `=ect_` in an unencoded part is not an escape.
            let escaped = behind.get(..2).filter(|hex| !hex.iter().any(u8::is_ascii_lowercase));
            let escaped = escaped.and_then(|hex| std::str::from_utf8(hex).ok());
            let byte = escaped.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| first == b'=');
            text.push(byte.unwrap_or(first));
            rest = if byte.is_some() { &behind[2..] } else { behind };
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The first token of a kind in the mail.
    pub fn token(&self, prefix: &str) -> Option<String> {
        let text = self.text();
        let places = text.match_indices(prefix).map(|(at, _)| &text[at..]);
        let candidates = places.filter_map(|rest| rest.get(..prefix.len() + 43));
        candidates.map(str::to_owned).find(|candidate| shape::is_token(candidate, prefix))
    }
}
