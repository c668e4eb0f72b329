//! Code and equations.

use super::{Classes, Writer, align, is_set, string};
use crate::{Body, html::text::escape};
use std::fmt::Write as _;

/// Names for code without a language.
const PLAIN: &[&str] = &["", "plain", "plaintext", "plain_text", "text", "txt", "none"];

/// How languages are written, unless only their first letter is a capital.
const NAMES: &[(&str, &str)] = &[
    ("cpp", "C++"),
    ("cs", "C#"),
    ("csharp", "C#"),
    ("css", "CSS"),
    ("fsharp", "F#"),
    ("graphql", "GraphQL"),
    ("html", "HTML"),
    ("javascript", "JavaScript"),
    ("js", "JavaScript"),
    ("json", "JSON"),
    ("jsx", "JSX"),
    ("latex", "LaTeX"),
    ("matlab", "MATLAB"),
    ("objc", "Objective-C"),
    ("php", "PHP"),
    ("py", "Python"),
    ("rb", "Ruby"),
    ("rs", "Rust"),
    ("scss", "SCSS"),
    ("sh", "Shell"),
    ("sql", "SQL"),
    ("toml", "TOML"),
    ("ts", "TypeScript"),
    ("tsx", "TSX"),
    ("typescript", "TypeScript"),
    ("xml", "XML"),
    ("yaml", "YAML"),
    ("yml", "YAML"),
];

impl Writer<'_> {
    /// The label and the numbers of the lines are attributes that the style sheet shows. So they are neither copied
    /// with the code nor imported as part of it.
    pub(super) fn code(&mut self, body: &Body) {
        let wraps = is_set(body, "wrap");
        self.out.push_str("<div class=\"code\"");
        if let Some(label) = label(string(body, "language")) {
            self.out.push_str(" data-language=\"");
            escape(&label, &mut self.out);
            self.out.push('"');
        }
        self.out.push_str("><pre");
        if wraps {
            self.out.push_str(" class=\"wrap\"");
        } else {
            self.out.push_str(" tabindex=\"0\"");
            // A wrapped line has more than one line on the screen, so its number would not be next to it.
            if is_set(body, "showLineNumbers") {
                self.line_numbers(string(body, "code"));
            }
        }
        self.out.push_str("><code class=\"language-");
        self.plain(body, "language");
        // A line break directly after the tag would be ignored.
        self.out.push_str("\">");
        match self.presentation.code(string(body, "language"), string(body, "code")) {
            Some(colored) => self.out.push_str(&colored),
            None => self.plain(body, "code"),
        }
        self.out.push_str("</code></pre></div>\n");
    }

    fn line_numbers(&mut self, code: &str) {
        self.out.push_str(" data-lines=\"");
        for line in 1..=code.lines().count().max(1) {
            let _ = writeln!(self.out, "{line}");
        }
        self.out.push('"');
    }

    /// A long equation can be scrolled, also with the keyboard.
    pub(super) fn equation(&mut self, body: &Body) {
        let source = string(body, "latex");
        self.out.push_str("<p");
        Classes::of("equation").with(align(body)).write(&mut self.out);
        if let Some(markup) = self.presentation.equation(source, true) {
            self.out.extend([" tabindex=\"0\">", &markup]);
        } else {
            self.out.push_str("><code>");
            escape(source, &mut self.out);
            self.out.push_str("</code>");
        }
        self.out.push_str("</p>\n");
    }
}

/// The language of code as readers see it; `None` for plain text.
fn label(language: &str) -> Option<String> {
    let language = language.trim();
    if PLAIN.iter().any(|plain| language.eq_ignore_ascii_case(plain)) {
        return None;
    }
    let known = NAMES.iter().find(|(name, _)| language.eq_ignore_ascii_case(name));
    if let Some((_, label)) = known {
        return Some((*label).to_owned());
    }
    let mut letters = language.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect())
}
