//! The clauses whose breach is a fault: one slug each, the same in SPEC.md, in verdicts and in vectors.

use std::fmt;

macro_rules! clauses {
    ($($variant:ident $slug:literal $meaning:literal),+ $(,)?) => {
        /// A clause of SPEC.md that a bot can break (section 17 there).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Clause { $(#[doc = $meaning] $variant),+ }

        impl Clause {
            /// Every clause.
            pub const ALL: &'static [Clause] = &[$(Clause::$variant),+];

            /// The slug.
            pub const fn slug(self) -> &'static str {
                match self { $(Clause::$variant => $slug),+ }
            }

            /// What the bot did, as the end of a sentence that starts with its name.
            pub const fn meaning(self) -> &'static str {
                match self { $(Clause::$variant => $meaning),+ }
            }
        }
    };
}

clauses! {
    HandshakeVersion "handshake.version" "asked for a version that was not offered",
    HandshakeSyntax "handshake.syntax" "sent a malformed handshake line",
    ReadySyntax "ready.syntax" "sent readyok with other words",
    LineBytes "line.bytes" "sent a byte that is not allowed",
    LineLength "line.length" "sent a line longer than 4096 bytes",
    LineFlood "line.flood" "sent more than 1000 lines in one turn",
    LineTotal "line.total" "sent more than 64 MiB in one game",
    LineUnknown "line.unknown" "sent a word that the protocol does not know",
    LineUnexpected "line.unexpected" "answered another question than the open one",
    TurnEarly "turn.early" "sent a line while no question was open",
    SetupSyntax "setup.syntax" "sent a malformed deployment",
    SetupLength "setup.length" "sent a deployment of the wrong length",
    SetupLetter "setup.letter" "sent a deployment with an unknown letter",
    SetupCount "setup.count" "deployed another army",
    MoveSyntax "move.syntax" "sent a malformed answer",
    MoveOffBoard "move.off-board" "moved off the board",
    MoveNoPiece "move.no-piece" "moved from a square where no piece stands",
    MoveNotYours "move.not-yours" "moved a piece of its opponent",
    MoveImmobile "move.immobile" "moved a bomb or a flag",
    MoveSameSquare "move.same-square" "moved a piece nowhere",
    MoveLake "move.lake" "moved into a lake",
    MoveOwnPiece "move.own-piece" "moved onto an own piece",
    MoveNotStraight "move.not-straight" "moved neither along a row nor along a file",
    MoveTooFar "move.too-far" "moved a piece that is no scout more than one square",
    MoveBlocked "move.blocked" "moved a scout through a piece or a lake",
    MoveStrikeFar "move.strike-far" "ran and struck with a scout in one turn",
    MoveTwoSquares "move.two-squares" "broke the two-squares rule",
    MoveChase "move.chase" "broke the more-squares rule",
    MoveRescue "move.rescue" "asked for a rescue that is not allowed",
    DrawNotOffered "draw.not-offered" "accepted a draw that was not offered",
    DrawOff "draw.off" "offered or accepted a draw where there are none",
    ResignOff "resign.off" "resigned where that is not allowed",
    TimeStart "time.start" "took too long for the handshake",
    TimeReady "time.ready" "took too long for readyok",
    TimeSetup "time.setup" "took too long for its deployment",
    TimeMove "time.move" "took too long for its move",
    TimeWrite "time.write" "did not read its input",
    ProcessExit "process.exit" "exited or closed its output",
    ProcessSpawn "process.spawn" "could not be started",
    LimitMemory "limit.memory" "used too much memory",
    LimitProcesses "limit.processes" "started too many processes",
    LimitCpu "limit.cpu" "used too much processor time",
    LimitDisk "limit.disk" "used too much disk space",
    LimitOutput "limit.output" "wrote too much",
}

impl Clause {
    /// The clause of a slug.
    pub fn from_slug(slug: &str) -> Option<Clause> {
        Clause::ALL.iter().copied().find(|c| c.slug() == slug)
    }

    /// The reason of `gameover` and of records that a breach of this clause gives.
    pub fn reason(self) -> &'static str {
        match self.slug().split('.').next().unwrap_or_default() {
            "setup" => "illegal-setup",
            "move" => "illegal-move",
            "time" => "time",
            "process" => "process",
            "limit" => "limit",
            _ => "protocol",
        }
    }

    /// Whether a process that broke this clause may play another game (SPEC.md, `gameover.reuse`): it still
    /// knows whose turn it is to speak.
    pub fn leaves_process_usable(self) -> bool {
        ["setup.", "move.", "draw.", "resign."].iter().any(|family| self.slug().starts_with(family))
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

impl From<crate::game::Illegal> for Clause {
    fn from(illegal: crate::game::Illegal) -> Clause {
        Clause::from_slug(illegal.clause())
            .expect("every illegal move breaks a clause; a test goes through them")
    }
}

impl From<&crate::game::DeploymentError> for Clause {
    fn from(error: &crate::game::DeploymentError) -> Clause {
        Clause::from_slug(error.clause()).expect("every refused deployment breaks a clause")
    }
}
