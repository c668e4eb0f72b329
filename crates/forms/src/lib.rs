#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod access;
mod answer;
mod bounds;
mod config;
pub mod describe;
mod fault;
mod form;
#[cfg(test)]
mod fuzz;
mod intro;
mod kinds;
mod mapping;
mod pattern;
mod patterns;
mod public;
mod question;
mod questions;
mod responses;
mod submission;
#[cfg(test)]
mod tests;

pub use access::{DatabaseState, PublicAccess};
pub use answer::{Answer, AnswerCode, AnswerProblem};
pub use bounds::Bounds;
pub use config::Config;
pub use fault::{FormFault, MappingIssue, MappingProblem, PatternProblem};
pub use form::{Form, FormDraft};
pub use kinds::{Choices, DateRules, FileRules, NumberRules, RatingRules, Rules, TextRules, validation_keys};
pub use mapping::property_types;
pub use pattern::{Matcher, Pattern, PatternFault, TooSlow};
pub use patterns::check_patterns;
pub use question::{Question, Unreadable};
pub use questions::{Builder, Difference, Questions};
pub use responses::{Search, masked_address, network_of};
pub use submission::{Accepted, Answers, FileDemand, FilesFault, FormFile, NewRecord, Submission, is_from_robot};

/// The checks shared with the fuzz target refer to this crate by its name.
#[cfg(test)]
extern crate self as octavo_forms;
