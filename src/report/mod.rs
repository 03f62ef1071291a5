//! Tables and boards from records: for the terminal, and as Markdown.

mod board;
mod table;

pub use board::board;
pub use table::{markdown, terminal};
