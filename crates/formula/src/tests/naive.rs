//! A second evaluator, as simple as possible: it walks a tree for one row, counts what it does, and shares nothing with
//! the first but the form of values.

use super::{naive_functions, trees::Tree};
use crate::{Date, OwnedValue, RowError};
use std::cmp::Ordering;

pub(super) type Answer = Result<Option<Plain>, RowError>;

/// A value that is there.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Plain {
    Number(f64),
    Text(String),
    Boolean(bool),
    /// Milliseconds, and whether there is a time.
    Date(i64, bool),
}

pub(super) struct Walk<'a> {
    pub(super) row: &'a [OwnedValue],
    pub(super) now: i64,
    /// Operations so far.
    pub(super) count: usize,
}

impl Walk<'_> {
    pub(super) fn walk(&mut self, tree: &Tree) -> Answer {
        self.count += 1;
        match tree {
            Tree::Number(number) => Ok(Some(Plain::Number(*number))),
            Tree::Text(text) => Ok(Some(Plain::Text(text.clone()))),
            Tree::Boolean(boolean) => Ok(Some(Plain::Boolean(*boolean))),
            Tree::Property(index) => match &self.row[*index] {
                OwnedValue::Null => Ok(None),
                OwnedValue::Number(number) => Ok(Some(Plain::Number(*number))),
                OwnedValue::Text(text) => Ok(Some(Plain::Text(text.to_string()))),
                OwnedValue::Boolean(boolean) => Ok(Some(Plain::Boolean(*boolean))),
                OwnedValue::Date(date) => Ok(Some(Plain::Date(date.millis(), date.has_time()))),
                OwnedValue::Error(error) => Err(*error),
            },
            Tree::Prefix(sign, operand) => match (*sign, self.walk(operand)?) {
                (_, None) => Ok(None),
                ("-", Some(Plain::Number(number))) => Ok(Some(Plain::Number(-number))),
                ("not", Some(Plain::Boolean(boolean))) => Ok(Some(Plain::Boolean(!boolean))),
                _ => Err(RowError::InvalidArgument),
            },
            Tree::Infix(sign @ ("and" | "or"), left, right) => match self.condition(left)? {
                None => Ok(None),
                Some(boolean) if boolean == (*sign == "or") => Ok(Some(Plain::Boolean(boolean))),
                Some(_) => Ok(self.condition(right)?.map(Plain::Boolean)),
            },
            Tree::Infix(sign, left, right) => {
                let (left, right) = (self.walk(left), self.walk(right));
                match (left?, right?) {
                    (Some(left), Some(right)) => infix(sign, &left, &right).map(Some),
                    _ => Ok(None),
                }
            }
            Tree::If(condition, then, otherwise) => match self.condition(condition)? {
                None => Ok(None),
                Some(true) => self.walk(then),
                Some(false) => self.walk(otherwise),
            },
            Tree::Call(name, arguments) => {
                let given: Vec<Answer> = arguments.iter().map(|argument| self.walk(argument)).collect();
                let given = given.into_iter().collect::<Result<Vec<_>, _>>()?;
                let (answer, bytes) = naive_functions::call(name, &given, self.now);
                self.count += bytes / 64;
                answer
            }
        }
    }

    fn condition(&mut self, tree: &Tree) -> Result<Option<bool>, RowError> {
        match self.walk(tree)? {
            None => Ok(None),
            Some(Plain::Boolean(boolean)) => Ok(Some(boolean)),
            Some(_) => Err(RowError::InvalidArgument),
        }
    }
}

fn infix(sign: &str, left: &Plain, right: &Plain) -> Result<Plain, RowError> {
    if let "+" | "-" | "*" | "/" | "%" | "^" = sign {
        let (Plain::Number(a), Plain::Number(b)) = (left, right) else { return Err(RowError::InvalidArgument) };
        let number = match sign {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "/" | "%" if *b == 0.0 => return Err(RowError::DivisionByZero),
            "/" => a / b,
            "%" => a % b,
            _ if *a == 0.0 && *b < 0.0 => return Err(RowError::DivisionByZero),
            _ => a.powf(*b),
        };
        return if number.is_finite() { Ok(Plain::Number(number)) } else { Err(RowError::InvalidArgument) };
    }
    let order = match (left, right) {
        (Plain::Number(a), Plain::Number(b)) => a.partial_cmp(b).unwrap(),
        (Plain::Text(a), Plain::Text(b)) => a.chars().cmp(b.chars()),
        (Plain::Boolean(a), Plain::Boolean(b)) => a.cmp(b),
        (Plain::Date(a, true), Plain::Date(b, true)) => a.cmp(b),
        (Plain::Date(a, _), Plain::Date(b, _)) => a.div_euclid(86_400_000).cmp(&b.div_euclid(86_400_000)),
        _ => return Err(RowError::InvalidArgument),
    };
    Ok(Plain::Boolean(match sign {
        "==" => order == Ordering::Equal,
        "!=" => order != Ordering::Equal,
        "<" => order == Ordering::Less,
        "<=" => order != Ordering::Greater,
        ">" => order == Ordering::Greater,
        _ => order != Ordering::Less,
    }))
}

/// The answer in the form of the crate.
pub(super) fn owned(answer: Answer) -> OwnedValue {
    match answer {
        Ok(None) => OwnedValue::Null,
        Ok(Some(Plain::Number(number))) => OwnedValue::Number(number + 0.0),
        Ok(Some(Plain::Text(text))) => OwnedValue::Text(text.into()),
        Ok(Some(Plain::Boolean(boolean))) => OwnedValue::Boolean(boolean),
        Ok(Some(Plain::Date(millis, true))) => OwnedValue::Date(Date::at(millis).unwrap()),
        Ok(Some(Plain::Date(millis, false))) => OwnedValue::Date(Date::day_of(millis).unwrap()),
        Err(error) => OwnedValue::Error(error),
    }
}
