//! `body!`: declares a request body with its struct, its parser and its description.

/// Declares a request body.
///
/// ```text
/// body! {
///     /// The data of a new account.
///     pub RegisterBody {
///         /// The address to sign in with.
///         email "email": required Email = "ada@example.com",
///         /// The address of the picture; null removes it.
///         avatar_url "avatarUrl": nullable WebAddress = "https://example.com/ada.png",
///     }
/// }
/// ```
///
/// `required T` is a `T`; `optional T` is an `Option<T>` (`None` if it is left out; null is a violation); `nullable
/// T` is an `Option<Option<T>>` (a field that is left out stays as it is, null clears it). Without `= example`, the
/// example of the type is used.
///
/// The example of the whole body shows the required fields. If these are not a call that works, or show nothing, the
/// first line declares another one: `example: { "displayName": "Ada" };`.
///
/// `checks: function;` after that calls `function(&mut Reader)` before the fields are read, for what one field decides
/// about another.
///
/// `pub RegisterBody as put` describes a union: the function `put(named, "RegisterBody", schema)` gets the schema of the
/// fields and adds those of the members.
macro_rules! body {
    ($(#[doc = $about:literal])+ $vis:vis $name:ident $(as $put:path)? {
        $(example: $whole:tt;)?
        $(checks: $check:path;)?
        $($(#[doc = $doc:literal])+
            $field:ident $json:literal: $kind:ident $type:ty $(| $words:tt)? $(= $example:tt)?),* $(,)?
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        #[allow(clippy::struct_field_names, reason = "fields are called as the API calls them")]
        $vis struct $name {
            $($(#[doc = $doc])+ pub $field: $crate::wire::field_type!($kind $type),)*
        }

        impl $crate::wire::RequestBody for $name {
            const NAME: &'static str = stringify!($name);

            fn read_fields(fields: &mut $crate::wire::Reader<'_>) -> Option<Self> {
                $($check(fields);)?
                $(let $field = fields.$kind::<$type>($json);)*
                Some(Self { $($field: $field?),* })
            }
        }

        impl $crate::wire::Readable for $name {
            fn read(value: &serde_json::Value) -> Result<Self, octavo_core_model::fault::Issue> {
                let flawed = octavo_core_model::fault::Issue::InvalidValue;
                $crate::wire::read_nested("", value, &mut Vec::new()).ok_or(flawed)
            }

            fn read_field(
                field: &str,
                value: &serde_json::Value,
                violations: &mut Vec<octavo_core_model::fault::Violation>,
            ) -> Option<Self> {
                $crate::wire::read_nested(field, value, violations)
            }
        }

        $crate::wire::documented_struct! {
            body $name $(as $put)? [$($about)+] $(= $whole)? {
                $([$($doc)+] $json $kind $type $(| $words)? $(= $example)?;)*
            }
        }
    };
}

/// The Rust type of a field.
macro_rules! field_type {
    (required $type:ty) => { $type };
    (optional $type:ty) => { Option<$type> };
    (nullable $type:ty) => { Option<Option<$type>> };
}

/// Describes a struct field by field, as a named component.
macro_rules! documented_struct {
    ($side:ident $name:ident $(as $put:path)? [$($about:literal)+] $(= $whole:tt)? {
        $([$($doc:literal)+] $json:literal $kind:ident $type:ty $(| $words:tt)? $(= $example:tt)?;)*
    }) => {
        impl $crate::wire::Documented for $name {
            const HOLDS_SECRET: bool = false $(|| <$type as $crate::wire::Documented>::HOLDS_SECRET)*;

            fn schema() -> serde_json::Value {
                serde_json::json!({ "$ref": concat!("#/components/schemas/", stringify!($name)) })
            }

            fn example() -> serde_json::Value {
                $crate::wire::whole_example!($side [$($whole)?] $([$json $kind $type $(= $example)?])*)
            }

            fn collect(named: &mut $crate::wire::Named) {
                $(<$type as $crate::wire::Documented>::collect(named);)*
                let fields = vec![$($crate::wire::FieldDoc {
                    name: $json,
                    about: $crate::wire::prose(&[$($doc),+]),
                    required: $crate::wire::is_always!($side $kind),
                    nullable: $crate::wire::is_nullable!($kind),
                    schema: $crate::wire::field_schema!($type $(, $words)?),
                    example: $crate::wire::field_example!($type $(, $example)?),
                }),*];
                let about = $crate::wire::prose(&[$($about),+]);
                let schema = $crate::wire::object_schema(&about, fields);
                $crate::wire::put_schema!(named, stringify!($name), schema $(, $put)?);
            }
        }
    };
}

/// Adds the schema of a struct, itself or by a function.
macro_rules! put_schema {
    ($named:ident, $name:expr, $schema:ident) => {
        $named.insert($name.to_owned(), $schema);
    };
    ($named:ident, $name:expr, $schema:ident, $put:path) => {
        $put($named, $name, &$schema);
    };
}

/// The example of a body: its own, otherwise its required fields. The example of a reply: all fields.
macro_rules! whole_example {
    (body [$whole:tt] $($fields:tt)*) => {
        serde_json::json!($whole)
    };
    ($side:ident [] $([$json:literal $kind:ident $type:ty $(= $example:tt)?])*) => {{
        #[allow(unused_mut, reason = "a body may have no required field")]
        let mut example = serde_json::Map::new();
        $(if $crate::wire::is_exemplary!($side $kind) && <$type as $crate::wire::Documented>::IN_EXAMPLES {
            example.insert($json.to_owned(), $crate::wire::field_example!($type $(, $example)?));
        })*
        serde_json::Value::Object(example)
    }};
}

/// Whether an example of the whole shows a field of this kind.
macro_rules! is_exemplary {
    (body required) => {
        true
    };
    (body $kind:ident) => {
        false
    };
    (reply $kind:ident) => {
        true
    };
}

/// The schema of a field: that of its type, or the texts that it can be.
macro_rules! field_schema {
    ($type:ty) => {
        <$type as $crate::wire::Documented>::schema()
    };
    ($type:ty, $words:tt) => {
        serde_json::json!({ "type": "string", "enum": $words })
    };
}

/// The example of a field: its own, otherwise that of its type.
macro_rules! field_example {
    ($type:ty) => {
        <$type as $crate::wire::Documented>::example()
    };
    ($type:ty, $example:tt) => {
        serde_json::json!($example)
    };
}

/// Whether a field is always present: in a body only if it is required, in a reply unless it is optional.
macro_rules! is_always {
    (body required) => {
        true
    };
    (body $kind:ident) => {
        false
    };
    (reply optional) => {
        false
    };
    (reply $kind:ident) => {
        true
    };
}

macro_rules! is_nullable {
    (nullable) => {
        true
    };
    ($kind:ident) => {
        false
    };
}

pub(crate) use {
    body, documented_struct, field_example, field_schema, field_type, is_always, is_exemplary, is_nullable, put_schema,
    whole_example,
};
