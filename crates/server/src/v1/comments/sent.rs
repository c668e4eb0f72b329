//! The parts of comments as callers send them.

use crate::wire::{Several, Text, Whole, body};
use octavo_app::{Draft, comments::NamedSelection};
use octavo_core_model::{
    Fault,
    comment::{Mention, MentionType, Mentions, Selection},
    fault::{Issue, Violation},
};

/// How many things a comment can mention, for lists in bodies.
pub(super) const MOST_MENTIONS: usize = Mentions::MOST;

/// How many characters can be quoted.
const MAX_QUOTE: usize = Selection::MAX_QUOTE;

body! {
    /// A part of the text of a block. Offsets count UTF-16 code units.
    pub(crate) SentSelection {
        example: { "startOffset": 0, "endOffset": 9, "quotedText": "Ship it t" };
        /// Where it begins.
        start_offset "startOffset": required Whole<0, 200_000>,
        /// Where it ends: the offset of the first unit after it.
        end_offset "endOffset": required Whole<0, 200_000> = 9,
        /// The selected text, as it is to be shown; by default the text of the block.
        quoted_text "quotedText": nullable Text<0, MAX_QUOTE> = "Ship it t",
    }
}

body! {
    /// Somebody or something to mention.
    pub(crate) SentMention {
        example: { "type": "user", "id": "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX" };
        /// What it is.
        kind "type": required MentionType,
        /// Its id.
        id "id": required Text<0, 100> = "usr_01KAHQ5ZJ8T3M6N9P2R4S7V0WX",
    }
}

/// The mentions in a body.
pub(super) type SentMentions = Several<SentMention, 0, MOST_MENTIONS>;

impl From<SentSelection> for NamedSelection {
    fn from(sent: SentSelection) -> Self {
        let quote = sent.quoted_text.flatten().map(|quote| quote.0);
        Self { start: sent.start_offset.count(), end: sent.end_offset.count(), quote }
    }
}

/// Reads the ids of mentions, each by its type.
pub(super) fn mentions(sent: Option<SentMentions>) -> Draft<Option<Vec<Mention>>> {
    let Some(Several(sent)) = sent else { return Ok(None) };
    let (mut mentions, mut flaws) = (Vec::with_capacity(sent.len()), Vec::new());
    for (index, mention) in sent.into_iter().enumerate() {
        if let Some(read) = mention.kind.read(&mention.id.0) {
            mentions.push(read);
        } else {
            let flaw = Violation::new(format!("mentions.{index}.id"), Issue::InvalidId);
            flaws.push(flaw.with(mention.id.0.into()));
        }
    }
    if flaws.is_empty() { Ok(Some(mentions)) } else { Err(Fault::Invalid(flaws)) }
}
