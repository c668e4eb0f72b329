//! Names of properties in formulas. A formula is saved with ids in place of names and shown with the present names, so
//! that renaming a property never breaks it. Everything else in the text stays as it was written.

use crate::syntax::{Expr, MAX_BYTES, Mistake, Reference, SyntaxError, parse};
use std::{collections::BTreeSet, fmt::Display};

/// How a formula refers to a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named<'a> {
    /// The text in `prop("...")`: a name or an id.
    Quoted(&'a str),
    /// A word outside of quotes, which can only be an id.
    Word(&'a str),
}

/// Checks a formula that somebody wrote, and replaces the names of properties by the ids that `find` has for them.
pub fn bind<Id: Display>(formula: &str, mut find: impl FnMut(Named<'_>) -> Option<Id>) -> Result<String, SyntaxError> {
    if formula.len() > MAX_BYTES {
        let mistake = Mistake::TooLong(MAX_BYTES);
        return Err(SyntaxError { position: crate::Position::of(formula, 0), mistake });
    }
    let expr = parse(formula)?;
    let mut ids = Vec::new();
    for reference in expr.references() {
        let id = find(named(reference)).ok_or_else(|| unknown(&expr, reference))?;
        ids.push(id.to_string());
    }
    let mut ids = ids.into_iter();
    Ok(rewritten(&expr, |reference| {
        let id = ids.next().unwrap_or_default();
        if reference.is_quoted { quoted(&id) } else { id }
    }))
}

/// A saved formula with the present names of properties in place of their ids, also of those that were written without
/// quotes. Properties for which there is no name stay as they are.
pub fn show<'a>(saved: &str, mut name_of: impl FnMut(&str) -> Option<&'a str>) -> String {
    let Ok(expr) = parse(saved) else { return saved.to_owned() };
    rewritten(&expr, |reference| match name_of(&reference.named) {
        Some(name) => quoted(name),
        None => expr.text()[reference.span.clone()].to_owned(),
    })
}

/// The ids of the properties that a saved formula uses.
pub fn properties(saved: &str) -> BTreeSet<String> {
    parse(saved).map(|expr| expr.properties().map(str::to_owned).collect()).unwrap_or_default()
}

fn named(reference: &Reference) -> Named<'_> {
    if reference.is_quoted { Named::Quoted(&reference.named) } else { Named::Word(&reference.named) }
}

fn unknown(expr: &Expr, reference: &Reference) -> SyntaxError {
    let name = reference.named.clone();
    let mistake = if reference.is_quoted {
        Mistake::UnknownProperty(name)
    } else {
        Mistake::UnknownWord { word: name, hint: None }
    };
    SyntaxError { position: expr.at(reference.span.start), mistake }
}

/// The text of a formula with something else in the place of each property.
fn rewritten(expr: &Expr, mut replacement: impl FnMut(&Reference) -> String) -> String {
    let (mut text, mut kept) = (String::with_capacity(expr.text().len()), 0);
    for reference in expr.references() {
        text.push_str(&expr.text()[kept..reference.span.start]);
        text.push_str(&replacement(reference));
        kept = reference.span.end;
    }
    text.push_str(&expr.text()[kept..]);
    text
}

fn quoted(name: &str) -> String {
    format!("prop(\"{}\")", name.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn find(named: Named<'_>) -> Option<&'static str> {
        match named {
            Named::Quoted("Price" | "p_1") | Named::Word("p_1") => Some("p_1"),
            Named::Quoted("Say \"hi\" \\o/") => Some("p_2"),
            _ => None,
        }
    }

    fn name_of(id: &str) -> Option<&'static str> {
        match id {
            "p_1" => Some("Cost"),
            "p_2" => Some("A \"b\" \\"),
            _ => None,
        }
    }

    #[test]
    fn names_are_saved_as_ids_and_shown_as_they_are_now() {
        let sent = "prop( 'Price' ) *\n 2 + prop(\"p_1\") + length(prop('Say \"hi\" \\\\o/')) + p_1 + length(\"prop('Price')\")";
        let saved = bind(sent, find).unwrap();
        assert_eq!(
            saved,
            "prop(\"p_1\") *\n 2 + prop(\"p_1\") + length(prop(\"p_2\")) + p_1 + length(\"prop('Price')\")"
        );
        assert_eq!(
            show(&saved, name_of),
            "prop(\"Cost\") *\n 2 + prop(\"Cost\") + length(prop(\"A \\\"b\\\" \\\\\")) + prop(\"Cost\") + length(\"prop('Price')\")"
        );
        assert_eq!(properties(&saved).into_iter().collect::<Vec<_>>(), ["p_1", "p_2"]);
        assert_eq!(show("prop(\"gone\") + 1", name_of), "prop(\"gone\") + 1");
    }

    #[test]
    fn unknown_properties_are_reported_where_they_are() {
        let fault = |text: &str| {
            let fault = bind(text, find).unwrap_err();
            (fault.position.offset, fault.mistake.to_string())
        };
        assert_eq!(fault("\"ä\" == prop(\"Prise\")"), (7, "there is no property \"Prise\"".to_owned()));
        let (offset, message) = fault("1 + Price");
        assert_eq!(offset, 4);
        assert_eq!(message, "`Price` means nothing; properties are written prop(\"Price\"), texts in quotes");
    }

    #[test]
    fn a_formula_may_grow_by_its_ids_and_not_by_its_writer() {
        let id = "prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3";
        let sent = vec!["prop(\"A\")"; 1000].join("+");
        let saved = bind(&sent, |_| Some(id)).unwrap();
        assert!(saved.len() > MAX_BYTES && properties(&saved).contains(id));
        let fault = bind(&"1+".repeat(MAX_BYTES), |_| Some(id)).unwrap_err();
        assert_eq!(fault.mistake, Mistake::TooLong(MAX_BYTES));
    }

    proptest! {
        #[test]
        fn any_name_survives(name: String) {
            let saved = bind(&format!("1 + {}", quoted(&name)), |named| (named == Named::Quoted(&name)).then_some("p_1"));
            prop_assert_eq!(saved.as_deref(), Ok("1 + prop(\"p_1\")"));
        }
    }
}
