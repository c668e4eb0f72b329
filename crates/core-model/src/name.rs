//! Enumerations with names.

/// The text is not a name in the enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName;

/// Declares an enumeration whose variants have names in the API and in the store: the enum, `ALL`, `name`, and
/// parsing and writing of the names.
#[macro_export]
macro_rules! named {
    ($(#[$doc:meta])* $set:ident { $($(#[$member_doc:meta])* $member:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $set {
            $(
                $(#[$member_doc])*
                #[doc = concat!("`", $name, "`")]
                $member,
            )*
        }

        impl $set {
            /// All members of the set.
            pub const ALL: &'static [Self] = &[$(Self::$member,)*];

            /// The word that the member goes by.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$member => $name,)* }
            }
        }

        impl std::fmt::Display for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $set {
            type Err = $crate::name::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($name => Ok(Self::$member),)*
                    _ => Err($crate::name::UnknownName),
                }
            }
        }

        impl serde::Serialize for $set {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $set {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                name.parse().map_err(|_| serde::de::Error::custom(concat!("not a ", stringify!($set))))
            }
        }
    };
}

pub use named;
