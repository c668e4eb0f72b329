//! Users with an account.

use crate::{Answer, Request, Site};
use serde_json::{Value, json};

pub const PASSWORD: &str = "Correct-Horse-9";

/// The call that registers `<name>@example.com`.
pub fn registration(site: &Site, name: &str) -> Request {
    let email = format!("{}@example.com", name.to_lowercase().replace(' ', "."));
    site.post("/auth/register", &json!({ "email": email, "password": PASSWORD, "name": name }))
}

/// A signed-in user.
#[derive(Clone, Debug)]
pub struct Person {
    pub site: Site,
    pub email: String,
    pub password: String,
    pub id: String,
    pub workspace: String,
    pub session: String,
    pub access: String,
    pub refresh: String,
}

impl Person {
    /// Registers `<name>@example.com`.
    #[track_caller]
    pub fn register(site: &Site, name: &str) -> Self {
        Self::of_registration(site, PASSWORD, &registration(site, name).send().data(201))
    }

    /// The user from the answer of a registration.
    #[track_caller]
    pub fn of_registration(site: &Site, password: &str, data: &Value) -> Self {
        Self {
            site: *site,
            email: text(&data["user"]["email"]),
            password: password.to_owned(),
            id: text(&data["user"]["id"]),
            workspace: text(&data["workspace"]["id"]),
            session: text(&data["session"]["id"]),
            access: text(&data["accessToken"]),
            refresh: text(&data["refreshToken"]),
        }
    }

    /// The same user with another session.
    #[track_caller]
    pub fn login(&self) -> Self {
        self.with_tokens_of(&self.try_login().data(200))
    }

    #[track_caller]
    pub fn try_login(&self) -> Answer {
        self.login_request().send()
    }

    pub fn login_request(&self) -> Request {
        self.site.post("/auth/login", &json!({ "email": self.email, "password": self.password }))
    }

    /// The same user with the tokens from a login, a registration or a refresh.
    #[track_caller]
    pub fn with_tokens_of(&self, data: &Value) -> Self {
        let session = text(&data["session"]["id"]);
        Self { session, access: text(&data["accessToken"]), refresh: text(&data["refreshToken"]), ..self.clone() }
    }

    pub fn refresh_request(&self) -> Request {
        self.site.post("/auth/refresh", &json!({ "refreshToken": self.refresh }))
    }

    /// The same session with its next pair of tokens.
    #[track_caller]
    pub fn refreshed(&self) -> Self {
        self.with_tokens_of(&self.refresh_request().send().data(200))
    }

    pub fn request(&self, method: &str, path: &str) -> Request {
        self.site.request(method, path).bearer(&self.access)
    }

    pub fn get(&self, path: &str) -> Request {
        self.request("GET", path)
    }

    pub fn post(&self, path: &str, body: &Value) -> Request {
        self.request("POST", path).json(body)
    }

    pub fn patch(&self, path: &str, body: &Value) -> Request {
        self.request("PATCH", path).json(body)
    }

    pub fn delete(&self, path: &str) -> Request {
        self.request("DELETE", path)
    }

    /// The account as its owner sees it.
    #[track_caller]
    pub fn me(&self) -> Value {
        self.get("/users/me").send().data(200)["user"].clone()
    }
}

#[track_caller]
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
