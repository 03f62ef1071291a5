//! Setup books: deployments as text, one a line, checked against a rule book.
//!
//! A line is written in the protocol's letters (own back row first, `.` empty) or in StraDoS2's letters of Red (front
//! row first, `A` empty); either has each row from file a. Blank lines and what follows a `#` are left out. Which
//! kind a line is, the line itself tells: see [`SetupKind`]. Takes text and reads no file; it repairs nothing, and
//! a book with one bad line is no book.

use std::collections::HashSet;
use std::fmt;

use crate::game::{Colour, Deployment, DeploymentError, Rank, Rules, notation};

/// The letters of a line.
///
/// Both alphabets have `B`, `F` and `M`, but no line is an army in both: it would be of these three alone, its `F`
/// one flag and no sergeant by the one reading, and one sergeant by the other. A line is of the kind in which it is
/// an army; one that is none is reported in the kind to which more of its letters belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetupKind {
    /// The protocol's: `F B S 2 3 4 5 6 7 8 9 M` and `.`, own back row first.
    Protocol,
    /// StraDoS2's for Red: `B` to `M`, and `A` or `a`, front row first.
    Strados2,
}

impl SetupKind {
    /// Both kinds.
    pub const ALL: [SetupKind; 2] = [SetupKind::Protocol, SetupKind::Strados2];

    /// The word for files: `protocol` or `strados2`.
    pub const fn word(self) -> &'static str {
        match self {
            SetupKind::Protocol => "protocol",
            SetupKind::Strados2 => "strados2",
        }
    }

    /// The piece, or the emptiness, that a letter stands for.
    fn square(self, letter: char) -> Option<Option<Rank>> {
        match (self, letter) {
            (SetupKind::Protocol, '.') | (SetupKind::Strados2, 'A' | 'a') => Some(None),
            (SetupKind::Protocol, _) => Rank::from_letter(letter).map(Some),
            (SetupKind::Strados2, _) => match notation::strados_piece(letter) {
                Some((Colour::Red, rank)) => Some(Some(rank)),
                _ => None,
            },
        }
    }

    fn read(self, rules: &Rules, text: &str) -> Result<Deployment, SetupError> {
        if self == SetupKind::Protocol {
            return Ok(Deployment::parse(rules, text)?);
        }
        let (wanted, got) = (rules.board.deployment_squares(), text.chars().count());
        if got != wanted {
            return Err(DeploymentError::Length { wanted, got }.into());
        }
        let letters = (1..)
            .zip(text.chars())
            .map(|(position, letter)| match self.square(letter) {
                Some(square) => Ok(square.map_or('.', Rank::letter)),
                None => Err(SetupError::Letter { position, letter }),
            })
            .collect::<Result<Vec<char>, SetupError>>()?;
        let width = wanted / rules.rows as usize;
        let turned: String = letters.chunks(width).rev().flatten().collect();
        Ok(Deployment::parse(rules, &turned)?)
    }
}

impl fmt::Display for SetupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetupKind::Protocol => "the protocol's letters",
            SetupKind::Strados2 => "StraDoS2 letters",
        })
    }
}

/// Why a line is no deployment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// It does not fit the rule book.
    #[error(transparent)]
    Deployment(#[from] DeploymentError),
    /// A letter that StraDoS2 does not have for Red.
    #[error("character {position} is `{}`, which is no piece of Red (B to M) nor `A`", .letter.escape_default())]
    Letter {
        /// 1-based.
        position: usize,
        /// The character.
        letter: char,
    },
}

impl SetupError {
    /// The slug of the clause that a bot would break by it.
    pub const fn clause(&self) -> &'static str {
        match self {
            SetupError::Deployment(error) => error.clause(),
            SetupError::Letter { .. } => "setup.letter",
        }
    }
}

/// A line that is a deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The line's number, from 1.
    pub line: usize,
    /// How it is written.
    pub kind: SetupKind,
    /// What it says.
    pub deployment: Deployment,
}

/// A line that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, read as {kind}: {error}")]
pub struct BadSetup {
    /// The line's number, from 1.
    pub line: usize,
    /// As what it was read.
    pub kind: SetupKind,
    /// What is wrong.
    pub error: SetupError,
}

/// All lines of a text, good and bad.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetupLines {
    /// The deployments, in their order.
    pub good: Vec<Setup>,
    /// The other lines, in their order.
    pub bad: Vec<BadSetup>,
}

/// Why a text is no setup book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// There is no deployment in it.
    #[error("it holds no deployment")]
    Empty,
    /// Some lines are none.
    #[error("{}", lines(.0))]
    Lines(Vec<BadSetup>),
}

/// As many bad lines are told one by one.
const TOLD: usize = 5;

fn lines(bad: &[BadSetup]) -> String {
    let mut told: Vec<String> = bad.iter().take(TOLD).map(BadSetup::to_string).collect();
    if bad.len() > TOLD {
        told.push(format!("and {} more", bad.len() - TOLD));
    }
    told.join("\n  ")
}

impl SetupLines {
    /// Reads a text under a rule book.
    pub fn read(rules: &Rules, text: &str) -> SetupLines {
        let mut lines = SetupLines::default();
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let text = line.split('#').next().unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            match read_line(rules, text) {
                Ok((kind, deployment)) => lines.good.push(Setup { line: number, kind, deployment }),
                Err((kind, error)) => lines.bad.push(BadSetup { line: number, kind, error }),
            }
        }
        lines
    }

    /// How many deployments are of a kind.
    pub fn of_kind(&self, kind: SetupKind) -> usize {
        self.good.iter().filter(|setup| setup.kind == kind).count()
    }

    /// How many different deployments there are, however they are written.
    pub fn distinct(&self) -> usize {
        self.good.iter().map(|setup| setup.deployment.squares()).collect::<HashSet<_>>().len()
    }

    /// The book, where every line is good.
    ///
    /// # Errors
    /// [`BookError`]: bad lines, or nothing but comments.
    pub fn book(self) -> Result<SetupBook, BookError> {
        if !self.bad.is_empty() {
            return Err(BookError::Lines(self.bad));
        }
        if self.good.is_empty() {
            return Err(BookError::Empty);
        }
        Ok(SetupBook { deployments: self.good.into_iter().map(|setup| setup.deployment).collect() })
    }
}

fn read_line(rules: &Rules, text: &str) -> Result<(SetupKind, Deployment), (SetupKind, SetupError)> {
    let known = |kind: SetupKind| text.chars().filter(|&letter| kind.square(letter).is_some()).count();
    let protocol = match SetupKind::Protocol.read(rules, text) {
        Ok(deployment) => return Ok((SetupKind::Protocol, deployment)),
        Err(error) => error,
    };
    match SetupKind::Strados2.read(rules, text) {
        Ok(deployment) => Ok((SetupKind::Strados2, deployment)),
        Err(error) if known(SetupKind::Strados2) > known(SetupKind::Protocol) => {
            Err((SetupKind::Strados2, error))
        }
        Err(_) => Err((SetupKind::Protocol, protocol)),
    }
}

/// A setup book: deployments that all fit one rule book, one at least. One that stands twice counts twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupBook {
    deployments: Vec<Deployment>,
}

impl SetupBook {
    /// Reads a book under a rule book.
    ///
    /// # Errors
    /// [`BookError`]: every bad line with its number, or that there is no deployment.
    pub fn read(rules: &Rules, text: &str) -> Result<SetupBook, BookError> {
        SetupLines::read(rules, text).book()
    }

    /// The deployments, in the order of their lines: never none.
    pub fn deployments(&self) -> &[Deployment] {
        &self.deployments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Army, BoardSize, Filling, RuleSet, book};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn rules(name: &str) -> Arc<Rules> {
        Rules::new(book(name).unwrap()).unwrap()
    }

    /// The army of a rule book on squares drawn from a seed.
    fn drawn(rules: &Rules, seed: u64) -> Deployment {
        let mut rng = fastrand::Rng::with_seed(seed);
        Deployment::draw(rules, |n| rng.usize(..n))
    }

    /// StraDoS2's line of a deployment, written square by square from the front row's file a.
    fn strados(rules: &Rules, deployment: &Deployment, empty: char) -> String {
        let (rows, width) = (rules.rows as usize, rules.set().board.width as usize);
        let mut line = String::new();
        for row in (0..rows).rev() {
            for file in 0..width {
                let piece = deployment.squares()[row * width + file];
                line.push(piece.map_or(empty, |rank| notation::strados_letter(Colour::Red, rank)));
            }
        }
        line
    }

    #[test]
    fn the_two_kinds_and_comments_stand_side_by_side() {
        let rules = rules("barrage");
        let text = "\u{feff}# a book\n\nAAAAKLAACAAAAAAAAAAEAAAAAAAADBAAAAAAAADM  # front row first\r\n\
                    F.B.......M93S.22.......................\n";
        let lines = SetupLines::read(&rules, text);
        assert_eq!(lines.bad, []);
        let read: Vec<_> = lines.good.iter().map(|s| (s.line, s.kind, s.deployment.to_string())).collect();
        assert_eq!(
            read,
            [
                (3, SetupKind::Strados2, "........2F........2B.........3....9M..S.".to_owned()),
                (4, SetupKind::Protocol, "F.B.......M93S.22.......................".to_owned()),
            ]
        );
    }

    #[test]
    fn bad_lines_are_told_with_their_numbers_kinds_and_reasons() {
        let text = "# barrage\n\
                    F.B.......M93S.22\n\
                    F.B.......M93S.22......................x\n\
                    AAAAKLAACAAAAAAAAAAEAAAAAAAADBAAAAAAAAAM\n\
                    AAAAKLAACAAAAAAAAAAEAAAAAAAADBAAAAAAAADY\n\
                    BFM\n\
                    F.B.......M93S.222......................\n";
        let error = SetupBook::read(&rules("barrage"), text).unwrap_err();
        let told = error.to_string();
        let expected = [
            "line 2, read as the protocol's letters: a deployment has 40 characters",
            "line 3, read as the protocol's letters: character 40 is `x`",
            "line 4, read as StraDoS2 letters: 1 of scout (2), where the army has 2",
            "line 5, read as StraDoS2 letters: character 40 is `Y`, which is no piece of Red",
            "line 6, read as the protocol's letters: a deployment has 40 characters",
            "and 1 more",
        ];
        for (line, expected) in told.lines().zip(expected) {
            assert!(line.contains(expected), "{line}\n{expected}");
        }
        assert_eq!(told.lines().count(), expected.len());
        let BookError::Lines(bad) = error else { panic!("{error:?}") };
        assert_eq!(bad.iter().map(|b| b.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
        let clauses: Vec<&str> = bad.iter().map(|b| b.error.clause()).collect();
        assert_eq!(clauses[..4], ["setup.length", "setup.letter", "setup.count", "setup.letter"]);
    }

    #[test]
    fn a_book_of_comments_alone_is_no_book() {
        for text in ["", "\n\n", "# nothing\n  # at all\n"] {
            assert_eq!(SetupBook::read(&rules("isf"), text), Err(BookError::Empty), "{text:?}");
        }
    }

    #[test]
    fn deployments_that_differ_only_in_their_letters_are_one() {
        let rules = rules("isf");
        let deployment = drawn(&rules, 1);
        let text = format!("{deployment}\n{}\n{}\n", strados(&rules, &deployment, 'A'), drawn(&rules, 2));
        let lines = SetupLines::read(&rules, &text);
        assert_eq!((lines.good.len(), lines.distinct()), (3, 2));
        assert_eq!(SetupKind::ALL.map(|kind| lines.of_kind(kind)), [2, 1]);
        assert_eq!(lines.book().unwrap().deployments()[1], deployment);
    }

    /// Armies of few ranks on small boards, where letters of both alphabets are likeliest to meet.
    fn small() -> impl Strategy<Value = Arc<Rules>> {
        let counts = proptest::array::uniform12(0u8..4);
        (4u32..7, 1u32..3, counts, any::<[bool; 12]>(), any::<bool>()).prop_filter_map(
            "an army that fits",
            |(width, rows, counts, kept, filled)| {
                let mut army = [0; Rank::COUNT];
                for rank in Rank::ALL {
                    let shared = matches!(rank, Rank::Bomb | Rank::Sergeant | Rank::Marshal);
                    if shared || kept[rank as usize] {
                        army[rank as usize] = counts[rank as usize];
                    }
                }
                army[Rank::Flag as usize] = 1;
                let mut set: RuleSet = book("barrage").unwrap();
                set.board = BoardSize { width, height: 2 * rows + 2 };
                (set.lakes, set.rows, set.army) = (Vec::new(), rows, Army(army));
                if filled && set.army.size() < (width * rows) as usize {
                    set.army.0[Rank::Bomb as usize] += ((width * rows) as usize - set.army.size()) as u8;
                    set.deployment = Filling::Filled;
                }
                Rules::new(set).ok()
            },
        )
    }

    proptest! {
        #[test]
        fn no_line_is_an_army_in_both_kinds(rules in small(), seed: u64, empty in prop::sample::select(vec!['A', 'a'])) {
            let deployment = drawn(&rules, seed);
            let lines = [deployment.to_string(), strados(&rules, &deployment, empty)];
            for (kind, line) in SetupKind::ALL.into_iter().zip(&lines) {
                let read = SetupLines::read(&rules, line);
                prop_assert_eq!(&read.good, &[Setup { line: 1, kind, deployment: deployment.clone() }]);
                let other = SetupKind::ALL.into_iter().find(|&k| k != kind).unwrap();
                prop_assert!(other.read(&rules, line).is_err(), "{} is both", line);
            }
        }

        #[test]
        fn any_text_is_read_and_each_line_is_good_bad_or_nothing(text in "([ABFMS2.#xé\t ]{0,12}\r?\n){0,8}") {
            let rules = rules("barrage");
            let lines = SetupLines::read(&rules, &text);
            let said = text.lines().filter(|l| !l.split('#').next().unwrap().trim().is_empty()).count();
            prop_assert_eq!(lines.good.len() + lines.bad.len(), said);
            prop_assert!(lines.bad.iter().all(|b| (1..=text.lines().count()).contains(&b.line)));
        }

        #[test]
        fn one_changed_letter_makes_a_line_bad_or_another_deployment(seed: u64, at in 0usize..40, letter in "[A-Z2-9.]") {
            let rules = rules("isf");
            let deployment = drawn(&rules, seed);
            for line in [deployment.to_string(), strados(&rules, &deployment, 'A')] {
                let mut changed = line.clone();
                changed.replace_range(at..=at, &letter);
                // With a piece more of one rank and less of another it is no army.
                prop_assert_eq!(SetupLines::read(&rules, &changed).bad.is_empty(), changed == line);
            }
        }
    }
}
