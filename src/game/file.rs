//! What is wrong with a TOML text, in words for whoever wrote it: line, column, key, what was found, what is wanted.
//!
//! The parser's own messages name types of this program, and tell nothing to people who do not read it.

/// Says what is wrong with a text that was no TOML, or not the one it should have been.
pub fn toml_reason(text: &str, error: &toml::de::Error) -> String {
    let message = said(error.message());
    let Some(span) = error.span() else {
        return message;
    };
    let start = text.floor_char_boundary(span.start.min(text.len()));
    let before = &text[..start];
    let (line, begin) = (before.matches('\n').count() + 1, before.rfind('\n').map_or(0, |at| at + 1));
    let column = text[begin..start].chars().count() + 1;
    let key = text[begin..].lines().next().and_then(|line| line.split_once('=')).map(|(key, _)| key.trim());
    let plain = |key: &&str| !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    let key = match key.filter(plain) {
        Some(key) if !message.contains('`') || message.starts_with("it takes") => format!("`{key}`: "),
        _ => String::new(),
    };
    format!("line {line}, column {column}: {key}{message}")
}

fn said(message: &str) -> String {
    let quoted = |rest: &str| rest.split('`').nth(1).unwrap_or_default().to_owned();
    if let Some(rest) = message.strip_prefix("unknown field ") {
        let known: Vec<&str> = rest.split('`').skip(3).step_by(2).collect();
        return format!("unknown key `{}`; there are {}", quoted(rest), known.join(", "));
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return format!("key `{}` is missing", quoted(rest));
    }
    if message.starts_with("string values must be quoted") {
        return "a text stands in quotes".to_owned();
    }
    let typed = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    match typed.and_then(|rest| rest.rsplit_once(", expected ")) {
        Some((found, wanted)) => format!("it takes {}; here is {}", self::wanted(wanted), self::found(found)),
        None => message.replace('\n', "; "),
    }
}

fn wanted(word: &str) -> &str {
    match word {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative",
        "i64" => "a whole number",
        "f64" => "a number",
        "a boolean" => "true or false, without quotes",
        "a string" | "path string" => "a text in quotes",
        "a sequence" => "a list, as in [\"a\", \"b\"]",
        "a map" => "a table of keys and values",
        _ if word.starts_with("struct ") => "a table of keys and values",
        other => other,
    }
}

fn found(words: &str) -> String {
    let value = words.split_once('`').map(|(_, rest)| rest.trim_end_matches('`'));
    match (words.split(' ').next(), value) {
        (Some("string"), _) => format!("the text {}", words.trim_start_matches("string ")),
        (Some("integer"), Some(value)) => format!("the number {value}"),
        (Some("floating"), Some(value)) => format!("the number {value}"),
        (Some("boolean"), Some(value)) => value.to_owned(),
        (Some("sequence"), _) => "a list".to_owned(),
        (Some("map"), _) => "a table".to_owned(),
        _ => words.to_owned(),
    }
}
