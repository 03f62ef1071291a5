//! Tables, boards and explanations for people: for the terminal, and as Markdown.

mod board;
mod explain;
mod table;

pub use board::board;
pub use explain::explain;
pub use table::{markdown, terminal, terminal_details};
