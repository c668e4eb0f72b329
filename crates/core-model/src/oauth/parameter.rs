//! The parameters of an authorization request, and what is right for them.

use super::ResponseMode;
use crate::{
    fault::{Hint, Issue},
    name::named,
};

/// The maximum length of `state`.
pub(super) const MAX_STATE: usize = 1024;

named! {
    /// The parameters of a request. Others are ignored.
    Parameter {
        ResponseType = "response_type",
        ClientId = "client_id",
        RedirectUri = "redirect_uri",
        ResponseMode = "response_mode",
        Scope = "scope",
        State = "state",
        CodeChallenge = "code_challenge",
        CodeChallengeMethod = "code_challenge_method",
        Resource = "resource",
        Prompt = "prompt",
    }
}

impl Parameter {
    /// What would have been right in place of a flawed value. Nothing is wrong with the value of a parameter that was
    /// only sent twice.
    pub fn hint(self, issue: Issue) -> Hint {
        if issue == Issue::Duplicate {
            return Hint::default();
        }
        match self {
            Self::ResponseType => Hint::one_of(["code"]),
            Self::ResponseMode => Hint::one_of(ResponseMode::ALL),
            Self::CodeChallengeMethod => Hint::one_of(["S256"]),
            Self::Prompt => Hint {
                rules: vec!["several are separated by spaces, and none stands alone".to_owned()],
                ..Hint::one_of(["none", "login", "consent"])
            },
            Self::State => Hint { max: i64::try_from(MAX_STATE).ok(), ..Hint::default() },
            Self::CodeChallenge => {
                Hint::ruled_by(&["the SHA-256 of the code_verifier in base64url without padding, 43 characters"])
            }
            Self::Resource => Hint::ruled_by(&["the origin of this service, or the base address of its API"]),
            Self::Scope => Hint::ruled_by(&["scopes that the app has registered, separated by spaces"]),
            Self::ClientId | Self::RedirectUri => Hint::default(),
        }
    }

    /// What is wrong with the parameter and what would have been right, for the developer of the app.
    pub(super) fn describe(self, issue: Issue) -> String {
        let flaw = match issue {
            Issue::Required => "is missing",
            Issue::Duplicate => "was sent twice",
            Issue::TooLong => "is too long",
            Issue::InvalidFormat => "has the wrong format",
            _ => "has a value that is not accepted here",
        };
        let hint = self.hint(issue);
        let allowed = (!hint.allowed.is_empty()).then(|| format!("one of {}", hint.allowed.join(", ")));
        let max = hint.max.map(|max| format!("at most {max} characters"));
        let expected: Vec<_> = allowed.into_iter().chain(max).chain(hint.rules).collect();
        if expected.is_empty() {
            return format!("The parameter {self} {flaw}.");
        }
        format!("The parameter {self} {flaw}. Expected: {}.", expected.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_says_what_would_have_been_right() {
        for (parameter, issue, expected) in [
            (
                Parameter::CodeChallengeMethod,
                Issue::InvalidValue,
                "The parameter code_challenge_method has a value that is not accepted here. Expected: one of S256.",
            ),
            (
                Parameter::ResponseMode,
                Issue::InvalidValue,
                "The parameter response_mode has a value that is not accepted here. Expected: one of query, form_post.",
            ),
            (Parameter::State, Issue::TooLong, "The parameter state is too long. Expected: at most 1024 characters."),
            (
                Parameter::ResponseType,
                Issue::Required,
                "The parameter response_type is missing. Expected: one of code.",
            ),
            (Parameter::ResponseType, Issue::Duplicate, "The parameter response_type was sent twice."),
        ] {
            assert_eq!(parameter.describe(issue), expected);
        }
    }

    #[test]
    fn a_description_has_the_characters_that_the_standard_allows() {
        for parameter in Parameter::ALL {
            let text = parameter.describe(Issue::InvalidValue);
            assert!(text.chars().all(|sign| matches!(sign, ' '..='!' | '#'..='[' | ']'..='~')), "{text}");
        }
    }
}
