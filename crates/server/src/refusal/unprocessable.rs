//! Refusals with 422: the call is well-formed, but what it asks for is not possible.

use super::Problem;
use actix_web::http::StatusCode;
use octavo_core_model::{
    fault::{PageLimit, PrincipalField, Unprocessable},
    page,
};
use octavo_formula::DEFAULT_BUDGET;
use serde_json::{Value, json};
use std::borrow::Cow;

/// The refusal of something that is well-formed but not possible.
pub(super) fn problem(unfit: Unprocessable) -> Problem {
    let message = match unfit {
        Unprocessable::CycleDetected => "A page cannot be placed under itself.",
        Unprocessable::MaxDepth => "Pages can be nested at most 50 deep.",
        Unprocessable::DatabaseParent => "A database contains records. Create a record there instead.",
        Unprocessable::RecordPage => "This page belongs to a record. Move, archive or delete the record instead.",
        Unprocessable::TooLarge => "That is more than one call can copy. Copy it in parts.",
        Unprocessable::PageTooLarge(limit) => return page_too_large(limit),
        Unprocessable::ListTooLarge(limit) => return list_too_large(limit),
        Unprocessable::UnknownPrincipal(_) => "This user or team does not belong to the workspace.",
        Unprocessable::ViewOnlyLink => "This link only shows its page; it cannot be joined.",
        Unprocessable::SelfLockout => "This would remove your own full access. Send `force: true` if you mean it.",
    };
    let mut detail = json!({ "issue": unfit.name(), "resource": "page" });
    if let Some(field) = field_of(unfit) {
        detail["field"] = field.into();
    }
    with_detail(message, detail)
}

/// The field of the body that is at fault, if it is one.
fn field_of(unfit: Unprocessable) -> Option<Cow<'static, str>> {
    match unfit {
        Unprocessable::CycleDetected | Unprocessable::MaxDepth | Unprocessable::DatabaseParent => {
            Some("parentId".into())
        }
        Unprocessable::UnknownPrincipal(PrincipalField::OfGrant) => Some("principalId".into()),
        Unprocessable::UnknownPrincipal(PrincipalField::InGrants(index)) => {
            Some(format!("grants.{index}.principalId").into())
        }
        Unprocessable::UnknownPrincipal(PrincipalField::Absent)
        | Unprocessable::RecordPage
        | Unprocessable::TooLarge
        | Unprocessable::PageTooLarge(_)
        | Unprocessable::ListTooLarge(_)
        | Unprocessable::SelfLockout
        | Unprocessable::ViewOnlyLink => None,
    }
}

fn page_too_large(limit: PageLimit) -> Problem {
    let message = match limit {
        PageLimit::Blocks => "A page can have at most 20000 blocks.",
        PageLimit::Bytes => "The blocks of a page can have at most 16 MB.",
    };
    beyond(message, "page", limit)
}

fn list_too_large(limit: PageLimit) -> Problem {
    let message = match limit {
        PageLimit::Blocks => {
            "A list with deleted blocks can have at most 20000 blocks. Send a smaller `limit`, or a `parentBlockId` to \
             list a part of the page."
        }
        PageLimit::Bytes => {
            "A list with deleted blocks can have at most 16 MB. Send a smaller `limit`, or a `parentBlockId` to list a \
             part of the page."
        }
    };
    beyond(message, "list", limit)
}

fn beyond(message: &'static str, resource: &str, limit: PageLimit) -> Problem {
    let (unit, most) = match limit {
        PageLimit::Blocks => ("blocks", page::MAX_BLOCKS as u64),
        PageLimit::Bytes => ("bytes", page::MAX_BYTES),
    };
    with_detail(message, json!({ "issue": "too_large", "resource": resource, "limit": most, "unit": unit }))
}

pub(super) fn with_detail(message: &'static str, detail: Value) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "UNPROCESSABLE_ENTITY", message).detail(detail)
}

/// How many milliseconds a formula may take for one record.
const FORMULA_MILLIS: u32 = 50;

pub(super) fn formula_timeout() -> Problem {
    let message = "The formula takes too long for the first record of the database.";
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "FORMULA_TIMEOUT", message)
        .detail(json!({ "issue": "formula_budget", "reason": "formula_budget", "opLimit": DEFAULT_BUDGET, "timeoutMs": FORMULA_MILLIS }))
}
