//! `EMAIL`.

use crate::answer::{Answer, AnswerCode, Report};
use octavo_core_model::text::Email;
use serde_json::Value;

pub(super) fn check(sent: &Value, report: &mut Report<'_>) -> Option<Answer> {
    // The case before the `@` can matter to its host, so the address stays as it was written.
    let address = sent.as_str().map(str::trim).filter(|text| Email::parse(text).is_ok());
    if address.is_none() {
        report.add(AnswerCode::Email, "This must be an email address, such as ada@example.com.");
    }
    address.map(|address| Answer::Text(address.to_owned()))
}
