"""The conversation with the arbiter: answers its questions, takes in its news, passes over what it does not know."""

import random
import sys

FILES = "abcdefghiklmnopqrstuvwxyz"  # there is no j


class Game:
    """One game, as far as this side knows it."""

    def __init__(self, words):
        self.rules = dict(word.split("=", 1) for word in words if "=" in word)
        self.colour = self.rules["colour"]
        self.width, self.height = map(int, self.rules["board"].split("x"))
        self.rows = int(self.rules["rows"])
        # One letter a piece: F, B, S, 2 to 9, M.
        self.army = [item[0] for item in self.rules["army"].split(",") for _ in range(int(item[1:]))]
        # Seeded by the arbiter: the same game again gives the same moves again.
        self.random = random.Random(int(self.rules["seed"]))
        self.deployment = ""
        # Square to character: `.` empty, `~` lake, own pieces in capitals and digits, `?` unknown, `!` unknown and
        # has moved, known enemies f b s c d e g h i j k m (flag, bomb, spy, 2 to 9, marshal).
        self.board = {}
        # The moves of the game so far, as told: ["red", "a4", "a5", "battle", "6", "4", "won"].
        self.moves = []
        self.legal = []
        # Moves of this turn that were taken back.
        self.refused = []
        # Whether the opponent has just offered a draw; answering with a move declines it.
        self.draw_offered = False

    def see(self, rows):
        """Takes in the view of the board, whose first row is the highest rank."""
        for above, row in enumerate(rows.split("/")):
            for file, letter in zip(FILES, row):
                self.board[f"{file}{self.height - above}"] = letter


class Conversation:
    """Turns each line of the arbiter into the answer that it wants, or into None."""

    def __init__(self, name, choose_deployment, choose_move):
        self.name = name
        self.choose_deployment = choose_deployment
        self.choose_move = choose_move
        self.game = None

    def hear(self, line):
        word, *rest = line.split() or [""]
        game = self.game
        if word == "sbp":
            return f"id name {self.name}\nwant legal board\nfeature deterministic\nok"
        if word == "isready":
            return "readyok"
        if word == "newgame":
            self.game = Game(rest)
        elif word == "setup":
            if rest[:1] == ["assigned"]:
                game.deployment = rest[1]
            else:
                game.deployment = self.choose_deployment(game)
                return f"setup {game.deployment}"
        elif word == "moved":
            game.moves.append(rest)
            game.refused.clear()
            game.draw_offered = False
        elif word == "drawoffer":
            game.draw_offered = True
        elif word == "illegal":  # a clause, then the squares of a move that was taken back
            game.refused.append("".join(rest[1:3]))
        elif word == "board":
            game.see(rest[0])
        elif word == "legal":
            game.legal = rest
        elif word == "go":
            # What was refused is refused again, whatever the list says.
            game.legal = [move for move in game.legal if move not in game.refused]
            return f"move {self.choose_move(game)}" if game.legal else "resign"
        return None


def run(name, choose_deployment, choose_move):
    """Plays games until `quit` or the end of the input."""
    conversation = Conversation(name, choose_deployment, choose_move)
    try:
        for line in sys.stdin:
            if line.strip() == "quit":
                break
            answer = conversation.hear(line)
            if answer is not None:
                print(answer, flush=True)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()  # nobody is left to talk to
