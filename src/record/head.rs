//! What a table asks of a journal's line: its head, up to who moved first.
//!
//! A table of a million games is bounded by reading them. A line as this program writes it is read by its head alone:
//! its sum, which the caller has checked, stands for the rest. Any other line of the same JSON is read whole.

use std::borrow::Cow;

use serde::Deserialize;

/// The head of a line.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Head<'a> {
    pub(super) v: u32,
    pub(super) id: &'a str,
    #[serde(borrow)]
    pub(super) red: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) blue: Cow<'a, str>,
    pub(super) result: &'a str,
    pub(super) reason: &'a str,
    pub(super) clause: Option<&'a str>,
    /// Red, where a line of an older program does not say it.
    #[serde(default = "red")]
    pub(super) first: &'a str,
}

fn red() -> &'static str {
    "red"
}

impl<'a> Head<'a> {
    /// Reads a line whose sum is right.
    ///
    /// # Errors
    /// Where it is no JSON, or not of this shape.
    pub(super) fn read(line: &'a str) -> serde_json::Result<Head<'a>> {
        match Head::as_written(line) {
            Some(head) => Ok(head),
            None => serde_json::from_str(line),
        }
    }

    /// The head of a line that begins as they are written, without an escape in its texts.
    fn as_written(line: &'a str) -> Option<Head<'a>> {
        let mut rest = Rest(line);
        let v = rest.after("{\"v\":")?.number()?;
        let id = rest.after(",\"id\":")?.text()?;
        let red = Cow::Borrowed(rest.after(",\"red\":")?.text()?);
        let blue = Cow::Borrowed(rest.after(",\"blue\":")?.text()?);
        let result = rest.after(",\"result\":")?.text()?;
        let reason = rest.after(",\"reason\":")?.text()?;
        rest.after(",\"clause\":")?;
        let clause = match rest.after("null") {
            Some(_) => None,
            None => Some(rest.text()?),
        };
        rest.after(",\"plies\":")?.number()?;
        if let Some(given) = rest.after(",\"given\":") {
            given.number()?;
        }
        let first = rest.after(",\"first\":")?.text()?;
        rest.after(",\"seeds\":{")?;
        Some(Head { v, id, red, blue, result, reason, clause, first })
    }
}

/// What is left of a line.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn after(&mut self, word: &str) -> Option<&mut Rest<'a>> {
        self.0 = self.0.strip_prefix(word)?;
        Some(self)
    }

    /// A number as JSON has it: without a sign, and no zero before other digits.
    fn number(&mut self) -> Option<u32> {
        let end = self.0.bytes().position(|b| !b.is_ascii_digit())?;
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        digits.parse().ok().filter(|_| digits == "0" || !digits.starts_with('0'))
    }

    /// A text without escapes and control characters.
    fn text(&mut self) -> Option<&'a str> {
        let inside = self.0.strip_prefix('"')?;
        let end = inside.bytes().position(|b| b == b'"' || b == b'\\' || b < 0x20)?;
        let (text, rest) = inside.split_at(end);
        self.0 = rest.strip_prefix('"')?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(texts: &[String], clause: &Option<String>, plies: u32, given: Option<u32>) -> String {
        let quoted = |text: &String| serde_json::to_string(text).expect("a text");
        let [id, red, blue, result, reason, first] = texts else { panic!("six texts") };
        let given = given.map_or(String::new(), |n| format!(",\"given\":{n}"));
        format!(
            "{{\"v\":1,\"id\":{},\"red\":{},\"blue\":{},\"result\":{},\"reason\":{},\"clause\":{},\"plies\":{plies}\
             {given},\"first\":{},\"seeds\":{{\"red\":1,\"blue\":2}},\"more\":[1,2]}}\n",
            quoted(id),
            quoted(red),
            quoted(blue),
            quoted(result),
            quoted(reason),
            clause.as_ref().map_or("null".to_owned(), quoted),
            quoted(first),
        )
    }

    proptest! {
        #[test]
        fn a_head_is_what_the_whole_line_says(
            texts in prop::collection::vec("[ -~éß\\n\"\\\\]{0,12}", 6),
            clause in prop::option::of("[a-z.]{0,9}"),
            plies in any::<u32>(),
            given in prop::option::of(any::<u32>()),
        ) {
            let line = line(&texts, &clause, plies, given);
            let whole = serde_json::from_str::<Head<'_>>(&line);
            match Head::as_written(&line) {
                Some(head) => prop_assert_eq!(head, whole.expect("it is JSON")),
                None => prop_assert!(line.contains('\\')),
            }
        }
    }

    #[test]
    fn a_line_in_another_order_or_of_an_older_program_is_read_whole() {
        let line = "{\"id\":\"1.1.1\",\"v\":1,\"blue\":\"b\",\"red\":\"a\\u0062\",\"result\":\"draw\",\"reason\":\"x\",\"clause\":null}";
        let head = Head::read(line).expect("it is JSON");
        assert_eq!((head.red.as_ref(), head.blue.as_ref(), head.first), ("ab", "b", "red"));
        assert!(Head::read("{\"v\":1,\"id\":\"1.1.1\"}").is_err());
        assert!(Head::as_written("{\"v\":01,\"id\":\"1.1.1\"").is_none());
    }
}
