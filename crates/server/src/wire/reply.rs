//! `reply!`: declares a reply with its struct, its JSON and its description.

/// Declares a reply. The grammar is that of `body!`, but with other meanings: `required T` is always present;
/// `nullable T` is an `Option<T>` with null for `None`; `optional T` is an `Option<T>` that is left out if it is
/// `None`. Texts of which there are only a few are listed for the description:
/// `status "status": required String | ["ACTIVE", "SUSPENDED"] = "ACTIVE"`.
macro_rules! reply {
    ($(#[doc = $about:literal])+ $vis:vis $name:ident $(as $put:path)? {
        $($(#[doc = $doc:literal])+
            $field:ident $json:literal: $kind:ident $type:ty $(| $words:tt)? $(= $example:tt)?),* $(,)?
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug)]
        $vis struct $name {
            $($(#[doc = $doc])+ pub $field: $crate::wire::shown_type!($kind $type),)*
        }

        impl $crate::wire::Writable for $name {
            fn write<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct as _;
                const FIELDS: &[&str] = &[$($json),*];
                let mut shown = serializer.serialize_struct(stringify!($name), FIELDS.len())?;
                $($crate::wire::show_field!(shown, $kind, $json, &self.$field);)*
                shown.end()
            }
        }

        $crate::wire::documented_struct! {
            reply $name $(as $put)? [$($about)+] {
                $([$($doc)+] $json $kind $type $(| $words)? $(= $example)?;)*
            }
        }
    };
}

/// The Rust type of a field in a reply.
macro_rules! shown_type {
    (required $type:ty) => { $type };
    (nullable $type:ty) => { Option<$type> };
    (optional $type:ty) => { Option<$type> };
}

macro_rules! show_field {
    ($shown:ident, required, $json:literal, $value:expr) => {
        $shown.serialize_field($json, &$crate::wire::Written($value))?
    };
    ($shown:ident, nullable, $json:literal, $value:expr) => {
        $shown.serialize_field($json, &$value.as_ref().map($crate::wire::Written))?
    };
    ($shown:ident, optional, $json:literal, $value:expr) => {
        if let Some(value) = $value {
            $shown.serialize_field($json, &$crate::wire::Written(value))?
        }
    };
}

pub(crate) use {reply, show_field, shown_type};
