//! The languages that are highlighted, as one table.

use super::painter::Color;
use std::{collections::HashMap, sync::LazyLock};

/// How code of a language is scanned.
#[derive(Clone, Copy, Debug)]
pub(super) enum Grammar {
    Words(&'static Vocabulary),
    Markup,
    Diff,
}

/// What the scanner knows about a language. Names and words are separated by spaces.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "languages differ in each of these independently")]
pub(super) struct Language {
    names: &'static str,
    keywords: &'static str,
    types: &'static str,
    ignores_case: bool,
    /// The starts of comments that end with their line.
    pub(super) line_comments: &'static [&'static str],
    /// The start and the end of other comments.
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// The starts and ends of strings, longer ones first.
    pub(super) quotes: &'static [(&'static str, &'static str)],
    /// Whether single quotes enclose one character.
    pub(super) has_char_literals: bool,
    /// Whether words with a capital letter are types.
    pub(super) has_capital_types: bool,
    /// Whether a backslash escapes the next character of a string.
    pub(super) has_escapes: bool,
    /// Whether every string may span several lines.
    pub(super) strings_span_lines: bool,
    /// Characters that belong to words besides letters, digits and underscores.
    pub(super) word_symbols: &'static str,
    /// What follows a key at the beginning of a line.
    pub(super) key_separator: Option<char>,
}

/// A language whose words can be looked up.
#[derive(Debug)]
pub(super) struct Vocabulary {
    pub(super) language: &'static Language,
    words: HashMap<&'static str, Color>,
}

impl Vocabulary {
    fn of(language: &'static Language) -> Self {
        let colored = |words: &'static str, color| words.split_whitespace().map(move |word| (word, color));
        let words = colored(language.types, Color::Type).chain(colored(language.keywords, Color::Keyword));
        Self { language, words: words.collect() }
    }

    /// The colour of a word of the language itself.
    pub(super) fn color_of(&self, word: &str) -> Option<Color> {
        if self.language.ignores_case {
            return self.words.get(word.to_ascii_lowercase().as_str()).copied();
        }
        self.words.get(word).copied()
    }
}

static VOCABULARIES: LazyLock<Vec<Vocabulary>> = LazyLock::new(|| LANGUAGES.iter().map(Vocabulary::of).collect());

pub(super) fn grammar_of(language: &str) -> Option<Grammar> {
    let language = language.trim();
    let is_named = |names: &str| names.split(' ').any(|name| name.eq_ignore_ascii_case(language));
    if is_named("html xml svg vue svelte xhtml") {
        return Some(Grammar::Markup);
    }
    if is_named("diff patch") {
        return Some(Grammar::Diff);
    }
    VOCABULARIES.iter().find(|known| is_named(known.language.names)).map(Grammar::Words)
}

const PLAIN: Language = Language {
    names: "",
    keywords: "",
    types: "",
    ignores_case: false,
    line_comments: &[],
    block_comment: None,
    quotes: &[("\"", "\""), ("'", "'")],
    has_char_literals: false,
    has_capital_types: true,
    has_escapes: true,
    strings_span_lines: false,
    word_symbols: "",
    key_separator: None,
};

static LANGUAGES: &[Language] = &[
    Language {
        names: "rust rs",
        keywords: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop \
                match mod move mut pub ref return self Self static struct super trait true type unsafe use where \
                while",
        types: "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize",
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &[("r#\"", "\"#"), ("r\"", "\""), ("b\"", "\""), ("\"", "\"")],
        has_char_literals: true,
        strings_span_lines: true,
        ..PLAIN
    },
    Language {
        names: "python py",
        keywords: "False None True and as assert async await break case class continue def del elif else except \
                finally for from global if import in is lambda match nonlocal not or pass raise return try while \
                with yield",
        types: "bool bytes dict float int list object self set str tuple",
        line_comments: &["#"],
        quotes: &[("'''", "'''"), ("\"\"\"", "\"\"\""), ("\"", "\""), ("'", "'")],
        ..PLAIN
    },
    Language {
        names: "javascript js jsx typescript ts tsx mjs",
        keywords: "abstract as async await break case catch class const continue debugger declare default delete do \
                else enum export extends false finally for from function get if implements import in infer \
                instanceof interface keyof let namespace new null of private protected public readonly return \
                satisfies set static super switch this throw true try type typeof undefined var void while with \
                yield",
        types: "any bigint boolean never number object string symbol unknown",
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &[("`", "`"), ("\"", "\""), ("'", "'")],
        word_symbols: "$",
        ..PLAIN
    },
    Language {
        names: "json jsonc",
        keywords: "false null true",
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &[("\"", "\"")],
        has_capital_types: false,
        ..PLAIN
    },
    Language {
        names: "go golang",
        keywords: "break case chan const continue default defer else fallthrough false for func go goto if import \
                interface iota map nil package range return select struct switch true type var",
        types: "any bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string \
                uint uint8 uint16 uint32 uint64 uintptr",
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &[("`", "`"), ("\"", "\"")],
        has_char_literals: true,
        ..PLAIN
    },
    Language {
        names: "java kotlin kt scala groovy",
        keywords: "abstract as assert break by case catch class companion const continue data def default do else \
                enum extends false final finally for fun if implements import in instanceof interface internal \
                is lateinit match native new null object open operator out override package private protected \
                public record return sealed static super suspend switch synchronized this throw throws trait \
                transient true try type typealias val var vararg volatile when while with yield",
        types: "boolean byte char double float int long short void",
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &[("\"\"\"", "\"\"\""), ("\"", "\"")],
        has_char_literals: true,
        ..PLAIN
    },
    Language {
        names: "c h cpp c++ cc cxx hpp objc arduino",
        keywords: "alignas alignof auto break case catch class concept const consteval constexpr constinit continue \
                co_await co_return co_yield decltype default define delete do else endif enum explicit export \
                extern false final for friend goto if ifdef ifndef include inline mutable namespace new noexcept \
                nullptr operator override pragma private protected public register requires return sizeof static \
                struct switch template this throw true try typedef typename union using virtual volatile while \
                NULL",
        types: "bool char double float int int8_t int16_t int32_t int64_t long short signed size_t string \
                uint8_t uint16_t uint32_t uint64_t unsigned void vector",
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &[("\"", "\"")],
        has_char_literals: true,
        has_capital_types: false,
        ..PLAIN
    },
    Language {
        names: "csharp cs c#",
        keywords: "abstract as async await base break case catch checked class const continue default delegate do \
                else enum event explicit extern false finally fixed for foreach get goto if implicit in init \
                interface internal is lock namespace new null operator out override params private protected \
                public readonly record ref return sealed set sizeof static struct switch this throw true try \
                typeof unchecked unsafe using value var virtual volatile when where while with yield",
        types: "bool byte char decimal double dynamic float int long nint object sbyte short string uint ulong \
                ushort void",
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &[("\"\"\"\"", "\"\"\"\""), ("\"\"\"", "\"\"\""), ("\"", "\"")],
        has_char_literals: true,
        ..PLAIN
    },
    Language {
        names: "swift",
        keywords: "actor any as async await break case catch class continue default defer deinit do else enum \
                extension fallthrough false fileprivate final for func guard if import in init inout internal is \
                lazy let mutating nil nonisolated open operator override private protocol public repeat rethrows \
                return self Self some static struct subscript super switch throw throws true try typealias var \
                weak where while",
        line_comments: &["//"],
        block_comment: Some(("/*", "*/")),
        quotes: &[("\"\"\"", "\"\"\""), ("\"", "\"")],
        ..PLAIN
    },
    Language {
        names: "ruby rb",
        keywords: "alias and begin break case class def defined? do else elsif end ensure extend false for if in \
                include module next nil not or raise redo require require_relative rescue retry return self \
                super then true undef unless until when while yield",
        line_comments: &["#"],
        strings_span_lines: true,
        word_symbols: "@?",
        ..PLAIN
    },
    Language {
        names: "php",
        keywords: "abstract and array as break case catch class clone const continue declare default do echo else \
                elseif empty enum extends false final finally fn for foreach function global if implements \
                include instanceof interface isset match namespace new null or parent print private protected \
                public readonly require require_once return self static switch throw trait true try unset use \
                var while yield",
        types: "bool float int iterable mixed never object string void",
        line_comments: &["//", "#"],
        block_comment: Some(("/*", "*/")),
        strings_span_lines: true,
        word_symbols: "$",
        ..PLAIN
    },
    Language {
        names: "bash sh shell zsh console fish",
        keywords: "break case continue declare do done elif else esac eval exec exit export fi for function if in \
                local readonly return set shift source then trap unset until while",
        types: "awk cat cd chmod cp curl docker echo find git grep head kill ls make mkdir mv npm printf pwd rm \
                sed sort sudo tail tar test touch",
        line_comments: &["#"],
        has_capital_types: false,
        strings_span_lines: true,
        word_symbols: "$-",
        ..PLAIN
    },
    Language {
        names: "sql postgres postgresql mysql sqlite plsql",
        keywords: "add all alter and any as asc begin between by cascade case check collate column commit \
                constraint create cross database default delete desc distinct drop else end except exists \
                explain false foreign from full grant group having if in index inner insert intersect into is \
                join key lateral left like limit materialized natural not null offset on or order outer over \
                partition primary recursive references returning revoke right rollback row rows select set table \
                then transaction trigger true truncate union unique update using values view when where window \
                with",
        types: "bigint blob boolean bytea char date decimal double float int integer interval json jsonb numeric \
                real serial smallint text time timestamp timestamptz uuid varchar",
        line_comments: &["--"],
        block_comment: Some(("/*", "*/")),
        ignores_case: true,
        has_capital_types: false,
        has_escapes: false,
        strings_span_lines: true,
        ..PLAIN
    },
    Language {
        names: "css scss less",
        keywords: "@apply @charset @container @font-face @forward @import @include @keyframes @layer @media @mixin \
                @namespace @page @property @supports @use !important",
        block_comment: Some(("/*", "*/")),
        has_capital_types: false,
        word_symbols: "-@$",
        key_separator: Some(':'),
        ..PLAIN
    },
    Language {
        names: "yaml yml",
        keywords: "false no null off on true yes",
        line_comments: &["#"],
        has_capital_types: false,
        word_symbols: "-./",
        key_separator: Some(':'),
        ..PLAIN
    },
    Language {
        names: "toml ini properties env",
        keywords: "false true",
        line_comments: &["#"],
        quotes: &[("\"\"\"", "\"\"\""), ("'''", "'''"), ("\"", "\""), ("'", "'")],
        has_capital_types: false,
        word_symbols: "-.",
        key_separator: Some('='),
        ..PLAIN
    },
    Language {
        names: "dockerfile docker makefile make nginx",
        keywords: "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL ONBUILD RUN SHELL STOPSIGNAL USER \
                VOLUME WORKDIR AS endif else ifeq ifneq include server location upstream listen",
        line_comments: &["#"],
        has_capital_types: false,
        word_symbols: "$-",
        ..PLAIN
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_name_stands_for_two_languages() {
        let names: Vec<_> = LANGUAGES.iter().flat_map(|language| language.names.split(' ')).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!(names.iter().all(|name| matches!(grammar_of(name), Some(Grammar::Words(_)))));
    }
}
