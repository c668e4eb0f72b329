//! What one source file declares and names, without its tests.

use super::tokens::{Token, is_name, tokens};

/// One file. Modules that are written within the file have their path below the module of the file.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// Whether the whole file is compiled for tests only.
    pub(super) is_test: bool,
    pub(super) modules: Vec<Declared>,
    pub(super) imports: Vec<Import>,
    pub(super) mentions: Vec<Mention>,
}

/// `mod name;`, or `mod name { .. }`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) within: Vec<String>,
    pub(super) name: String,
    /// The value of `#[path = ".."]`.
    pub(super) path: Option<String>,
    pub(super) is_inline: bool,
}

/// One name that a `use` brings into a module; `None` for `*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) within: Vec<String>,
    pub(super) name: Option<String>,
    pub(super) path: Vec<String>,
}

/// A path of at least two parts, or one that a `use` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) within: Vec<String>,
    pub(super) path: Vec<String>,
    pub(super) line: usize,
}

pub(super) fn parse(source: &str) -> Parsed {
    let tokens = tokens(source);
    let mut parser =
        Parser { tokens: &tokens, at: 0, depth: 0, open: Vec::new(), path: None, parsed: Parsed::default() };
    parser.run();
    parser.parsed
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    /// How many braces are open.
    depth: usize,
    /// The modules that are open, each with the depth of its braces.
    open: Vec<(String, usize)>,
    /// The `#[path]` in front of the item that comes next.
    path: Option<String>,
    parsed: Parsed,
}

impl<'a> Parser<'a> {
    fn peek(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text)
    }

    fn within(&self) -> Vec<String> {
        self.open.iter().map(|(name, _)| name.clone()).collect()
    }

    fn run(&mut self) {
        while self.at < self.tokens.len() && !self.parsed.is_test {
            match self.peek(0) {
                "#" => self.attribute(),
                "{" => {
                    self.depth += 1;
                    self.at += 1;
                }
                "}" => self.close(),
                "mod" if is_name(self.peek(1)) => self.module(),
                // `use<..>` in a type lists what the type captures.
                "use" if self.peek(1) != "<" => self.import(),
                name if is_name(name) => self.mention(),
                _ => self.at += 1,
            }
        }
    }

    fn close(&mut self) {
        if self.open.last().is_some_and(|(_, depth)| *depth == self.depth) {
            self.open.pop();
        }
        self.depth = self.depth.saturating_sub(1);
        self.at += 1;
    }

    fn attribute(&mut self) {
        let is_inner = self.peek(1) == "!";
        self.at += 1 + usize::from(is_inner);
        if self.peek(0) != "[" {
            return;
        }
        let start = self.at + 1;
        self.at = self.end_of_group(self.at);
        let content = self.tokens.get(start..self.at - 1).unwrap_or_default();
        let content = content.iter().map(|token| token.text).collect::<Vec<_>>();
        match content[..] {
            ["path", "=", path] => self.path = Some(path.trim_matches('"').to_owned()),
            ["cfg", "(", "test", ")"] | ["cfg", "(", "all", "(", "test", ..] if is_inner => self.parsed.is_test = true,
            ["cfg", "(", "test", ")"] | ["cfg", "(", "all", "(", "test", ..] => self.skip_item(),
            _ => {}
        }
    }

    /// The place behind the group that opens at a place.
    fn end_of_group(&self, start: usize) -> usize {
        let mut depth = 0_usize;
        for (offset, token) in self.tokens[start..].iter().enumerate() {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return start + offset + 1;
            }
        }
        self.tokens.len()
    }

    /// Skips what an attribute stands in front of: an item, a statement, a field or a variant.
    fn skip_item(&mut self) {
        self.path = None;
        while self.peek(0) == "#" {
            self.at = self.end_of_group(self.at + 1);
        }
        let starts_with =
            |words: &[&str]| self.tokens[self.at..].iter().take(4).any(|token| words.contains(&token.text));
        let (is_item, is_value) = (starts_with(ITEMS), starts_with(VALUES) && !starts_with(&["fn"]));
        while self.at < self.tokens.len() {
            match self.peek(0) {
                "{" => {
                    self.at = self.end_of_group(self.at);
                    if !is_value && self.peek(0) != "," {
                        return;
                    }
                }
                "(" | "[" => self.at = self.end_of_group(self.at),
                // The end of the enclosing group.
                ")" | "]" | "}" => return,
                ";" => {
                    self.at += 1;
                    return;
                }
                "," if !is_item => {
                    self.at += 1;
                    return;
                }
                _ => self.at += 1,
            }
        }
    }

    fn module(&mut self) {
        let name = self.peek(1).to_owned();
        let is_inline = self.peek(2) == "{";
        if is_inline || self.peek(2) == ";" {
            let within = self.within();
            self.parsed.modules.push(Declared { within, name: name.clone(), path: self.path.take(), is_inline });
        }
        if is_inline {
            self.depth += 1;
            self.open.push((name, self.depth));
        }
        self.at += 3;
    }

    fn import(&mut self) {
        self.at += 1;
        let mut leaves = Vec::new();
        self.use_tree(&mut Vec::new(), &mut leaves);
        // A name that a function imports is not visible in the modules below.
        let is_of_module = self.depth == self.open.last().map_or(0, |(_, depth)| *depth);
        for (name, path, line) in leaves {
            let within = self.within();
            if is_of_module {
                self.parsed.imports.push(Import { within: within.clone(), name, path: path.clone() });
            }
            self.parsed.mentions.push(Mention { within, path, line });
        }
    }

    fn use_tree(&mut self, prefix: &mut Vec<String>, leaves: &mut Vec<(Option<String>, Vec<String>, usize)>) {
        let outer = prefix.len();
        while let Some(token) = self.tokens.get(self.at) {
            match token.text {
                "::" => {}
                "{" => {
                    self.at += 1;
                    while !["}", ";", ""].contains(&self.peek(0)) {
                        self.use_tree(prefix, leaves);
                        self.at += usize::from(self.peek(0) == ",");
                    }
                    self.at += usize::from(self.peek(0) == "}");
                    prefix.truncate(outer);
                    return;
                }
                "*" => {
                    leaves.push((None, prefix.clone(), token.line));
                    self.at += 1;
                    prefix.truncate(outer);
                    return;
                }
                name if is_name(name) => {
                    prefix.push(name.to_owned());
                    if self.peek(1) != "::" {
                        self.at += 1;
                        leaves.push(self.leaf(prefix, token.line));
                        prefix.truncate(outer);
                        return;
                    }
                }
                // Not a plain `use`: part of a macro.
                _ => {
                    self.at += usize::from(token.text != ";" && token.text != "}" && token.text != ",");
                    prefix.truncate(outer);
                    return;
                }
            }
            self.at += 1;
        }
    }

    /// The end of a branch: `name`, `name as other` or `self`.
    fn leaf(&mut self, path: &[String], line: usize) -> (Option<String>, Vec<String>, usize) {
        let mut path = path.to_vec();
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let mut name = path.last().cloned();
        if self.peek(0) == "as" {
            name = Some(self.peek(1).to_owned());
            self.at += 2;
        }
        (name, path, line)
    }

    fn mention(&mut self) {
        let line = self.tokens[self.at].line;
        let is_continued = self.at > 0 && ["::", "."].contains(&self.tokens[self.at - 1].text);
        let mut path = vec![self.peek(0).to_owned()];
        self.at += 1;
        while self.peek(0) == "::" && is_name(self.peek(1)) {
            path.push(self.peek(1).to_owned());
            self.at += 2;
        }
        if path.len() > 1 && !is_continued {
            self.parsed.mentions.push(Mention { within: self.within(), path, line });
        }
    }
}

/// Words among the first of an item, in which a comma does not end what an attribute stands in front of.
const ITEMS: &[&str] =
    &["fn", "struct", "enum", "trait", "impl", "type", "const", "static", "use", "mod", "let", "extern", "macro_rules"];
/// Items that end with a semicolon, whatever braces they contain.
const VALUES: &[&str] = &["const", "static", "use", "let", "type"];
