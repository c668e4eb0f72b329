//! What everybody sees of a form, without a credential.

use crate::{access::PublicAccess, config::Config, form::Form, intro};
use octavo_core_model::text::FormSlug;
use serde_json::{Map, Value, json};

impl Form {
    /// The form and its questions, and nothing else: neither the database and its properties nor what only the server checks.
    /// `None` if the form is hidden. `icon_url` is the address of the icon, if it is an image that can be shown.
    pub fn to_public_json(&self, slug: &FormSlug, access: PublicAccess, icon_url: Option<&str>) -> Option<Value> {
        let (status, is_closed) = match access {
            PublicAccess::Hidden => return None,
            PublicAccess::Closed => ("closed", true),
            PublicAccess::Open => ("published", false),
        };
        let questions: Vec<_> =
            self.questions.list().iter().map(|question| question.to_public_json(is_closed)).collect();
        Some(json!({
            "form": {
                "slug": slug,
                "name": self.name,
                "description": self.description,
                "status": status,
                "config": self.config.to_public_json(icon_url),
            },
            "questions": questions,
        }))
    }
}

impl Config {
    fn to_public_json(&self, icon_url: Option<&str>) -> Value {
        let mut shown = Map::from_iter([
            ("intro".to_owned(), json!(self.intro.as_ref().map(|intro| intro::to_html(intro.as_str())))),
            ("accent".to_owned(), json!(self.accent)),
            ("successMessage".to_owned(), json!(self.success_message)),
            ("closedMessage".to_owned(), json!(self.closed_message)),
            ("poweredBy".to_owned(), json!(self.powered_by)),
            ("recaptcha".to_owned(), json!({ "enabled": self.recaptcha.unwrap_or(false) })),
        ]);
        if let Some(url) = icon_url.filter(|_| self.icon.is_some()) {
            shown.insert("iconUrl".to_owned(), json!(url));
        }
        Value::Object(shown)
    }
}
