"""A Stratego bot that makes any legal move. It speaks SBP and needs nothing but Python 3."""

import sys

MASK = (1 << 64) - 1


class Random:
    """SplitMix64. The module `random` would do as well, but importing it takes longer than a game's start."""

    def __init__(self, seed):
        self.state = seed & MASK

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (z ^ (z >> 31)) % n

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def deployment(rules, random):
    """The army on any of its squares, as a deployment string."""
    army = "".join(item[0] * int(item[1:]) for item in rules["army"].split(","))
    squares = int(rules["rows"]) * int(rules["board"].split("x")[0])
    letters = list(army.ljust(squares, "."))
    random.shuffle(letters)
    return "".join(letters)


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main():
    salt, rules, random, legal, refused = 0, {}, Random(0), [], []
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "go":
            moves = [move for move in legal if move not in refused]
            say("move " + moves[random.below(len(moves))] if moves else "resign")
        elif word == "legal":
            legal = rest
        elif word == "moved" or word == "gameover":
            refused = []
        elif word == "illegal":  # a clause, and the squares of a move that was taken back
            refused.append("".join(rest[1:3]))
        elif word == "setup":
            if rest[:1] != ["assigned"]:
                say("setup " + deployment(rules, random))
        elif word == "newgame":
            rules = dict(pair.split("=", 1) for pair in rest if "=" in pair)
            random = Random(int(rules["seed"]) + salt * 0x632BE59BD9B4E019)
        elif word == "isready":
            say("readyok")
        elif word == "setoption":
            if rest[:3] == ["name", "Salt", "value"]:
                salt = int(rest[3])
        elif word == "sbp":
            say(
                "id name random-python\n"
                "id author the arbiter project\n"
                "id version 0.1.0\n"
                "option name Salt type spin default 0 min 0 max 1000000\n"
                "want legal\n"
                "feature deterministic\n"
                "ok"
            )
        elif word == "quit":
            break


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()  # nobody is left to talk to
