//! Every text column in PostgreSQL must be `COLLATE "C"`.
//!
//! Positions and cursors are compared byte by byte; in the collation of a language `a` comes before `B`.

const TEXT_TYPES: [&str; 7] = ["TEXT", "VARCHAR", "CHAR", "CHARACTER", "BPCHAR", "CITEXT", "NAME"];
const TABLE_RULES: [&str; 7] = ["CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "EXCLUDE", "LIKE"];

pub(crate) fn faults(path: &str, sql: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for statement in statements(&tokens(sql)) {
        for column in columns(statement) {
            if column.is_text() && !column.is_bytewise() {
                faults.push(format!("{path}: column {} is text without COLLATE \"C\"", column.name));
            }
        }
    }
    faults
}

/// The name of a column and its definition, type first.
struct Column<'a> {
    name: &'a str,
    definition: &'a [String],
}

impl Column<'_> {
    fn is_text(&self) -> bool {
        let base = self.definition.first().map(|word| word.trim_end_matches("[]"));
        base.is_some_and(|base| TEXT_TYPES.contains(&base))
    }

    fn is_bytewise(&self) -> bool {
        self.definition.windows(2).any(|pair| pair[0] == "COLLATE" && pair[1] == "\"C\"")
    }
}

fn columns(statement: &[String]) -> Vec<Column<'_>> {
    let is = |index: usize, word: &str| statement.get(index).is_some_and(|token| token == word);
    let table = statement.iter().take(4).any(|token| token == "TABLE");
    if is(0, "CREATE") && table {
        let Some(open) = statement.iter().position(|token| token == "(") else { return Vec::new() };
        let body = &statement[open + 1..];
        return column_definitions(body).into_iter().filter_map(created).collect();
    }
    if is(0, "ALTER") && table {
        return column_definitions(statement).into_iter().filter_map(altered).collect();
    }
    if is(0, "CREATE") && is(1, "DOMAIN") {
        let definition = statement.get(3..).unwrap_or_default();
        let definition = definition.strip_prefix(&["AS".to_owned()]).unwrap_or(definition);
        return vec![Column { name: &statement[2], definition }];
    }
    Vec::new()
}

fn created(part: &[String]) -> Option<Column<'_>> {
    let (name, definition) = part.split_first()?;
    (!TABLE_RULES.contains(&name.as_str())).then_some(Column { name, definition })
}

/// `ADD [COLUMN] [IF NOT EXISTS] name type` or `ALTER [COLUMN] name [SET DATA] TYPE type`.
fn altered(part: &[String]) -> Option<Column<'_>> {
    let word = |word: &str| part.iter().position(|token| token == word);
    if let Some(add) = word("ADD") {
        let noise = ["COLUMN", "IF", "NOT", "EXISTS"];
        let rest = &part[add + 1..];
        let name = rest.iter().position(|token| !noise.contains(&token.as_str()))?;
        return created(&rest[name..]);
    }
    let of_type = word("TYPE")?;
    let name = part[..of_type].iter().rev().find(|token| !["SET", "DATA"].contains(&token.as_str()))?;
    Some(Column { name, definition: &part[of_type + 1..] })
}

/// Splits at commas outside of parentheses, up to the parenthesis that closes the list.
fn column_definitions(tokens: &[String]) -> Vec<&[String]> {
    let (mut definitions, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (index, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" => depth += 1,
            ")" if depth == 0 => {
                definitions.push(&tokens[start..index]);
                return definitions;
            }
            ")" => depth -= 1,
            "," if depth == 0 => {
                definitions.push(&tokens[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    definitions.push(&tokens[start..]);
    definitions
}

fn statements(tokens: &[String]) -> impl Iterator<Item = &[String]> {
    tokens.split(|token| token == ";")
}

/// Words in capitals, quoted names unchanged, `( ) , ;` separately; comments and strings are dropped.
fn tokens(sql: &str) -> Vec<String> {
    let (mut tokens, mut rest) = (Vec::new(), sql);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(body) = rest.strip_prefix("$$") {
            body.find("$$").map_or(rest.len(), |end| end + 4)
        } else if first == '\'' {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            tokens.push(rest[..end].to_owned());
            end
        } else if is_wordy(first) {
            let end = rest.find(|next| !is_wordy(next)).unwrap_or(rest.len());
            tokens.push(rest[..end].to_uppercase());
            end
        } else {
            if "(),;".contains(first) {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Includes brackets, so that an array type is one word.
fn is_wordy(character: char) -> bool {
    character.is_alphanumeric() || "_[].".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns_at_fault(sql: &str) -> Vec<String> {
        let name = |fault: String| fault.split(' ').nth(2).map(str::to_owned);
        faults("up.sql", sql).into_iter().filter_map(name).collect()
    }

    #[test]
    fn columns_compared_by_byte_are_fine() {
        let sql = r#"
            -- comment TEXT
            CREATE TABLE IF NOT EXISTS people (
                id TEXT COLLATE "C" NOT NULL,
                text varchar(20) COLLATE "C",
                tags TEXT[] COLLATE "C" NOT NULL DEFAULT '{}',
                kind TEXT NOT NULL COLLATE "C" CHECK (kind IN ('a', 'TEXT')),
                age BIGINT NOT NULL,
                PRIMARY KEY (id, text),
                CHECK (length(text) > 0)
            );
            ALTER TABLE people ADD COLUMN IF NOT EXISTS mail TEXT COLLATE "C", ADD CONSTRAINT a CHECK (mail::TEXT > '');
            ALTER TABLE people ALTER mail SET DATA TYPE TEXT COLLATE "C";
            CREATE INDEX by_text ON people (text);
            INSERT INTO people SELECT CAST(1 AS TEXT);
        "#;
        assert_eq!(columns_at_fault(sql), Vec::<String>::new());
    }

    #[test]
    fn a_column_in_the_order_of_a_language_is_a_fault_however_it_is_made() {
        assert_eq!(columns_at_fault("create table a (id text primary key, n bigint, b varchar(3));"), ["ID", "B"]);
        assert_eq!(columns_at_fault("CREATE TABLE a (\"id\" TEXT[]);"), ["\"id\""]);
        assert_eq!(columns_at_fault("CREATE UNLOGGED TABLE a (id CHARACTER VARYING COLLATE \"en-x-icu\");"), ["ID"]);
        assert_eq!(columns_at_fault("ALTER TABLE a ADD b INT, ADD COLUMN IF NOT EXISTS c TEXT;"), ["C"]);
        assert_eq!(columns_at_fault("ALTER TABLE a ALTER COLUMN c SET DATA TYPE TEXT;"), ["C"]);
        assert_eq!(columns_at_fault("CREATE DOMAIN slug AS TEXT;"), ["SLUG"]);
    }

    #[test]
    fn the_word_in_another_column_does_not_help() {
        assert_eq!(columns_at_fault("CREATE TABLE a (b TEXT, c TEXT COLLATE \"C\");"), ["B"]);
    }
}
