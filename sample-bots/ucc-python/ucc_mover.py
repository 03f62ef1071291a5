"""A Stratego bot in the language of the UCC programming competition of 2012 (protocol/UCC.md). Python 3 alone.

It follows the game by the lines that tell moves, as bots of that league did, and reads only the first board.
"""

import os
import random
import sys

SIZE = 10
STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
# Back row first; Blue writes it the other way round.
SETUP = ["FB8sB479B8", "BB31555583", "6724898974", "967B669999"]


class Piece:
    def __init__(self, own, rank):
        self.own, self.rank = own, rank


def beats(attacker, defender):
    """What comes of a strike: 1 won, 0 both gone, -1 lost. `1` is the marshal, `9` the scout, `s` the spy."""
    if defender == "F":
        return 1
    if defender == "B":
        return 1 if attacker == "8" else -1
    if attacker == "s":
        return {"1": 1, "s": 0}.get(defender, -1)
    if defender == "s":
        return 1
    return (attacker < defender) - (attacker > defender)


class Bot:
    def __init__(self, colour):
        self.colour = colour
        self.board = {}
        self.forward = 1 if colour == "RED" else -1
        self.random = random.Random(os.environ.get("UCC_SEED", "1") + colour)
        self.bold = float(os.environ.get("UCC_BOLD", "0.5"))

    def setup(self):
        rows = [self.random.sample(row, SIZE) for row in SETUP[1:]]
        rows.insert(0, list(SETUP[0]))
        return ["".join(row) for row in (rows if self.colour == "RED" else rows[::-1])]

    def look(self, rows):
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if letter == "#":
                    self.board[x, y] = Piece(False, None)
                elif letter != ".":
                    self.board[x, y] = Piece(letter != "+", letter)

    def follow(self, words):
        x, y, direction = int(words[0]), int(words[1]), words[2]
        rest = words[3:]
        squares = int(rest.pop(0)) if rest[0].isdigit() else 1
        dx, dy = STEPS[direction]
        at, to = (x, y), (x + dx * squares, y + dy * squares)
        piece, struck = self.board.pop(at), self.board.get(to)
        if squares > 1:
            piece.rank = "9"
        if len(rest) > 1:
            piece.rank, struck.rank = rest[1], rest[2]
        if rest[0] in ("OK", "KILLS"):
            self.board[to] = piece
        elif rest[0] == "BOTHDIE":
            del self.board[to]

    def moves(self):
        for (x, y), piece in self.board.items():
            if not piece.own or piece.rank in "FB+":
                continue
            for direction, (dx, dy) in STEPS.items():
                for squares in range(1, SIZE if piece.rank == "9" else 2):
                    to = (x + dx * squares, y + dy * squares)
                    target = self.board.get(to)
                    if not (0 <= to[0] < SIZE and 0 <= to[1] < SIZE):
                        break
                    if target and (target.own or target.rank == "+"):
                        break
                    yield (x, y), piece, direction, dy, squares, target
                    if target:
                        break

    def value(self, move):
        _, piece, _, dy, squares, target = move
        noise = self.random.random()
        if target and target.rank:
            return noise + 3 * beats(piece.rank, target.rank)
        if target:
            return noise + self.bold * (2 if piece.rank in "5678" else 1)
        return noise + (0.3 if dy == self.forward else 0)

    def choose(self):
        moves = list(self.moves())
        if not moves:
            return "SURRENDER"
        (x, y), _, direction, _, squares, _ = max(moves, key=self.value)
        return f"{x} {y} {direction}" + (f" {squares}" if squares > 1 else "")


def read():
    line = sys.stdin.readline()
    words = line.split()
    if not words or words[0] == "QUIT":
        sys.exit(0)
    return words


def board():
    return [sys.stdin.readline().strip() for _ in range(SIZE)]


def main():
    colour, _opponent, _width, _height = read()
    bot = Bot(colour)
    print("\n".join(bot.setup()), flush=True)
    first = True
    while True:
        words = read()  # START, or the opponent's move
        rows = board()
        if first:
            bot.look(rows)  # the board stands after that move already
            if words[0] != "START" and len(words) > 3 and words[3].isdigit():
                run(bot, words)
        else:
            bot.follow(words)
        first = False
        print(bot.choose(), flush=True)
        bot.follow(read())  # its own move, with what came of it


def run(bot, words):
    """Red's first move ran several squares: that piece is a scout."""
    dx, dy = STEPS[words[2]]
    to = (int(words[0]) + dx * int(words[3]), int(words[1]) + dy * int(words[3]))
    if to in bot.board and not bot.board[to].own:
        bot.board[to].rank = "9"


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()  # nobody is left to talk to
