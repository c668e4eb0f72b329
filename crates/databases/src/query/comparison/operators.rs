//! The operators that fit each kind of operand.

use crate::types::Operator;

/// The operator does not fit this kind of operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit;

macro_rules! subsets {
    ($($(#[$doc:meta])* $set:ident { $($member:ident),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $set {
            $(
                #[doc = concat!("See [`Operator::", stringify!($member), "`].")]
                $member,
            )*
        }

        impl $set {
            /// All members of the set.
            pub const ALL: &'static [Self] = &[$(Self::$member,)*];
        }

        impl From<$set> for Operator {
            fn from(operator: $set) -> Self {
                match operator { $($set::$member => Self::$member,)* }
            }
        }

        impl TryFrom<Operator> for $set {
            type Error = Unfit;

            fn try_from(operator: Operator) -> Result<Self, Unfit> {
                match operator {
                    $(Operator::$member => Ok(Self::$member),)*
                    _ => Err(Unfit),
                }
            }
        }
    )*};
}

subsets! {
    /// Whether a value is the same. `equals` says the same as `is` for everything but dates.
    Equality { Is, IsNot, Equals, NotEquals }
    /// How texts are compared.
    TextOperator { Is, IsNot, Equals, NotEquals, Contains, DoesNotContain, StartsWith, EndsWith }
    /// How numbers are compared.
    NumberOperator { Is, IsNot, Equals, NotEquals, GreaterThan, LessThan, GreaterOrEqual, LessOrEqual }
    /// How lists of options, users and records are compared.
    SetOperator { Is, IsNot, Equals, NotEquals, ContainsAny, ContainsAll }
    /// Whether the start and the end of a date are the same.
    SpanOperator { Is, IsNot }
    /// How the start of a date is compared with one date.
    DateOperator { Equals, NotEquals, Before, After, OnOrBefore, OnOrAfter }
    /// Spans of time that depend on the present day.
    RelativeDate { IsThisWeek, IsThisMonth, IsPast, IsFuture }
}

impl Equality {
    /// Whether records match whose value is another one, or that have none.
    pub const fn is_negated(self) -> bool {
        matches!(self, Self::IsNot | Self::NotEquals)
    }
}
