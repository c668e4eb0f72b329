//! Hiding secrets in what is printed.

/// The replacement of a secret.
pub(super) const MASK: &str = "***";

/// How much of a value may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrecy {
    /// All of it.
    Open,
    /// Everything except passwords in an address.
    Address,
    /// Nothing.
    Secret,
}

impl Secrecy {
    /// A valid value with secrets masked.
    pub(super) fn masked(self, value: &str) -> String {
        match self {
            Self::Open => value.to_owned(),
            Self::Address => without_passwords(value),
            Self::Secret => MASK.to_owned(),
        }
    }

    /// A refused value with secrets masked. If an address cannot be parsed, its password cannot be found, so such
    /// values are not quoted at all. An address with a password can also be pasted into any other setting.
    pub(super) fn quoted(self, value: &str) -> Option<String> {
        let quotable = self == Self::Open && value.chars().count() <= 100;
        quotable.then(|| without_passwords(value)).filter(|value| !value.is_empty())
    }
}

/// Masks everything between the first `:` and the last `@` of each authority, and the values of query parameters that
/// sound secret. A password with an unescaped `/` or `@` is masked generously: hiding a host is better than showing
/// half a password.
fn without_passwords(address: &str) -> String {
    let Some(start) = address.find("://").map(|index| index + 3) else { return address.to_owned() };
    let (scheme, rest) = address.split_at(start);
    let rest = match rest.rfind('@') {
        None => rest.to_owned(),
        Some(at) => match rest[..at].split_once(':') {
            None => rest.to_owned(),
            Some((user, _)) => format!("{user}:{MASK}{}", &rest[at..]),
        },
    };
    format!("{scheme}{}", without_secret_parameters(&rest))
}

fn without_secret_parameters(address: &str) -> String {
    const TELLING: [&str; 4] = ["pass", "secret", "token", "key"];
    let Some((path, query)) = address.split_once('?') else { return address.to_owned() };
    let parameters = query.split('&').map(|parameter| match parameter.split_once('=') {
        Some((name, _)) if TELLING.iter().any(|word| name.to_ascii_lowercase().contains(word)) => {
            format!("{name}={MASK}")
        }
        _ => parameter.to_owned(),
    });
    format!("{path}?{}", parameters.collect::<Vec<_>>().join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_of_addresses_are_hidden() {
        for (address, shown) in [
            ("postgres://u:hunter2@h:5432/db", "postgres://u:***@h:5432/db"),
            ("postgres://u:hun@ter/2?x@h/db", "postgres://u:***@h/db"),
            (
                "postgres://h/db?user=u&password=hunter2&sslmode=require",
                "postgres://h/db?user=u&password=***&sslmode=require",
            ),
            ("redis://:hunter2@h", "redis://:***@h"),
            ("redis://h:6379/1", "redis://h:6379/1"),
            ("smtp://u@h", "smtp://u@h"),
            ("sqlite:/srv/a@b.db", "sqlite:/srv/a@b.db"),
        ] {
            assert_eq!(Secrecy::Address.masked(address), shown);
        }
    }

    #[test]
    fn refused_values_are_quoted_only_when_they_hide_nothing() {
        assert_eq!(Secrecy::Open.quoted("abc"), Some("abc".to_owned()));
        assert_eq!(Secrecy::Open.quoted("https://u:hunter2@h"), Some("https://u:***@h".to_owned()));
        assert_eq!(Secrecy::Open.quoted(&"x".repeat(101)), None);
        assert_eq!(Secrecy::Address.quoted("postgres:u:hunter2@h"), None);
        assert_eq!(Secrecy::Secret.quoted("hunter2"), None);
    }
}
