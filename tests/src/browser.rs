//! A minimal browser for pages without scripts: it keeps cookies, reads pages and sends their forms.

use crate::{Answer, Request, Site};
use scraper::{ElementRef, Html, Selector};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Browser {
    site: Site,
    /// The origin that it sends with its forms.
    origin: String,
    pub cookies: BTreeMap<String, String>,
}

/// A page or a redirect.
#[derive(Debug)]
pub struct Screen {
    pub answer: Answer,
    document: Html,
}

/// A form of a page, ready to be filled in.
#[derive(Clone, Debug)]
pub struct Form {
    pub action: String,
    pub fields: Vec<(String, String)>,
}

impl Browser {
    pub fn at(site: &Site) -> Self {
        Self { site: *site, origin: site.public_origin(), cookies: BTreeMap::new() }
    }

    /// For a service with another public origin than its listening address.
    pub fn under(self, origin: &str) -> Self {
        Self { origin: origin.to_owned(), ..self }
    }

    /// A request with the cookies and nothing else.
    pub fn request(&self, method: &str, target: &str) -> Request {
        let request = self.site.bare(method, target);
        if self.cookies.is_empty() {
            return request;
        }
        let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        request.header("Cookie", pairs.join("; "))
    }

    /// Opens an address without following redirects.
    #[track_caller]
    pub fn open(&mut self, target: &str) -> Screen {
        let answer = self.request("GET", target).send();
        self.keep(answer)
    }

    /// Opens an address and follows redirects until there is a page, or an address outside of this site.
    #[track_caller]
    pub fn visit(&mut self, target: &str) -> Screen {
        let screen = self.open(target);
        self.follow(screen)
    }

    #[track_caller]
    pub fn follow(&mut self, mut screen: Screen) -> Screen {
        for _ in 0..10 {
            match screen.location().and_then(|address| self.path_of(address)) {
                Some(path) => screen = self.open(&path),
                None => return screen,
            }
        }
        panic!("led in circles: {:?}", screen.answer)
    }

    fn path_of(&self, address: &str) -> Option<String> {
        let path = address.strip_prefix(self.origin.as_str()).unwrap_or(address);
        path.starts_with('/').then(|| path.to_owned())
    }

    /// Sends a form as a browser does.
    #[track_caller]
    pub fn submit(&mut self, form: &Form) -> Screen {
        let answer = self.form_request(form).header("Origin", self.origin.clone()).send();
        self.keep(answer)
    }

    /// The request of a form without any origin.
    pub fn form_request(&self, form: &Form) -> Request {
        self.request("POST", &form.action).body("application/x-www-form-urlencoded", form.encoded())
    }

    /// Stores the cookies of an answer.
    #[track_caller]
    pub fn keep(&mut self, answer: Answer) -> Screen {
        for cookie in answer.all("Set-Cookie") {
            let (name, rest) = cookie.split_once('=').expect("a cookie has a name");
            let value = rest.split(';').next().unwrap_or_default();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let document = Html::parse_document(&answer.text());
        Screen { answer, document }
    }

    /// Signs in on the sign-in page.
    #[track_caller]
    pub fn sign_in(&mut self, email: &str, password: &str) -> Screen {
        let page = self.open("/api/v1/oauth/login");
        let form = page.form("/oauth/login").with("email", email).with("password", password);
        self.submit(&form)
    }

    /// The user that the sign-in page shows as signed in.
    #[track_caller]
    pub fn signed_in_as(&mut self) -> Option<String> {
        let page = self.open("/api/v1/oauth/login");
        page.answer.is(200);
        page.all("h1").iter().any(|title| title == "You are signed in").then(|| page.all("strong")[0].clone())
    }
}

impl Screen {
    pub fn location(&self) -> Option<&str> {
        self.answer.header("Location")
    }

    pub fn select(&self, selector: &str) -> Vec<ElementRef<'_>> {
        let selector = Selector::parse(selector).expect("a selector");
        self.document.select(&selector).collect()
    }

    /// The texts of all matching elements.
    pub fn all(&self, selector: &str) -> Vec<String> {
        self.select(selector).iter().map(|element| words(*element)).collect()
    }

    /// The text of the single matching element.
    #[track_caller]
    pub fn one(&self, selector: &str) -> String {
        let found = self.all(selector);
        assert_eq!(found.len(), 1, "{selector} in {}", self.answer.text());
        found[0].clone()
    }

    /// The whole visible text.
    pub fn text(&self) -> String {
        self.one("main")
    }

    /// The form whose target ends like this.
    #[track_caller]
    pub fn form(&self, action: &str) -> Form {
        let forms = self.select("form");
        let fitting = |form: &&ElementRef<'_>| form.value().attr("action").is_some_and(|path| path.ends_with(action));
        let form = forms.iter().find(fitting).unwrap_or_else(|| panic!("no form to {action}: {}", self.answer.text()));
        assert_eq!(form.value().attr("method"), Some("post"));
        let inputs = Selector::parse("input[name]").expect("a selector");
        let sends = |input: &ElementRef<'_>| {
            input.value().attr("type") != Some("checkbox") || input.value().attr("checked").is_some()
        };
        let attribute = |input: &ElementRef<'_>, name| input.value().attr(name).unwrap_or_default().to_owned();
        let fields = form.select(&inputs).filter(sends);
        let fields = fields.map(|input| (attribute(&input, "name"), attribute(&input, "value"))).collect();
        Form { action: attribute(form, "action"), fields }
    }
}

/// The text of an element with normalised white space.
fn words(element: ElementRef<'_>) -> String {
    let text: String = element.text().collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Form {
    pub fn value(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// Replaces the values of this name.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut form = self.without(name);
        form.fields.push((name.to_owned(), value.to_owned()));
        form
    }

    /// Adds a value for this name.
    pub fn and(&self, name: &str, value: &str) -> Self {
        let mut form = self.clone();
        form.fields.push((name.to_owned(), value.to_owned()));
        form
    }

    pub fn without(&self, name: &str) -> Self {
        let fields = self.fields.iter().filter(|(found, _)| found != name).cloned().collect();
        Self { action: self.action.clone(), fields }
    }

    pub fn encoded(&self) -> String {
        let pairs = self.fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
        pairs.collect::<Vec<_>>().join("&")
    }
}

/// Encodes a text for a form or a query.
pub fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}
