//! How an app authenticates: by HTTP Basic or in the body, not by both.

use crate::{
    gate::basic,
    request::{AdmittedRequest, Inputs, Part},
    wire::ParameterDoc,
};
use octavo_app::{Draft, oauth::client::ClientProof};
use octavo_core_model::{
    Fault, Secret,
    fault::{Issue, OauthFlaw, Violation},
};
use serde_json::json;

/// The ids in the header and in the body differ.
const INVALID: Fault = Fault::Oauth(OauthFlaw::InvalidClient { parameter: "client_id", issue: Issue::InvalidValue });

/// The id and secret in the header, if any. Another scheme is ignored.
#[derive(Debug)]
pub(crate) struct BasicClient;

impl Part for BasicClient {
    type Extracted = Draft<Option<ClientProof>>;

    fn extract(admitted: &mut AdmittedRequest) -> Self::Extracted {
        basic::read(admitted.headers())
    }

    fn describe(inputs: &mut Inputs) {
        inputs.headers.push(ParameterDoc {
            name: "Authorization",
            about:
                "`Basic` with the form-encoded id and secret of a confidential app, where the body does not hold them."
                    .to_owned(),
            required: false,
            schema: json!({ "type": "string" }),
            example: json!("Basic Y2xpXzAxSzpvY3NfcTgzdg=="),
        });
    }
}

/// Everything that the call says about the app.
pub(crate) fn proof(
    basic: Draft<Option<ClientProof>>,
    id: Option<String>,
    secret: Option<Secret<String>>,
) -> Draft<ClientProof> {
    let Some(basic) = basic? else { return Ok(ClientProof { id, secret }) };
    if secret.is_some() {
        return Err(Violation::new("client_secret", Issue::Duplicate).into());
    }
    if id.is_some() && id != basic.id {
        return Err(INVALID);
    }
    Ok(basic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_named_in_one_place() {
        let basic =
            || Ok(Some(ClientProof { id: Some("cli_1".to_owned()), secret: Some(Secret::new("s".to_owned())) }));
        let id = |text: &str| Some(text.to_owned());
        let client_of = |found: Draft<ClientProof>| found.map(|proof| proof.id);
        assert_eq!(client_of(proof(basic(), None, None)), Ok(id("cli_1")));
        assert_eq!(client_of(proof(basic(), id("cli_1"), None)), Ok(id("cli_1")));
        assert_eq!(client_of(proof(basic(), id("cli_2"), None)), Err(INVALID));
        let twice = proof(basic(), None, Some(Secret::new("s".to_owned())));
        assert_eq!(client_of(twice), Err(Violation::new("client_secret", Issue::Duplicate).into()));
        assert_eq!(client_of(proof(Ok(None), id("cli_3"), None)), Ok(id("cli_3")));
        assert_eq!(client_of(proof(Err(INVALID), None, None)), Err(INVALID));
    }
}
