//! Random formulas over random records give what the second evaluator gives, row by row and in columns.

use super::{
    NOW,
    naive::{Walk, owned},
    trees::{PROPERTIES, Tree, tree},
};
use crate::{Column, Date, Input, OwnedValue, RowError, Run, check, compile, fuzz::run, parse};
use proptest::{collection::vec, prelude::*, sample::select};

/// A value that a property of this index can have in a record.
fn value(property: usize) -> BoxedStrategy<OwnedValue> {
    let number = || select(vec![0.0, 1.0, -2.5, 3.0, 42.0, 1e300]).prop_map(OwnedValue::Number);
    let text = || prop_oneof!["[a-c\u{e4} ]{0,80}", "[0-9]{1,2}"].prop_map(|text| OwnedValue::Text(text.into()));
    let boolean = || any::<bool>().prop_map(OwnedValue::Boolean);
    let date = || {
        let millis = prop_oneof![
            Just(NOW),
            NOW - 10_000_000_000..NOW + 10_000_000_000,
            -62_167_219_200_000..253_402_300_799_999_i64
        ];
        let date = |(millis, has_time)| if has_time { Date::at(millis) } else { Date::day_of(millis) };
        (millis, any::<bool>()).prop_map(date).prop_map(|date| OwnedValue::Date(date.unwrap()))
    };
    let of_type = match property {
        0 | 1 => number().boxed(),
        2 => text().boxed(),
        3 => boolean().boxed(),
        4 => date().boxed(),
        _ => prop_oneof![number(), text(), boolean(), date()].boxed(),
    };
    let error = select(RowError::ALL.to_vec()).prop_map(OwnedValue::Error);
    prop_oneof![16 => of_type, 2 => Just(OwnedValue::Null), 1 => error].boxed()
}

fn record() -> impl Strategy<Value = Vec<OwnedValue>> {
    (0..PROPERTIES.len()).map(value).collect::<Vec<_>>()
}

/// What the second evaluator gives for a record, and what it costs.
fn expected(tree: &Tree, row: &[OwnedValue], budget: u32) -> (OwnedValue, usize) {
    let mut walk = Walk { row, now: NOW, count: 0 };
    let answer = walk.walk(tree);
    let is_exceeded = walk.count > budget as usize;
    (if is_exceeded { OwnedValue::Error(RowError::FormulaBudget) } else { owned(answer) }, walk.count)
}

type Case = (Tree, Vec<Vec<OwnedValue>>, u32);

fn case() -> impl Strategy<Value = Case> {
    (tree(), vec(record(), 1..12), prop_oneof![Just(100_000_u32), 1..40_u32])
}

fn agree((tree, records, budget): Case) -> Result<(), TestCaseError> {
    let formula = tree.write();
    let expr = parse(&formula).map_err(|fault| TestCaseError::fail(format!("{formula}: {fault}")))?;
    let program = compile(&expr);
    let column = |name: &String| {
        let index = PROPERTIES.iter().position(|property| property == name).unwrap();
        records.iter().map(|record| record[index].as_value()).collect::<Column>()
    };
    let columns: Vec<_> = program.inputs().iter().map(column).collect();
    let inputs: Vec<_> = columns.iter().map(Input::Column).collect();
    let run = Run { budget, ..Run::new(&inputs, records.len(), NOW) };
    let computed = program.evaluate(&run, &mut || false).unwrap();
    let types = check(&expr, |_| None).result;
    for (row, record) in records.iter().enumerate() {
        let (value, cost) = expected(&tree, record, budget);
        let found = OwnedValue::from(computed.values.get(row));
        prop_assert_eq!(&found, &value, "{} row {}", formula, row);
        if cost <= budget as usize {
            prop_assert_eq!(computed.costs.get(row) as usize, cost, "{} row {}", formula, row);
        }
        let of_row: Vec<_> = columns.iter().map(|column| column.get(row)).collect();
        prop_assert_eq!(program.evaluate_row(&of_row, NOW, budget), value);
        prop_assert!(types.contains(type_of(&found)));
    }
    Ok(())
}

#[test]
fn both_evaluators_agree() {
    run(&case(), agree);
}

fn type_of(value: &OwnedValue) -> crate::Types {
    match value {
        OwnedValue::Number(_) => crate::Types::NUMBER,
        OwnedValue::Text(_) => crate::Types::TEXT,
        OwnedValue::Boolean(_) => crate::Types::BOOLEAN,
        OwnedValue::Date(_) => crate::Types::DATE,
        OwnedValue::Null | OwnedValue::Error(_) => crate::Types::NONE,
    }
}
