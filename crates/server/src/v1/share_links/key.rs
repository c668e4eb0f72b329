//! What opens a share link: the token in the path, and the proof of its password.

use crate::{
    request::{AdmittedRequest, Inputs, Part},
    wire::ParameterDoc,
};
use octavo_app::{Draft, share_links::Key};
use octavo_core_model::{Fault, Token, TokenKind};
use serde_json::json;

const ACCESS: &str = "X-Share-Access";

/// The token of a link, which is the next parameter of the path. A malformed one is treated like an unknown one.
#[derive(Debug)]
pub(super) struct LinkToken;

impl Part for LinkToken {
    type Extracted = Draft<Token>;

    fn extract(admitted: &mut AdmittedRequest) -> Draft<Token> {
        let token = admitted.next_segment().and_then(|text| Token::parse(TokenKind::ShareLink, text).ok());
        token.ok_or(Fault::NotFound)
    }

    fn describe(inputs: &mut Inputs) {
        let schema = json!({ "type": "string", "pattern": "^shl_[A-Za-z0-9_-]{43}$" });
        inputs.path.push((schema, json!("shl_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80")));
    }
}

/// The token of a link, and the header with the proof of its password.
#[derive(Debug)]
pub(super) struct LinkKey;

impl Part for LinkKey {
    type Extracted = Key;

    fn extract(admitted: &mut AdmittedRequest) -> Key {
        Key { token: LinkToken::extract(admitted), access: admitted.header(ACCESS).map(str::to_owned) }
    }

    fn describe(inputs: &mut Inputs) {
        LinkToken::describe(inputs);
        inputs.headers.push(ParameterDoc {
            name: ACCESS,
            about: "What unlocking the link gave, where it has a password.".to_owned(),
            required: false,
            schema: json!({ "type": "string" }),
            example: json!("sha_AAABnTn-"),
        });
    }
}
