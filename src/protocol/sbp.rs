//! The front of bots that speak our own protocol, SBP: [`mod@super::print`] and [`super::read`], and the helps that
//! a bot asked for.

use super::front::{Front, GameOver, Question, Wants};
use super::print::{self, NewGame, VERSION};
use super::said::{self, LineFault, Said, State};
use crate::game::{Board, Colour, Coordinates, Deployment, RuleSet, SeenMove, View};

/// The front. All that it keeps is what its bot wants: SBP's lines stand for themselves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sbp {
    wants: Wants,
}

impl Sbp {
    pub(super) fn new(wants: Wants) -> Sbp {
        Sbp { wants }
    }
}

impl Front for Sbp {
    fn copy(&self) -> Box<dyn Front> {
        Box::new(*self)
    }

    fn hello(&self, out: &mut String) -> bool {
        print::line(out, format_args!("sbp {VERSION}"));
        true
    }

    fn set_option(&self, out: &mut String, name: &str, value: Option<&str>) {
        match value {
            None => print::line(out, format_args!("setoption name {name}")),
            Some("") => print::line(out, format_args!("setoption name {name} value")),
            Some(value) => print::line(out, format_args!("setoption name {name} value {value}")),
        }
    }

    fn ask_ready(&self, out: &mut String) {
        out.push_str("isready\n");
    }

    fn farewell(&self, out: &mut String, _played: bool) {
        out.push_str("quit\n");
    }

    fn new_game(&mut self, out: &mut String, game: &NewGame<'_>) {
        print::newgame(out, game);
    }

    fn assigned(&mut self, out: &mut String, deployment: &Deployment) {
        print::assigned(out, deployment);
    }

    fn ask_deployment(&mut self, out: &mut String) {
        out.push_str("setup\n");
    }

    fn placed(&mut self, out: &mut String, side: Colour, view: View<'_>) {
        print::placed(out, side, view);
    }

    fn flag(&mut self, out: &mut String, side: Colour, at: Coordinates) {
        print::flag(out, side, at);
    }

    fn start(&mut self, out: &mut String) {
        out.push_str("start\n");
    }

    fn moved(&mut self, out: &mut String, seen: &SeenMove, board: &Board, _last: bool) {
        print::moved(out, seen, board);
    }

    fn ask(&mut self, out: &mut String, question: Question<'_>) {
        let Question { view, legal, draw_offered, refused, clocks, control } = question;
        if draw_offered {
            out.push_str("drawoffer\n");
        }
        if let Some((clause, mv)) = refused {
            print::illegal(out, clause.slug(), mv);
        }
        if self.wants.board {
            print::board(out, view);
        }
        if self.wants.legal {
            view.legal_moves(legal);
            print::legal(out, legal, view.board());
        }
        print::go(out, clocks, control, view.side(), self.wants.clock);
    }

    fn game_over(&mut self, out: &mut String, over: GameOver<'_>) {
        print::gameover(out, over.winner, over.reason, over.clause);
    }

    fn unable(&self, _rules: &RuleSet, _given: bool) -> Option<String> {
        None
    }

    fn starts_with_game(&self) -> bool {
        false
    }

    fn tells_at_once(&self) -> bool {
        self.wants.ponder
    }

    fn asks_again(&self) -> bool {
        true
    }

    fn read(&mut self, line: &[u8], state: State) -> Result<Said, LineFault> {
        said::read(line, state)
    }

    fn read_begun(&self, bytes: &[u8]) -> Result<(), LineFault> {
        said::read_begun(bytes)
    }
}
