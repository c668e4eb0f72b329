//! How a form looks, and what it says.

use octavo_core_model::{
    fault::{Hint, Issue, Violation},
    id::FileId,
    text::{FormIntro, FormText},
};
use octavo_databases::{
    options::OptionColor,
    read::{Fields, Flaw, Origin, Sent, boolean, id, line, one_of},
};
use serde_json::{Map, Value, json};

/// How a form looks, and what it says. Each setting can be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Its colour.
    pub accent: Option<OptionColor>,
    /// What it says above the questions, in Markdown.
    pub intro: Option<FormIntro>,
    /// An image above it.
    pub icon: Option<FileId>,
    /// What those read that have submitted it.
    pub success_message: Option<FormText>,
    /// What is read in place of the questions once it is closed.
    pub closed_message: Option<FormText>,
    /// Whether it names the product.
    pub powered_by: Option<bool>,
    /// Whether its page is meant to ask for a proof that somebody is human. The service itself asks for none.
    pub recaptcha: Option<bool>,
}

const KEYS: [&str; 7] = ["accent", "intro", "icon", "successMessage", "closedMessage", "poweredBy", "recaptcha"];

impl Config {
    /// The settings after a merge patch: what is not sent stays, null clears. Reports every flaw, with the paths of a field
    /// `config`.
    pub fn changed(&self, sent: Value) -> Result<Self, Vec<Violation>> {
        let mut flaws = Vec::new();
        let read = self.read(sent, Origin::Caller, &mut flaws);
        if flaws.is_empty() { Ok(read) } else { Err(flaws) }
    }

    /// Settings from the store; the empty ones if they are none.
    pub fn from_stored(stored: &Value) -> Self {
        let mut flaws = Vec::new();
        let read = Self::default().read(stored.clone(), Origin::Store, &mut flaws);
        if flaws.is_empty() { read } else { Self::default() }
    }

    /// The settings as they are stored, and shown to those who may view the database: those that are set.
    pub fn to_json(&self) -> Value {
        let shown = [
            ("accent", json!(self.accent)),
            ("intro", json!(self.intro)),
            ("icon", json!(self.icon)),
            ("successMessage", json!(self.success_message)),
            ("closedMessage", json!(self.closed_message)),
            ("poweredBy", json!(self.powered_by)),
            ("recaptcha", self.recaptcha.map_or(Value::Null, |enabled| json!({ "enabled": enabled }))),
        ];
        let set = shown.into_iter().filter(|(_, value)| !value.is_null());
        Value::Object(set.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    fn read(&self, sent: Value, origin: Origin, flaws: &mut Vec<Violation>) -> Self {
        let Value::Object(sent) = sent else {
            flaws.push(Flaw::of_shape("an object").at("config", Some(sent)));
            return Self::default();
        };
        flaws.extend(unknown(&sent, "config", &KEYS));
        let mut fields = Fields::new(sent, "config", origin, flaws);
        let before = self.clone();
        let accent = fields.nullable("accent", |sent| one_of(sent, OptionColor::ALL));
        let intro = fields.nullable("intro", |sent| line(sent, FormIntro::parse, FormIntro::MAX));
        let icon = fields.nullable("icon", |sent| id(sent, FileId::PREFIX));
        let success = fields.nullable("successMessage", message);
        let closed = fields.nullable("closedMessage", message);
        let powered_by = fields.nullable("poweredBy", boolean);
        let recaptcha = recaptcha(&mut fields);
        Self {
            accent: accent.or(before.accent),
            intro: intro.or(before.intro),
            icon: icon.or(before.icon),
            success_message: success.or(before.success_message),
            closed_message: closed.or(before.closed_message),
            powered_by: powered_by.or(before.powered_by),
            recaptcha: recaptcha.or(before.recaptcha),
        }
    }
}

fn message(sent: &Value) -> Result<FormText, Flaw> {
    line(sent, FormText::parse, FormText::MAX)
}

/// `recaptcha` is replaced as a whole.
fn recaptcha(fields: &mut Fields<'_>) -> Sent<bool> {
    match fields.take("recaptcha") {
        None => Sent::Absent,
        Some(Value::Null) => Sent::Null,
        Some(Value::Object(sent)) => {
            fields.report(unknown(&sent, "config.recaptcha", &["enabled"]));
            Sent::Value(fields.within("recaptcha", sent, |fields| fields.required("enabled", None, boolean)))
        }
        Some(other) => {
            fields.refuse("recaptcha", Flaw::of_shape("an object `{ enabled }`"), Some(other));
            Sent::Value(None)
        }
    }
}

fn unknown(sent: &Map<String, Value>, at: &str, keys: &[&str]) -> Vec<Violation> {
    let unknown = sent.keys().filter(|key| !keys.contains(&key.as_str()));
    let violation = |key: &String| {
        let field = format!("{at}.{}", key.chars().take(100).collect::<String>());
        Violation::new(field, Issue::UnknownField).hinting(Hint::one_of(keys))
    };
    unknown.map(violation).collect()
}
