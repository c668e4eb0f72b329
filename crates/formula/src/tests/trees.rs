//! Random formulas, and how they are written.

use proptest::{collection::vec, prelude::*, sample::select};

/// A formula.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Number(f64),
    Text(String),
    Boolean(bool),
    Property(usize),
    Prefix(&'static str, Box<Tree>),
    Infix(&'static str, Box<Tree>, Box<Tree>),
    If(Box<Tree>, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
}

/// What every row has: one property of each type, a second number, and one that can be anything.
pub(super) const PROPERTIES: [&str; 6] = ["number", "count", "text", "ticked", "date", "any"];

impl Tree {
    /// How tightly the outermost operator binds.
    fn strength(&self) -> u8 {
        match self {
            Self::If(..) => 0,
            Self::Infix("or", ..) => 1,
            Self::Infix("and", ..) => 2,
            Self::Prefix("not", _) => 3,
            Self::Infix("==" | "!=", ..) => 4,
            Self::Infix("<" | "<=" | ">" | ">=", ..) => 5,
            Self::Infix("+" | "-", ..) => 6,
            Self::Infix("*" | "/" | "%", ..) => 7,
            Self::Prefix(..) => 8,
            Self::Infix(..) => 9,
            _ => 10,
        }
    }

    /// The formula with no more brackets than it needs.
    pub(super) fn write(&self) -> String {
        let operand = |tree: &Self, least: u8| {
            if tree.strength() < least { format!("({})", tree.write()) } else { tree.write() }
        };
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Self::Boolean(boolean) => boolean.to_string(),
            Self::Property(index) => format!("prop('{}')", PROPERTIES[*index]),
            Self::Prefix(sign, inner) => format!("{sign} {}", operand(inner, self.strength())),
            Self::Infix("^", left, right) => format!("{} ^ {}", operand(left, 10), operand(right, 8)),
            Self::Infix(sign, left, right) => {
                let least = self.strength();
                format!("{} {sign} {}", operand(left, least), operand(right, least + 1))
            }
            Self::If(condition, then, otherwise) => {
                format!("{} ? {} : {}", operand(condition, 1), then.write(), otherwise.write())
            }
            Self::Call(name, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(Self::write).collect();
                format!("{name}({})", arguments.join(", "))
            }
        }
    }
}

/// Formulas whose operands mostly have fitting types.
pub(super) fn tree() -> impl Strategy<Value = Tree> {
    of_type(4).prop_flat_map(|root| root)
}

fn of_type(depth: u32) -> impl Strategy<Value = BoxedStrategy<Tree>> {
    select(vec![0, 1, 2, 3]).prop_map(move |kind| match kind {
        0 => number(depth),
        1 => text(depth),
        2 => boolean(depth),
        _ => date(depth),
    })
}

fn any(depth: u32) -> BoxedStrategy<Tree> {
    prop_oneof![number(depth), text(depth), boolean(depth), date(depth), Just(Tree::Property(5))].boxed()
}

/// A tree of a type, now and then one of another.
fn mostly(tree: fn(u32) -> BoxedStrategy<Tree>, depth: u32) -> BoxedStrategy<Tree> {
    if depth == 0 {
        return tree(0);
    }
    prop_oneof![12 => tree(depth - 1), 1 => any(0)].boxed()
}

fn call(name: &'static str, arguments: Vec<BoxedStrategy<Tree>>) -> BoxedStrategy<Tree> {
    arguments.prop_map(move |arguments| Tree::Call(name, arguments)).boxed()
}

fn choice(tree: fn(u32) -> BoxedStrategy<Tree>, depth: u32) -> BoxedStrategy<Tree> {
    let (condition, branch) = (mostly(boolean, depth), mostly(tree, depth));
    let boxed = |(a, b, c)| Tree::If(Box::new(a), Box::new(b), Box::new(c));
    (condition, branch.clone(), branch).prop_map(boxed).boxed()
}

fn infix(signs: Vec<&'static str>, operand: BoxedStrategy<Tree>) -> BoxedStrategy<Tree> {
    let boxed = |(sign, a, b)| Tree::Infix(sign, Box::new(a), Box::new(b));
    (select(signs), operand.clone(), operand).prop_map(boxed).boxed()
}

fn number(depth: u32) -> BoxedStrategy<Tree> {
    let constant = select(vec![0.0, 1.0, 2.0, 3.0, 0.5, 7.25, 100.0, 1e200]).prop_map(Tree::Number);
    let property = select(vec![0, 0, 1, 5]).prop_map(Tree::Property);
    if depth == 0 {
        return prop_oneof![constant, property].boxed();
    }
    let operand = mostly(number, depth);
    let one = |name| call(name, vec![mostly(number, depth)]);
    let several = (select(vec!["min", "max", "sum"]), vec(operand.clone(), 1..4));
    let unit = || select(vec!["minutes", "hour", "days", "weeks"]).prop_map(|unit| Tree::Text(unit.to_owned())).boxed();
    prop_oneof![
        4 => infix(vec!["+", "-", "*", "/", "%", "^"], operand.clone()),
        1 => operand.prop_map(|operand| Tree::Prefix("-", Box::new(operand))),
        1 => choice(number, depth),
        1 => several.prop_map(|(name, arguments)| Tree::Call(name, arguments)),
        1 => prop_oneof![one("abs"), one("floor"), one("ceil"), one("sqrt"), one("round"), one("coalesce")],
        1 => prop_oneof![call("length", vec![mostly(text, depth)]), call("toNumber", vec![mostly(text, depth)])],
        1 => select(vec!["year", "month", "day"]).prop_flat_map(move |name| call(name, vec![mostly(date, depth)])),
        1 => call("dateBetween", vec![mostly(date, depth), mostly(date, depth), unit()]),
        1 => constant,
        2 => property,
    ]
    .boxed()
}

fn text(depth: u32) -> BoxedStrategy<Tree> {
    let constant = select(vec!["", "a", " \u{e4}b ", "12.5", "say \"\\\"", "\u{1f600}\u{3a3}"]);
    let constant = constant.prop_map(|text| Tree::Text(text.to_owned()));
    let property = select(vec![2, 2, 5]).prop_map(Tree::Property);
    if depth == 0 {
        return prop_oneof![constant, property].boxed();
    }
    let operand = || mostly(text, depth);
    prop_oneof![
        2 => vec(mostly(any, depth), 1..4).prop_map(|arguments| Tree::Call("concat", arguments)),
        2 => select(vec!["lower", "upper", "trim", "coalesce"]).prop_flat_map(move |name| call(name, vec![mostly(text, depth)])),
        1 => call("replace", vec![operand(), operand(), operand()]),
        1 => call("substring", vec![operand(), mostly(number, depth), mostly(number, depth)]),
        1 => call("format", vec![mostly(any, depth)]),
        1 => call("formatDate", vec![mostly(date, depth)]),
        1 => choice(text, depth),
        1 => constant,
        2 => property,
    ]
    .boxed()
}

fn boolean(depth: u32) -> BoxedStrategy<Tree> {
    let constant = proptest::bool::ANY.prop_map(Tree::Boolean);
    let property = select(vec![3, 3, 5]).prop_map(Tree::Property);
    if depth == 0 {
        return prop_oneof![constant, property].boxed();
    }
    let signs = || vec!["==", "!=", "<", "<=", ">", ">="];
    prop_oneof![
        2 => infix(vec!["and", "or"], mostly(boolean, depth)),
        1 => mostly(boolean, depth).prop_map(|operand| Tree::Prefix("not", Box::new(operand))),
        2 => infix(signs(), mostly(number, depth)),
        1 => prop_oneof![infix(signs(), mostly(text, depth)), infix(signs(), mostly(date, depth)), infix(signs(), mostly(boolean, depth))],
        1 => call("contains", vec![mostly(text, depth), mostly(text, depth)]),
        1 => call("empty", vec![mostly(any, depth)]),
        1 => choice(boolean, depth),
        1 => constant,
        2 => property,
    ]
    .boxed()
}

fn date(depth: u32) -> BoxedStrategy<Tree> {
    let clock = select(vec!["now", "today"]).prop_map(|name| Tree::Call(name, Vec::new()));
    let property = select(vec![4, 4, 5]).prop_map(Tree::Property);
    if depth == 0 {
        return prop_oneof![clock, property].boxed();
    }
    let units = vec!["minute", "hours", "days", "week", "months", "years", "fortnights"];
    let unit = select(units).prop_map(|unit| Tree::Text(unit.to_owned()));
    let shift = (select(vec!["dateAdd", "dateSubtract"]), mostly(date, depth), mostly(number, depth), unit);
    prop_oneof![
        3 => shift.prop_map(|(name, date, amount, unit)| Tree::Call(name, vec![date, amount, unit])),
        1 => choice(date, depth),
        1 => clock,
        2 => property,
    ]
    .boxed()
}
