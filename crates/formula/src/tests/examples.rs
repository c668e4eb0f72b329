//! Cases that the examples of the documentation leave out.

use super::gives;

#[test]
fn numbers() {
    for (formula, expected) in [
        ("1e308 * 10", "invalid_argument"),
        ("1e308 + 1e308 - 1e308", "invalid_argument"),
        ("0 * -1", "0"),
        ("format(0 * -1)", "\"0\""),
        ("0 / 0", "division_by_zero"),
        ("5 % 0", "division_by_zero"),
        ("(-8) ^ 0.5", "invalid_argument"),
        ("0 ^ 0", "1"),
        ("sum(1e308, 1e308)", "invalid_argument"),
        ("max(-1, -2)", "-1"),
        ("min(5)", "5"),
        ("round(2.345, 2)", "2.35"),
        ("round(1.5, \"a\")", "invalid_argument"),
        ("-prop(\"number\") ^ 2", "-49"),
        ("abs(\"5\")", "invalid_argument"),
        ("sqrt(true)", "invalid_argument"),
    ] {
        gives(formula, expected);
    }
}

#[test]
fn texts() {
    for (formula, expected) in [
        ("length(prop(\"text\"))", "5"),
        ("length(\"\u{1f600}\")", "1"),
        ("upper(prop(\"text\"))", "\"ÄRGER\""),
        ("lower(\"ΟΔΟΣ\")", "\"οδος\""),
        ("substring(prop(\"text\"), 1, 3)", "\"rg\""),
        ("substring(\"abc\", 2, 1)", "\"\""),
        ("substring(\"abc\", -5, 2)", "\"ab\""),
        ("substring(\"abc\", 9, 12)", "\"\""),
        ("substring(\"a\u{1f600}c\", 1, 2)", "\"\u{1f600}\""),
        ("replace(\"aaa\", \"aa\", \"b\")", "\"ba\""),
        ("replace(\"abc\", \"\", \"-\")", "\"abc\""),
        ("contains(\"abc\", \"\")", "true"),
        ("contains(prop(\"tags\"), \"blue\")", "true"),
        ("trim(\"\u{3000}\\n a\\t\")", "\"a\""),
        ("concat(\"a\", true, 1.50, today(), now())", "\"atrue1.52024-05-152024-05-15T12:00:00.000Z\""),
        ("toNumber(\"\")", "invalid_argument"),
        ("toNumber(\"1e999\")", "invalid_argument"),
        ("toNumber(\"infinity\")", "invalid_argument"),
        ("toNumber(today())", "invalid_argument"),
        ("toNumber(format(0.1)) == 0.1", "true"),
        ("upper(1)", "invalid_argument"),
        ("length(12)", "invalid_argument"),
        (r#"concat("a\"b", 'c\'d', "\\", "\n") == concat('a"b', "c'd", '\\', "\n")"#, "true"),
        ("length(\"\\n\\q\")", "2"),
    ] {
        gives(formula, expected);
    }
}

#[test]
fn dates() {
    for (formula, expected) in [
        ("dateAdd(\"2023-01-31\", 1, \"month\")", "2023-02-28"),
        ("dateAdd(\"2024-02-29\", 1, \"year\")", "2025-02-28"),
        ("dateAdd(\"2024-01-31T23:30:00Z\", 1, \"months\")", "2024-02-29T23:30:00.000Z"),
        ("dateAdd(prop(\"day\"), 24, \"hours\")", "2024-05-16T00:00:00.000Z"),
        ("dateAdd(prop(\"day\"), -1, \"days\")", "2024-05-14"),
        ("dateSubtract(prop(\"time\"), 1, \"weeks\")", "2024-05-08T11:00:00.000Z"),
        ("dateAdd(\"9999-12-31\", 1, \"day\")", "invalid_argument"),
        ("dateAdd(\"0000-01-01\", -1, \"minute\")", "invalid_argument"),
        ("dateAdd(today(), 9007199254740992, \"years\")", "invalid_argument"),
        ("dateAdd(today(), 0.5, \"days\")", "invalid_argument"),
        ("dateAdd(today(), 1, \"seconds\")", "invalid_argument"),
        ("dateAdd(\"tomorrow\", 1, \"days\")", "invalid_argument"),
        ("dateBetween(prop(\"day\"), prop(\"time\"), \"hours\")", "-11"),
        ("dateBetween(\"2024-03-31\", \"2024-02-29\", \"months\")", "1"),
        ("dateBetween(\"2024-02-28\", \"2024-01-31\", \"months\")", "0"),
        ("dateBetween(\"2024-01-31\", \"2024-02-29\", \"months\")", "-1"),
        ("dateBetween(\"2025-02-28\", \"2024-02-29\", \"years\")", "1"),
        ("dateBetween(\"2024-05-16\", \"2024-05-15T12:00:00Z\", \"days\")", "0"),
        ("dateBetween(\"9999-12-31\", \"0000-01-01\", \"minutes\")", "5259490560"),
        ("year(\"2024-12-31T23:00:00-05:00\")", "2025"),
        ("month(prop(\"time\"))", "5"),
        ("day(prop(\"day\"))", "15"),
        ("year(2024)", "invalid_argument"),
        ("prop(\"day\") == prop(\"time\")", "true"),
        ("prop(\"day\") < now()", "false"),
        ("prop(\"day\") <= now()", "true"),
        ("prop(\"time\") < now()", "true"),
        ("prop(\"day\") == today()", "true"),
        ("prop(\"day\") == \"2024-05-15\"", "invalid_argument"),
        ("formatDate(prop(\"time\"), \"\")", "\"\""),
        ("formatDate(prop(\"time\"), 5)", "invalid_argument"),
    ] {
        gives(formula, expected);
    }
}

#[test]
fn only_the_branch_that_is_needed_is_evaluated() {
    for (formula, expected) in [
        ("if(prop(\"ticked\"), 1, prop(\"bad\"))", "1"),
        ("if(not prop(\"ticked\"), prop(\"bad\"), \"no\")", "\"no\""),
        ("prop(\"ticked\") ? prop(\"bad\") : 1", "cycle"),
        ("prop(\"ticked\") or prop(\"bad\")", "true"),
        ("not prop(\"ticked\") and prop(\"bad\")", "false"),
        ("prop(\"ticked\") and prop(\"bad\")", "cycle"),
        ("coalesce(1, prop(\"bad\"))", "cycle"),
        ("if(prop(\"bad\"), 1, 2)", "cycle"),
        ("if(1, 2, 3)", "invalid_argument"),
        ("true and 1", "invalid_argument"),
        ("1 and true", "invalid_argument"),
        ("false or \"a\"", "invalid_argument"),
        ("not \"a\"", "invalid_argument"),
        ("-\"a\"", "invalid_argument"),
    ] {
        gives(formula, expected);
    }
}

#[test]
fn comparisons() {
    for (formula, expected) in [
        ("\"a\" < \"b\" and \"Z\" < \"a\" and \"z\" < \"ä\"", "true"),
        ("true > false", "true"),
        ("1 < 2 == true", "true"),
        ("1 < 2 < 3", "invalid_argument"),
        ("true == 1", "invalid_argument"),
        ("prop(\"text\") == \"Ärger\"", "true"),
        ("prop(\"text\") != prop(\"tags\")", "true"),
        ("prop(\"ticked\") == true", "true"),
        ("(prop(\"ticked\") or false) + (prop(\"ticked\") or false)", "invalid_argument"),
    ] {
        gives(formula, expected);
    }
}
