//! The operators of filters.

use octavo_core_model::named;

named! {
    /// How a filter compares a value.
    Operator {
        IsEmpty = "is_empty",
        IsNotEmpty = "is_not_empty",
        Is = "is",
        IsNot = "is_not",
        Equals = "equals",
        NotEquals = "not_equals",
        Contains = "contains",
        DoesNotContain = "does_not_contain",
        StartsWith = "starts_with",
        EndsWith = "ends_with",
        GreaterThan = "greater_than",
        LessThan = "less_than",
        GreaterOrEqual = "greater_or_equal",
        LessOrEqual = "less_or_equal",
        ContainsAny = "contains_any",
        ContainsAll = "contains_all",
        Before = "before",
        After = "after",
        Between = "between",
        OnOrBefore = "on_or_before",
        OnOrAfter = "on_or_after",
        IsThisWeek = "is_this_week",
        IsThisMonth = "is_this_month",
        WithinNextDays = "within_next_days",
        IsPast = "is_past",
        IsFuture = "is_future",
        IsCurrentUser = "is_current_user",
    }
}

/// Operators for values of every kind.
pub(super) const ANY: &[Operator] =
    &[Operator::IsEmpty, Operator::IsNotEmpty, Operator::Is, Operator::IsNot, Operator::Equals, Operator::NotEquals];

macro_rules! beyond_any {
    ($($(#[$doc:meta])* $set:ident = [$($operator:ident),*];)*) => {$(
        $(#[$doc])*
        pub(super) const $set: &[Operator] = &[
            Operator::IsEmpty,
            Operator::IsNotEmpty,
            Operator::Is,
            Operator::IsNot,
            Operator::Equals,
            Operator::NotEquals,
            $(Operator::$operator,)*
        ];
    )*};
}

beyond_any! {
    /// Operators for texts.
    TEXT = [Contains, DoesNotContain, StartsWith, EndsWith];
    /// Operators for numbers.
    NUMBER = [GreaterThan, LessThan, GreaterOrEqual, LessOrEqual];
    /// Operators for options and links.
    SETS = [ContainsAny, ContainsAll];
    /// Operators for persons.
    PERSON = [ContainsAny, ContainsAll, IsCurrentUser];
    /// Operators for dates.
    DATE = [
        Before, After, Between, OnOrBefore, OnOrAfter, IsThisWeek, IsThisMonth, WithinNextDays, IsPast, IsFuture
    ];
}
