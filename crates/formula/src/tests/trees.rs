//! Random formulas, and how they are written.

use proptest::{collection::vec, prelude::*};

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

/// Formulas whose operands mostly have fitting types. Shorter lists of choices make smaller ones.
pub(super) fn tree() -> impl Strategy<Value = Tree> {
    vec(any::<u16>(), 1..120).prop_map(|choices| Grower { choices: choices.into_iter() }.of_any_type(5))
}

#[derive(Clone, Copy)]
enum Type {
    Number,
    Text,
    Boolean,
    Date,
}

/// Makes a tree out of a list of choices. When the list is used up, what is left are leaves.
struct Grower {
    choices: std::vec::IntoIter<u16>,
}

const COMPARISONS: &[&str] = &["==", "!=", "<", "<=", ">", ">="];

impl Grower {
    fn pick(&mut self, count: usize) -> usize {
        usize::from(self.choices.next().unwrap_or_default()) % count
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.pick(of.len())]
    }

    fn of_any_type(&mut self, depth: u32) -> Tree {
        let kind = self.one(&[Type::Number, Type::Text, Type::Boolean, Type::Date]);
        self.of(kind, depth)
    }

    /// A tree of a type, now and then a leaf of another.
    fn mostly(&mut self, kind: Type, depth: u32) -> Tree {
        if self.pick(14) == 13 { self.of_any_type(0) } else { self.of(kind, depth - 1) }
    }

    fn of(&mut self, kind: Type, depth: u32) -> Tree {
        if depth == 0 || self.choices.len() == 0 {
            return self.leaf(kind);
        }
        match kind {
            Type::Number => self.number(depth),
            Type::Text => self.text(depth),
            Type::Boolean => self.boolean(depth),
            Type::Date => self.date(depth),
        }
    }

    fn leaf(&mut self, kind: Type) -> Tree {
        if self.pick(9) == 8 {
            return Tree::Property(5);
        }
        let is_property = self.pick(3) > 0;
        match kind {
            Type::Number if is_property => Tree::Property(self.pick(2)),
            Type::Number => Tree::Number(self.one(&[0.0, 1.0, 2.0, 3.0, 0.5, 7.25, 100.0, 1e200])),
            Type::Text if is_property => Tree::Property(2),
            Type::Text => {
                Tree::Text(self.one(&["", "a", " \u{e4}b ", "12.5", "say \"\\\"", "\u{1f600}\u{3a3}"]).to_owned())
            }
            Type::Boolean if is_property => Tree::Property(3),
            Type::Boolean => Tree::Boolean(self.pick(2) == 0),
            Type::Date if is_property => Tree::Property(4),
            Type::Date => Tree::Call(self.one(&["now", "today"]), Vec::new()),
        }
    }

    fn call(&mut self, name: &'static str, depth: u32, kinds: &[Type]) -> Tree {
        Tree::Call(name, kinds.iter().map(|kind| self.mostly(*kind, depth)).collect())
    }

    fn several(&mut self, name: &'static str, depth: u32, kind: Type) -> Tree {
        let count = self.pick(3) + 1;
        Tree::Call(name, (0..count).map(|_| self.mostly(kind, depth)).collect())
    }

    fn infix(&mut self, signs: &[&'static str], depth: u32, kind: Type) -> Tree {
        let sign = self.one(signs);
        Tree::Infix(sign, Box::new(self.mostly(kind, depth)), Box::new(self.mostly(kind, depth)))
    }

    fn choice(&mut self, depth: u32, kind: Type) -> Tree {
        let condition = Box::new(self.mostly(Type::Boolean, depth));
        Tree::If(condition, Box::new(self.mostly(kind, depth)), Box::new(self.mostly(kind, depth)))
    }

    fn number(&mut self, depth: u32) -> Tree {
        match self.pick(12) {
            0 => self.leaf(Type::Number),
            1..5 => self.infix(&["+", "-", "*", "/", "%", "^"], depth, Type::Number),
            5 => Tree::Prefix("-", Box::new(self.mostly(Type::Number, depth))),
            6 => self.choice(depth, Type::Number),
            7 => {
                let name = self.one(&["min", "max", "sum", "coalesce"]);
                self.several(name, depth, Type::Number)
            }
            8 => {
                let name = self.one(&["abs", "floor", "ceil", "sqrt", "round"]);
                self.call(name, depth, &[Type::Number])
            }
            9 => {
                let name = self.one(&["length", "toNumber"]);
                self.call(name, depth, &[Type::Text])
            }
            10 => {
                let name = self.one(&["year", "month", "day"]);
                self.call(name, depth, &[Type::Date])
            }
            _ => {
                let (a, b) = (self.mostly(Type::Date, depth), self.mostly(Type::Date, depth));
                let unit = self.one(&["minutes", "hour", "days", "weeks"]);
                Tree::Call("dateBetween", vec![a, b, Tree::Text(unit.to_owned())])
            }
        }
    }

    fn text(&mut self, depth: u32) -> Tree {
        match self.pick(9) {
            0 => self.leaf(Type::Text),
            1 | 2 => {
                let count = self.pick(3) + 1;
                Tree::Call("concat", (0..count).map(|_| self.of_any_type(depth - 1)).collect())
            }
            3 => {
                let name = self.one(&["lower", "upper", "trim", "coalesce"]);
                self.call(name, depth, &[Type::Text])
            }
            4 => self.call("replace", depth, &[Type::Text, Type::Text, Type::Text]),
            5 => self.call("substring", depth, &[Type::Text, Type::Number, Type::Number]),
            6 => Tree::Call("format", vec![self.of_any_type(depth - 1)]),
            7 => self.call("formatDate", depth, &[Type::Date]),
            _ => self.choice(depth, Type::Text),
        }
    }

    fn boolean(&mut self, depth: u32) -> Tree {
        match self.pick(10) {
            0 => self.leaf(Type::Boolean),
            1 | 2 => self.infix(&["and", "or"], depth, Type::Boolean),
            3 => Tree::Prefix("not", Box::new(self.mostly(Type::Boolean, depth))),
            4 | 5 => self.infix(COMPARISONS, depth, Type::Number),
            6 => {
                let kind = self.one(&[Type::Text, Type::Date, Type::Boolean]);
                self.infix(COMPARISONS, depth, kind)
            }
            7 => self.call("contains", depth, &[Type::Text, Type::Text]),
            8 => Tree::Call("empty", vec![self.of_any_type(depth - 1)]),
            _ => self.choice(depth, Type::Boolean),
        }
    }

    fn date(&mut self, depth: u32) -> Tree {
        match self.pick(5) {
            0 => self.leaf(Type::Date),
            1 => self.choice(depth, Type::Date),
            _ => {
                let name = self.one(&["dateAdd", "dateSubtract"]);
                let (date, amount) = (self.mostly(Type::Date, depth), self.mostly(Type::Number, depth));
                let unit = self.one(&["minute", "hours", "days", "week", "months", "years", "fortnights"]);
                Tree::Call(name, vec![date, amount, Tree::Text(unit.to_owned())])
            }
        }
    }
}
