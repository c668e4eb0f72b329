//! The same expressions over the same rows, each crate used as its documentation says: compiled once, then
//! evaluated for each row with the variables of that row.

use divan::{Bencher, counter::ItemsCount};
use evalexpr::ContextWithMutableVariables as _;
use octavo_formula::{Input, Presence, Run, Value, compile, parse};

fn main() {
    divan::main();
}

/// Few enough that a sample is rarely interrupted by other programs.
const ROWS: usize = 1000;
const NAMES: [&str; 4] = ["Anderson", "Bergström", "Christodoulopoulos", "Diaz"];

/// An expression in each of the three languages.
struct Expression {
    name: &'static str,
    ours: &'static str,
    evalexpr: &'static str,
    cel: &'static str,
}

const EXPRESSIONS: [Expression; 4] = [
    Expression {
        name: "arithmetic",
        ours: "prop(\"price\") * prop(\"quantity\") * (1 - prop(\"discount\") / 100)",
        evalexpr: "price * quantity * (1.0 - discount / 100.0)",
        cel: "price * quantity * (1.0 - discount / 100.0)",
    },
    Expression {
        name: "choice",
        ours: "prop(\"price\") > 100 and prop(\"quantity\") >= 5 ? prop(\"price\") * 0.9 : prop(\"price\")",
        evalexpr: "if(price > 100.0 && quantity >= 5.0, price * 0.9, price)",
        cel: "price > 100.0 && quantity >= 5.0 ? price * 0.9 : price",
    },
    Expression { name: "length", ours: "length(prop(\"name\")) > 8", evalexpr: "len(name) > 8", cel: "size(name) > 8" },
    Expression {
        name: "concat",
        ours: "concat(prop(\"name\"), \", \", prop(\"name\"))",
        evalexpr: "name + \", \" + name",
        cel: "name + ', ' + name",
    },
];

fn names() -> [&'static str; 4] {
    EXPRESSIONS.map(|expression| expression.name)
}

fn expression(name: &str) -> &'static Expression {
    EXPRESSIONS.iter().find(|expression| expression.name == name).unwrap()
}

struct Records {
    price: Vec<f64>,
    quantity: Vec<f64>,
    discount: Vec<f64>,
    name: Vec<Option<&'static str>>,
}

fn records() -> Records {
    let numbers = |step: usize, range: usize| (0..ROWS).map(|row| (row * step % range) as f64).collect();
    let name = (0..ROWS).map(|row| Some(NAMES[row % 4])).collect();
    Records { price: numbers(7919, 200), quantity: numbers(31, 10), discount: numbers(17, 30), name }
}

#[divan::bench(args = names())]
fn octavo_formula_in_columns(bencher: Bencher<'_, '_>, name: &str) {
    let records = records();
    let program = compile(&parse(expression(name).ours).unwrap());
    let numbers = |values| Input::Numbers { values, present: Presence::All };
    let input = |name: &String| match name.as_str() {
        "price" => numbers(&records.price),
        "quantity" => numbers(&records.quantity),
        "discount" => numbers(&records.discount),
        _ => Input::Texts(&records.name),
    };
    let inputs: Vec<_> = program.inputs().iter().map(input).collect();
    let run = Run::new(&inputs, ROWS, 0);
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| program.evaluate(&run, &mut || false).unwrap());
}

#[divan::bench(args = names())]
fn octavo_formula_row_by_row(bencher: Bencher<'_, '_>, name: &str) {
    let records = records();
    let program = compile(&parse(expression(name).ours).unwrap());
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| {
        for row in 0..ROWS {
            let value = |name: &String| match name.as_str() {
                "price" => Value::Number(records.price[row]),
                "quantity" => Value::Number(records.quantity[row]),
                "discount" => Value::Number(records.discount[row]),
                _ => Value::Text(records.name[row].unwrap()),
            };
            let values: Vec<_> = program.inputs().iter().map(value).collect();
            divan::black_box(program.evaluate_row(&values, 0, 100_000));
        }
    });
}

#[divan::bench(args = names())]
fn evalexpr_row_by_row(bencher: Bencher<'_, '_>, name: &str) {
    let records = records();
    let tree = evalexpr::build_operator_tree(expression(name).evalexpr).unwrap();
    let variables: Vec<String> = tree.iter_variable_identifiers().map(str::to_owned).collect();
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| {
        let mut context = evalexpr::HashMapContext::new();
        for row in 0..ROWS {
            for variable in &variables {
                let value = match variable.as_str() {
                    "price" => evalexpr::Value::Float(records.price[row]),
                    "quantity" => evalexpr::Value::Float(records.quantity[row]),
                    "discount" => evalexpr::Value::Float(records.discount[row]),
                    _ => evalexpr::Value::String(records.name[row].unwrap().to_owned()),
                };
                context.set_value(variable.clone(), value).unwrap();
            }
            divan::black_box(tree.eval_with_context(&context).unwrap());
        }
    });
}

#[divan::bench(args = names())]
fn cel_row_by_row(bencher: Bencher<'_, '_>, name: &str) {
    let records = records();
    let program = cel::Program::compile(expression(name).cel).unwrap();
    let references = program.references();
    let variables: Vec<String> = references.variables().into_iter().map(str::to_owned).collect();
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| {
        let mut context = cel::Context::default();
        for row in 0..ROWS {
            for variable in &variables {
                match variable.as_str() {
                    "price" => context.add_variable_from_value("price", records.price[row]),
                    "quantity" => context.add_variable_from_value("quantity", records.quantity[row]),
                    "discount" => context.add_variable_from_value("discount", records.discount[row]),
                    _ => context.add_variable_from_value("name", records.name[row].unwrap()),
                };
            }
            divan::black_box(program.execute(&context).unwrap());
        }
    });
}
