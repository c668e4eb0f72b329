//! What is known of types before a formula runs.

use crate::{Clock, Types, check, compile, parse};

fn types_of(name: &str) -> Option<Types> {
    match name {
        "number" => Some(Types::NUMBER),
        "text" => Some(Types::TEXT),
        "date" => Some(Types::DATE),
        "nothing" => Some(Types::NONE),
        _ => None,
    }
}

#[test]
fn the_type_of_a_result_follows_from_its_parts() {
    for (formula, expected) in [
        ("1 + 2", "number"),
        ("prop(\"text\")", "text"),
        ("prop(\"number\") > 1", "boolean"),
        ("if(true, 1, \"a\")", "number or text"),
        ("true ? prop(\"date\") : today()", "date"),
        ("true and false", "boolean"),
        ("coalesce(prop(\"number\"), \"-\")", "number or text"),
        ("prop(\"unknown\")", "any"),
        ("prop(\"nothing\")", "null"),
        ("toNumber(prop(\"text\"))", "number"),
        ("dateAdd(today(), 1, \"days\")", "date"),
    ] {
        assert_eq!(check(&parse(formula).unwrap(), types_of).result.to_string(), expected, "{formula}");
    }
}

#[test]
fn operands_that_no_row_can_work_with_are_found() {
    for (formula, expected) in [
        ("1 + (prop(\"text\"))", "`+` takes number and gets text (at character 6)"),
        ("prop(\"number\") == prop(\"text\")", "`==` takes number and gets text (at character 19)"),
        ("-upper(\"a\")", "`-` takes number and gets text (at character 2)"),
        ("if(1 + 2, 1, 2)", "`if` takes boolean and gets number (at character 4)"),
        ("true and 1", "`and` takes boolean and gets number (at character 10)"),
        ("year(5)", "`year` takes text or date and gets number (at character 6)"),
        ("sum(1, 2, true)", "`sum` takes number and gets boolean (at character 11)"),
        ("if(true, 1, 2) < prop(\"date\")", "`<` takes number and gets date (at character 18)"),
    ] {
        let mismatches = check(&parse(formula).unwrap(), types_of).mismatches;
        let messages: Vec<_> = mismatches.iter().map(ToString::to_string).collect();
        assert_eq!(messages, [expected], "{formula}");
    }
}

#[test]
fn what_some_rows_can_work_with_is_no_mismatch() {
    for formula in [
        "if(true, 1, \"a\") + 1",
        "prop(\"unknown\") + 1",
        "prop(\"nothing\") + 1",
        "year(prop(\"text\"))",
        "concat(1, true, today())",
        "prop(\"nothing\") == 1",
    ] {
        assert_eq!(check(&parse(formula).unwrap(), types_of).mismatches, [], "{formula}");
    }
}

#[test]
fn a_program_says_what_it_reads_of_the_time() {
    let clock = |formula: &str| compile(&parse(formula).unwrap()).clock();
    assert_eq!(clock("1 + 1"), Clock::Unused);
    assert_eq!(clock("if(true, 1, year(today()))"), Clock::Day);
    assert_eq!(clock("dateBetween(now(), today(), \"days\")"), Clock::Time);
}
