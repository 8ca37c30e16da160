//! Words on the wire: enumerations in `snake_case`.
//!
//! A closed enumeration is written by this software and read back by it; another word is a fault. An open one is also
//! read from others, who may be a version ahead: a word it does not know is kept as it came.

/// Declares enumerations whose words are all known. A context's own words are declared with it too.
#[macro_export]
macro_rules! closed_words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? })+) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum $name { $($(#[$vdoc])* $variant),+ }

            impl $name {
                /// Every word, in order.
                pub const ALL: &'static [Self] = &[$(Self::$variant),+];

                /// The word on the wire.
                pub fn as_str(&self) -> &'static str {
                    match self { $(Self::$variant => $word),+ }
                }

                /// The meaning of a word on the wire.
                pub fn from_word(word: &str) -> Option<Self> {
                    match word { $($word => Some(Self::$variant),)+ _ => None }
                }
            }

            impl std::str::FromStr for $name {
                type Err = $crate::UnknownWord;
                fn from_str(word: &str) -> Result<Self, Self::Err> {
                    Self::from_word(word).ok_or_else(|| $crate::UnknownWord::new(word, &[$($word),+]))
                }
            }

            impl<'de> $crate::words::serde::Deserialize<'de> for $name {
                fn deserialize<D: $crate::words::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    struct WordVisitor;
                    impl $crate::words::serde::de::Visitor<'_> for WordVisitor {
                        type Value = $name;
                        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                            f.write_str(concat!("one of", $(" `", $word, "`"),+))
                        }
                        fn visit_str<E: $crate::words::serde::de::Error>(self, word: &str) -> Result<$name, E> {
                            word.parse().map_err(E::custom)
                        }
                    }
                    deserializer.deserialize_str(WordVisitor)
                }
            }

            $crate::word_traits!($name { $($word),+ });
            $crate::sql_text!($name, |word| word.parse::<$name>().map_err(Into::into));
        )+
    };
}

/// Declares enumerations that keep words they do not know.
macro_rules! open_words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? })+) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum $name {
                $($(#[$vdoc])* $variant,)+
                /// A word this version does not know; kept as it came, never written by us.
                Unknown(String),
            }

            impl $name {
                /// The word on the wire.
                pub fn as_str(&self) -> &str {
                    match self { $(Self::$variant => $word,)+ Self::Unknown(word) => word }
                }

                /// The meaning of a word on the wire.
                pub fn from_word(word: &str) -> Self {
                    match word { $($word => Self::$variant,)+ other => Self::Unknown(other.to_owned()) }
                }
            }

            impl<'de> $crate::words::serde::Deserialize<'de> for $name {
                fn deserialize<D: $crate::words::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    struct WordVisitor;
                    impl $crate::words::serde::de::Visitor<'_> for WordVisitor {
                        type Value = $name;
                        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                            f.write_str(concat!("a word such as", $(" `", $word, "`"),+))
                        }
                        fn visit_str<E: $crate::words::serde::de::Error>(self, word: &str) -> Result<$name, E> {
                            Ok($name::from_word(word))
                        }
                    }
                    deserializer.deserialize_str(WordVisitor)
                }
            }

            $crate::word_traits!($name { $($word),+ });
            $crate::sql_text!($name, |word| Ok($name::from_word(word)));
        )+
    };
}

/// What closed and open enumerations have in common. The schema always lists the words: it binds the writer.
#[macro_export]
#[doc(hidden)]
macro_rules! word_traits {
    ($name:ident { $($word:literal),+ }) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::words::serde::Serialize for $name {
            fn serialize<S: $crate::words::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $crate::words::schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn inline_schema() -> bool {
                true
            }
            fn json_schema(_: &mut $crate::words::schemars::SchemaGenerator) -> $crate::words::schemars::Schema {
                $crate::words::schemars::json_schema!({ "type": "string", "enum": [$($word),+] })
            }
        }
    };
}

// What the macros need wherever they are used.
#[doc(hidden)]
pub use {schemars, serde};

pub(crate) use {closed_words, open_words};

/// A word that a closed enumeration does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is none of {known}")]
pub struct UnknownWord {
    shown: String,
    known: String,
}

impl UnknownWord {
    /// The word that was found, and those that would have been right.
    pub fn new(found: &str, known: &[&str]) -> Self {
        Self { shown: found.chars().take(80).collect(), known: known.join(", ") }
    }
}
