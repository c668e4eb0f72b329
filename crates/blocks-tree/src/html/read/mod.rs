//! From HTML to blocks.

mod build;
mod names;

use crate::{
    Body, Kind, Piece, RichText,
    refusal::{Budget, Refusal, check_cancelled, check_nesting},
    run::cut_plain,
};
use build::Build;
use html5ever::{
    buffer_queue::BufferQueue,
    tendril::StrTendril,
    tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts, states::RawKind},
};
use octavo_core_model::cancellation::Cancellation;
use std::cell::RefCell;

const MAX_TITLE: usize = 300;

/// The text is parsed in parts of this many bytes. The parser goes through the whole of a part, even if its caller no
/// longer waits for it.
const PART: usize = 64 << 10;

/// The title from the head, and the blocks of the body.
pub(super) fn read(text: &str, budget: Budget, cancellation: &Cancellation) -> Result<(String, Vec<Piece>), Refusal> {
    budget.allow(text)?;
    super::bomb::check(text, cancellation)?;
    let sink = Sink(RefCell::new(State { build: Build::new(budget), cancellation: cancellation.clone(), fault: None }));
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let input = BufferQueue::default();
    let mut left = text;
    while !left.is_empty() && tokenizer.sink.0.borrow().fault.is_none() {
        let (part, rest) = left.split_at(left.floor_char_boundary(PART.min(left.len())));
        left = rest;
        input.push_back(StrTendril::from(part));
        // The parser pauses after each script. Scripts are not run, so it is resumed at once.
        while !input.is_empty() {
            let _ = tokenizer.feed(&input);
        }
    }
    tokenizer.end();
    let State { build, fault, .. } = tokenizer.sink.0.into_inner();
    if let Some(fault) = fault {
        return Err(fault);
    }
    let (title, pieces) = build.finish()?;
    check_nesting(&pieces, None)?;
    Ok((title, pieces))
}

/// The title from the head, otherwise the first heading. A heading that only repeats the title at the start of the
/// page is removed.
pub(super) fn titled((head_title, mut pieces): (String, Vec<Piece>)) -> (Option<String>, Vec<Piece>) {
    if !head_title.trim().is_empty() && title_of(&head_title).is_none() {
        let parts = cut_plain(head_title.trim()).into_iter().map(RichText::plain);
        let parts = parts.map(|part| Piece::new(Body::with_text(Kind::Paragraph, part)));
        pieces.splice(..0, parts);
    }
    let heading = |piece: &Piece| {
        let text = piece.body.text().filter(|_| piece.body.kind() == Kind::Heading1)?;
        title_of(text.text())
    };
    let first = pieces.iter().find_map(heading);
    let leading = pieces.first().and_then(heading);
    let title = title_of(&head_title).or(first);
    if leading.is_some() && leading == title && pieces.first().is_some_and(|piece| piece.children.is_empty()) {
        pieces.remove(0);
    }
    (title, pieces)
}

/// A single line that is not too long.
fn title_of(text: &str) -> Option<String> {
    let title = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = !title.is_empty() && title.chars().count() <= MAX_TITLE && !title.chars().any(char::is_control);
    fits.then_some(title)
}

struct Sink(RefCell<State>);

struct State {
    build: Build,
    cancellation: Cancellation,
    /// The flaw that stopped parsing; the rest is ignored.
    fault: Option<Refusal>,
}

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        if state.fault.is_some() {
            return TokenSinkResult::Continue;
        }
        if let Err(cancelled) = check_cancelled(&state.cancellation) {
            state.fault = Some(cancelled);
            return TokenSinkResult::Continue;
        }
        let done = match token {
            Token::CharacterTokens(text) => {
                state.build.text(&text);
                Ok(())
            }
            Token::TagToken(tag) => {
                let done = state.build.tag(&tag);
                if done.is_ok() && tag.kind == TagKind::StartTag {
                    return raw(&tag);
                }
                done
            }
            _ => Ok(()),
        };
        state.fault = done.err();
        TokenSinkResult::Continue
    }
}

/// The content of these tags is not HTML.
fn raw(tag: &Tag) -> TokenSinkResult<()> {
    match &*tag.name {
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        _ => TokenSinkResult::Continue,
    }
}
