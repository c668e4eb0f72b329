//! A letter as an internet message.

use crate::{letterhead::Letterhead, wording};
use lettre::{
    Address, Message,
    message::{
        Body, Mailbox, MultiPart, SinglePart,
        header::{ContentTransferEncoding, ContentType, Header, HeaderName, HeaderValue},
    },
};
use octavo_core_model::{id::JobId, mail::Letter};
use octavo_ports::mailer::MailFailure;
use std::time::SystemTime;

/// Asks mail programs not to send automatic replies (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the date says when a message left, which only the one who sends it knows"
)]
pub(crate) fn compose(job: JobId, letter: &Letter, letterhead: &Letterhead) -> Result<Message, MailFailure> {
    let to = letter.to.as_str().parse::<Address>();
    let to = to.map_err(|_| permanent_failure("the recipient's address is malformed"))?;
    let wording = wording::word(letter, letterhead);
    Message::builder()
        .from(letterhead.from.clone())
        // Only the address: a name that somebody chose should not be in a header.
        .to(Mailbox::new(None, to))
        .subject(wording.subject)
        .date(SystemTime::now())
        .message_id(Some(letterhead.message_id(&job.to_string())))
        .header(AutoSubmitted)
        .multipart(
            MultiPart::alternative()
                .singlepart(part(ContentType::TEXT_PLAIN, wording.text))
                .singlepart(part(ContentType::TEXT_HTML, wording.html)),
        )
        .map_err(|_| permanent_failure("the message cannot be built"))
}

/// ASCII is sent unencoded; its lines may have 998 bytes. lettre would encode lines with more than 76, and break
/// links for people who read the source of a message.
fn part(content_type: ContentType, text: String) -> SinglePart {
    let plain = text.is_ascii() && text.lines().all(|line| line.len() <= 998);
    let body = if plain {
        Body::dangerous_pre_encoded(text.replace('\n', "\r\n").into_bytes(), ContentTransferEncoding::SevenBit)
    } else {
        Body::new(text)
    };
    SinglePart::builder().header(content_type).body(body)
}

fn permanent_failure(reason: &str) -> MailFailure {
    MailFailure::Never(reason.to_owned())
}
