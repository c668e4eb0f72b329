//! What must hold for any text that somebody sends as a formula. The fuzz target runs this with a nightly compiler, the
//! tests with random texts.

use octavo_formula::{
    Column, Date, Input, MAX_TEXT, OwnedValue, RowError, Run, Value, bind, check, compile, parse, properties, show,
};

const BUDGET: u32 = 2000;
const NOW: i64 = 1_715_774_400_000;

/// A text is refused at a place within it, or becomes a formula that can be saved, shown, checked and evaluated.
pub(super) fn formula(sent: &str) {
    let expr = match parse(sent) {
        Ok(expr) => expr,
        Err(fault) => {
            assert!(fault.position.offset <= sent.chars().count() && !fault.mistake.to_string().is_empty());
            return;
        }
    };
    assert!(expr.size() <= sent.len());
    if let Ok(saved) = bind(sent, |_| Some("prop_1")) {
        let is_used = expr.properties().next().is_some();
        assert_eq!(properties(&saved).into_iter().collect::<Vec<_>>(), is_used.then_some("prop_1").as_slice());
        // What is shown can be sent again. Ids without quotes are shown as names, so only the second time nothing changes.
        let again = |saved: &str| bind(&show(saved, |_| Some("A \"name\"")), |_| Some("prop_1"));
        let saved = again(&saved).unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!(again(&saved).as_ref(), Ok(&saved));
    }
    check(&expr, |_| None);
    evaluate(&expr);
}

/// Each row has the result that it has alone, within its budget.
fn evaluate(expr: &octavo_formula::Expr) {
    let program = compile(expr);
    let date = Date::at(NOW).map_or(Value::Null, Value::Date);
    let values = [Value::Null, Value::Number(-2.5), Value::Text(" \u{e4}b, 3"), Value::Boolean(true), date];
    let columns: Vec<Column> = (0..program.inputs().len())
        .map(|input| (0..values.len()).map(|row| values[(input * 3 + row) % values.len()]).collect())
        .collect();
    let inputs: Vec<_> = columns.iter().map(Input::Column).collect();
    let run = Run { budget: BUDGET, ..Run::new(&inputs, values.len(), NOW) };
    let Ok(computed) = program.evaluate(&run, &mut || false) else { panic!("nothing interrupts it") };
    for row in 0..values.len() {
        let of_row: Vec<_> = columns.iter().map(|column| column.get(row)).collect();
        let found = OwnedValue::from(computed.values.get(row));
        assert_eq!(found, program.evaluate_row(&of_row, NOW, BUDGET));
        let is_exceeded = computed.costs.get(row) > BUDGET;
        match found {
            OwnedValue::Error(RowError::FormulaBudget) => {}
            OwnedValue::Number(number) => assert!(number.is_finite() && !is_exceeded),
            OwnedValue::Text(text) => assert!(text.len() <= MAX_TEXT && !is_exceeded),
            _ => assert!(!is_exceeded),
        }
        // Once a budget is spent, only what costs one operation goes on, and the call during which it was spent.
        let most = BUDGET as usize + expr.size() + 2 * MAX_TEXT / 64 + expr.text().len();
        assert!(computed.costs.get(row) as usize <= most);
    }
}
