//! Authenticating the app that makes a call.

use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::{
    Fault, Secret, Token, TokenKind,
    fault::{Issue, OauthFlaw},
    id::ClientId,
    oauth::{App, AppSecret},
};
use octavo_ports::store::Reads;

const UNKNOWN_CLIENT: Fault = invalid("client_id", Issue::InvalidValue);

const fn invalid(parameter: &'static str, issue: Issue) -> Fault {
    Fault::Oauth(OauthFlaw::InvalidClient { parameter, issue })
}

/// The app that a call claims to come from, and the proof.
#[derive(Clone, Debug, Default)]
pub struct ClientProof {
    pub id: Option<String>,
    pub secret: Option<Secret<String>>,
}

impl ClientProof {
    /// Authenticates the app that the call names. `None` if it names none.
    ///
    /// Three statements for a confidential app, two for a public one.
    pub(super) async fn named<T: Reads + ?Sized>(&self, scope: &mut Scope<T>) -> AppResult<Option<App>> {
        match &self.id {
            None if self.secret.is_some() => Err(invalid("client_id", Issue::Required).into()),
            None => Ok(None),
            Some(id) => {
                let id = id.parse().map_err(|_| UNKNOWN_CLIENT)?;
                self.check(scope, id).await.map(Some)
            }
        }
    }

    /// Checks that the calling app is the owner of the code or token in the call. `named` is the result of
    /// [`Self::named`].
    pub(super) async fn of<T: Reads + ?Sized>(
        &self,
        scope: &mut Scope<T>,
        named: Option<App>,
        owner: ClientId,
    ) -> AppResult<App> {
        match named {
            Some(app) if app.id == owner => Ok(app),
            Some(_) => Err(Fault::Oauth(OauthFlaw::OtherClient).into()),
            None => self.check(scope, owner).await,
        }
    }

    async fn check<T: Reads + ?Sized>(&self, scope: &mut Scope<T>, id: ClientId) -> AppResult<App> {
        let app = scope.tx.oauth().find_app(id).await?.ok_or(UNKNOWN_CLIENT)?;
        // Some clients send an empty secret if they have none.
        let secret = self.secret.as_ref().map(Secret::expose).filter(|text| !text.is_empty());
        let is_known = match (app.public, secret) {
            (true, secret) => secret.is_none(),
            (false, None) => false,
            (false, Some(text)) => match Token::parse(TokenKind::ClientSecret, text) {
                Ok(token) => {
                    let secrets = scope.tx.oauth().list_app_secrets(&app).await?;
                    AppSecret::any_is(&secrets, &token.hash(), scope.call.now)
                }
                Err(_) => false,
            },
        };
        let issue = if secret.is_none() { Issue::Required } else { Issue::InvalidValue };
        if is_known { Ok(app) } else { Err(invalid("client_secret", issue).into()) }
    }
}
