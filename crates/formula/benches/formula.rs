//! The time to compile formulas and to evaluate them over 100,000 rows: `cargo bench -p octavo-formula`. The folder
//! `comparison` measures the same next to other crates.

#![allow(clippy::unwrap_used, reason = "what cannot be measured ends the bench")]

use divan::{Bencher, black_box, counter::ItemsCount};
use octavo_formula::{DEFAULT_BUDGET, Input, Presence, Program, Run, Times, Value, bind, compile, parse};

fn main() {
    divan::main();
}

const ROWS: usize = 100_000;
const NOW: i64 = 1_715_774_400_000;

const FORMULAS: [(&str, &str); 8] = [
    ("arithmetic", "prop(\"price\") * prop(\"quantity\") * (1 - prop(\"discount\") / 100)"),
    ("choice", "prop(\"price\") > 100 and prop(\"quantity\") >= 5 ? prop(\"price\") * 0.9 : prop(\"price\")"),
    ("functions", "round(max(prop(\"price\"), 10) / sum(prop(\"quantity\"), 1), 2)"),
    ("length", "length(prop(\"name\")) > 12"),
    ("concat", "concat(prop(\"name\"), \" (\", prop(\"stage\"), \")\")"),
    ("option", "prop(\"stage\") == \"Won\" ? prop(\"price\") : 0"),
    ("days", "dateBetween(now(), prop(\"due\"), \"days\")"),
    ("month", "formatDate(prop(\"due\"), \"MMMM YYYY\")"),
];

/// The columns of records as a store of columns has them.
struct Columns {
    price: Vec<f64>,
    quantity: Vec<f64>,
    discount: Vec<f64>,
    present: Vec<u64>,
    names: String,
    ends: Vec<u32>,
    stages: Vec<u32>,
    due: Vec<i64>,
}

impl Columns {
    fn new() -> Self {
        let numbers =
            |step: u32, range: u32| (0..ROWS).map(move |row| f64::from(u32::try_from(row).unwrap() * step % range));
        let (mut names, mut ends) = (String::new(), Vec::new());
        for row in 0..ROWS {
            names.push_str(["Anderson", "Bergstr\u{f6}m", "Christodoulopoulos", "Diaz"][row % 4]);
            ends.push(u32::try_from(names.len()).unwrap());
        }
        Self {
            price: numbers(7919, 20_000).map(|number| number / 100.0).collect(),
            quantity: numbers(31, 10).collect(),
            discount: numbers(17, 30).collect(),
            // Every eighth record has no discount.
            present: vec![0x7f7f_7f7f_7f7f_7f7f; ROWS.div_ceil(64)],
            names,
            ends,
            stages: (0..ROWS).map(|row| u32::try_from(row % 3).unwrap()).collect(),
            due: (0..ROWS).map(|row| NOW + i64::try_from(row).unwrap() * 3_600_000 - 100_000_000_000).collect(),
        }
    }

    fn inputs<'a>(&'a self, program: &Program) -> Vec<Input<'a>> {
        let input = |name: &String| match name.as_str() {
            "price" => Input::Numbers { values: &self.price, present: Presence::All },
            "quantity" => Input::Numbers { values: &self.quantity, present: Presence::All },
            "discount" => Input::Numbers { values: &self.discount, present: Presence::Bits(&self.present) },
            "name" => Input::Joined { text: &self.names, ends: &self.ends, present: Presence::All },
            "stage" => Input::Names { codes: &self.stages, names: &["Lead", "Won", "Lost"] },
            _ => Input::Dates { millis: &self.due, times: Times::None, present: Presence::All },
        };
        program.inputs().iter().map(input).collect()
    }
}

fn formula(name: &str) -> Program {
    compile(&parse(FORMULAS.iter().find(|(known, _)| *known == name).unwrap().1).unwrap())
}

#[divan::bench(args = FORMULAS.map(|(name, _)| name))]
fn columns(bencher: Bencher<'_, '_>, name: &str) {
    let columns = Columns::new();
    let program = formula(name);
    let inputs = columns.inputs(&program);
    let run = Run::new(&inputs, ROWS, NOW);
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| program.evaluate(black_box(&run), &mut || false).unwrap());
}

#[divan::bench(args = FORMULAS.map(|(name, _)| name))]
fn one_row(bencher: Bencher<'_, '_>, name: &str) {
    let columns = Columns::new();
    let program = formula(name);
    let values: Vec<Value<'_>> = columns.inputs(&program).iter().map(|input| input.get(12_345)).collect();
    bencher.bench_local(|| program.evaluate_row(black_box(&values), NOW, DEFAULT_BUDGET));
}

#[divan::bench]
fn bind_and_compile(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| {
        let saved = bind(black_box(FORMULAS[0].1), |_| Some("prop_01J8Z3K4M5N6P7Q8R9S0T1V2W3")).unwrap();
        compile(&parse(&saved).unwrap())
    });
}
