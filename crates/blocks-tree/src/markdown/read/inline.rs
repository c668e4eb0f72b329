//! Collects text and marks from the parser's events.

use super::address;
use crate::{MarkKind, RichText, rich_text::is_link, run::Run};
use octavo_core_model::id::FileId;
use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};
use std::ops::Range;

#[derive(Debug, PartialEq)]
enum Token {
    Text(String),
    Break,
    Open(MarkKind),
    Close(MarkKind),
    /// A delimiter of highlighted text, which is plain text if it has no counterpart.
    Equals {
        begins: bool,
        ends: bool,
    },
    /// A tag that starts or ends underlined text; plain text if it has no counterpart.
    Tag {
        begins: bool,
        source: String,
    },
    /// A display equation.
    Display(String),
}

/// An image block that was found in a text.
#[derive(Debug, PartialEq)]
pub(super) struct Picture {
    pub(super) file: FileId,
    pub(super) caption: String,
}

/// What a paragraph consists of.
pub(super) enum Paragraph {
    Equation(String),
    /// Texts, several only if one block cannot hold all, and the images in them.
    Text(Vec<RichText>, Vec<Picture>),
}

/// Collects what is between the start and the end of a text.
#[derive(Default)]
pub(super) struct Inline {
    tokens: Vec<Token>,
    pictures: Vec<Picture>,
    /// Where the description of each open image starts, and where the image leads.
    images: Vec<(usize, String)>,
    /// The mark of each open link; `None` if it leads nowhere.
    links: Vec<Option<MarkKind>>,
    /// How many marks the text has so far.
    marks: usize,
}

impl Inline {
    pub(super) fn read_event(&mut self, event: Event<'_>, range: &Range<usize>, source: &str) {
        match event {
            Event::Text(text) => self.text(&text, range, source),
            Event::Code(code) => self.literal(MarkKind::Code, &code),
            Event::InlineMath(latex) => self.literal(MarkKind::Equation, &latex),
            Event::DisplayMath(latex) => self.tokens.push(Token::Display(latex.into_string())),
            Event::InlineHtml(html) | Event::Html(html) => self.html(html.into_string()),
            Event::FootnoteReference(name) => self.words(&format!("[^{name}]")),
            Event::SoftBreak => self.words(" "),
            Event::HardBreak => self.tokens.push(Token::Break),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Rule | Event::TaskListMarker(_) => {}
        }
    }

    /// How many marks the text has so far; nested ones of the same kind count too.
    pub(super) const fn marks(&self) -> usize {
        self.marks
    }

    /// Adds a text that has no other meaning. The parser reports each possible delimiter as a separate text, so they
    /// are joined; a text in the description of an image stays apart from the one in front of it.
    fn words(&mut self, text: &str) {
        let begin = self.images.last().map_or(0, |(begin, _)| *begin);
        match self.tokens.get_mut(begin..).and_then(<[_]>::last_mut) {
            Some(Token::Text(before)) => before.push_str(text),
            _ => self.tokens.push(Token::Text(text.to_owned())),
        }
    }

    fn close(&mut self, kind: MarkKind) {
        self.marks += 1;
        self.tokens.push(Token::Close(kind));
    }

    fn text(&mut self, text: &str, range: &Range<usize>, source: &str) {
        let is_literal = source.get(range.clone()) != Some(text);
        if is_literal || !text.contains("==") {
            return self.words(text);
        }
        let is_escaped = range.start > 0 && source.as_bytes()[range.start - 1] == b'\\';
        let mut kept = 0;
        let mut at = usize::from(is_escaped);
        while let Some(found) = text[at..].find("==").map(|found| at + found) {
            let length = text[found..].bytes().take_while(|byte| *byte == b'=').count();
            at = found + length;
            if length == 2 {
                if kept < found {
                    self.words(&text[kept..found]);
                }
                let ends = text[..found].chars().next_back().is_none_or(|letter| !letter.is_whitespace());
                let begins = text[at..].chars().next().is_none_or(|letter| !letter.is_whitespace());
                self.tokens.push(Token::Equals { begins, ends });
                kept = at;
            }
        }
        if kept < text.len() {
            self.words(&text[kept..]);
        }
    }

    fn literal(&mut self, kind: MarkKind, text: &str) {
        self.tokens.push(Token::Open(kind.clone()));
        self.tokens.push(Token::Text(text.to_owned()));
        self.close(kind);
    }

    fn html(&mut self, source: String) {
        let token = match source.to_ascii_lowercase().as_str() {
            "<u>" => Token::Tag { begins: true, source },
            "</u>" => Token::Tag { begins: false, source },
            lower if is_break(lower) => Token::Break,
            _ => return self.words(&source),
        };
        self.tokens.push(token);
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Emphasis => self.tokens.push(Token::Open(MarkKind::Italic)),
            Tag::Strong => self.tokens.push(Token::Open(MarkKind::Bold)),
            Tag::Strikethrough => self.tokens.push(Token::Open(MarkKind::Strikethrough)),
            Tag::Link { link_type, dest_url, .. } => {
                let kind = target(link_type, &dest_url);
                self.tokens.extend(kind.clone().map(Token::Open));
                self.links.push(kind);
            }
            Tag::Image { dest_url, .. } => self.images.push((self.tokens.len(), dest_url.into_string())),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis => self.close(MarkKind::Italic),
            TagEnd::Strong => self.close(MarkKind::Bold),
            TagEnd::Strikethrough => self.close(MarkKind::Strikethrough),
            TagEnd::Link => {
                let Some(Some(kind)) = self.links.pop() else { return };
                // A link without text would be lost, so its address becomes the text.
                if let (Some(Token::Open(_)), MarkKind::Link { url }) = (self.tokens.last(), &kind) {
                    self.tokens.push(Token::Text(url.clone()));
                }
                self.close(kind);
            }
            TagEnd::Image => self.end_image(),
            _ => {}
        }
    }

    fn end_image(&mut self) {
        let Some((begin, target)) = self.images.pop() else { return };
        let described = self.tokens.split_off(begin.min(self.tokens.len()));
        let file = target.strip_prefix("file:").and_then(|id| id.parse::<FileId>().ok());
        if let Some(file) = file {
            let caption = plain(&described);
            if caption.chars().count() <= MAX_CAPTION {
                self.marks -= described.iter().filter(|token| matches!(token, Token::Close(_))).count();
                return self.pictures.push(Picture { file, caption });
            }
        }
        let is_in_link = self.links.iter().any(Option::is_some);
        let link = (!is_in_link && is_link(&target)).then(|| MarkKind::Link { url: target.clone() });
        let is_silent = plain(&described).is_empty();
        self.tokens.extend(link.clone().map(Token::Open));
        if is_silent {
            self.tokens.push(Token::Text(target));
        } else {
            self.tokens.extend(described);
        }
        self.tokens.extend(link.map(Token::Close));
    }

    /// As plain texts and images, for headings and cells, which cannot be anything else.
    pub(super) fn into_texts(self) -> (Vec<RichText>, Vec<Picture>) {
        let pictures = self.pictures;
        (assemble(self.tokens), pictures)
    }

    pub(super) fn into_paragraph(self) -> Paragraph {
        let mut loud = self.tokens.iter().filter(|token| !matches!(token, Token::Text(text) if text.trim().is_empty()));
        if let (Some(Token::Display(latex)), None, true) = (loud.next(), loud.next(), self.pictures.is_empty()) {
            let latex = latex.strip_prefix('\n').unwrap_or(latex);
            return Paragraph::Equation(latex.strip_suffix('\n').unwrap_or(latex).to_owned());
        }
        let (mut texts, pictures) = self.into_texts();
        if !pictures.is_empty() && texts.iter().all(|text| text.text().trim().is_empty()) {
            texts.clear();
        }
        Paragraph::Text(texts, pictures)
    }
}

const MAX_CAPTION: usize = 2000;

pub(super) fn is_break(lower: &str) -> bool {
    let name = lower.strip_prefix("<br").and_then(|rest| rest.strip_suffix('>'));
    name.is_some_and(|rest| matches!(rest.trim(), "" | "/"))
}

fn target(link: LinkType, url: &CowStr<'_>) -> Option<MarkKind> {
    if link == LinkType::Email {
        return address::link(&format!("mailto:{url}"));
    }
    address::link(url)
}

fn plain(tokens: &[Token]) -> String {
    let words = tokens.iter().map(|token| match token {
        Token::Text(text) | Token::Display(text) | Token::Tag { source: text, .. } => text.as_str(),
        Token::Equals { .. } => "==",
        Token::Break => "\n",
        Token::Open(_) | Token::Close(_) => "",
    });
    words.collect()
}

/// Adds the marks that have both a start and an end; a delimiter without a counterpart becomes text.
fn assemble(tokens: Vec<Token>) -> Vec<RichText> {
    let paired = pairs(&tokens);
    let mut run = Run::default();
    for (token, paired) in tokens.into_iter().zip(paired) {
        match token {
            Token::Text(text) => run.push(&text),
            Token::Break => run.push_letter('\n'),
            Token::Open(kind) => run.open(kind),
            Token::Close(kind) => run.close(|open| *open == kind),
            Token::Display(latex) => {
                run.open(MarkKind::Equation);
                run.push(latex.trim_matches('\n'));
                run.close(|open| *open == MarkKind::Equation);
            }
            Token::Equals { .. } => toggle(&mut run, MarkKind::Highlight, paired, "=="),
            Token::Tag { source, .. } => toggle(&mut run, MarkKind::Underline, paired, &source),
        }
    }
    run.take_texts()
}

fn toggle(run: &mut Run, kind: MarkKind, paired: Option<Side>, source: &str) {
    match paired {
        Some(Side::Begin) => run.open(kind),
        Some(Side::End) => run.close(|open| *open == kind),
        None => run.push(source),
    }
}

#[derive(Clone, Copy)]
enum Side {
    Begin,
    End,
}

fn pairs(tokens: &[Token]) -> Vec<Option<Side>> {
    let mut paired = vec![None; tokens.len()];
    let mut highlight = None;
    let mut underlines = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let begin = match token {
            Token::Equals { ends: true, .. } if highlight.is_some_and(|begin| begin + 1 < at) => highlight.take(),
            Token::Equals { begins: true, .. } if highlight.is_none() => {
                highlight = Some(at);
                None
            }
            Token::Tag { begins: true, .. } => {
                underlines.push(at);
                None
            }
            Token::Tag { begins: false, .. } => underlines.pop(),
            _ => None,
        };
        if let Some(begin) = begin {
            paired[begin] = Some(Side::Begin);
            paired[at] = Some(Side::End);
        }
    }
    paired
}
