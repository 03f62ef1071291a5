"""my-bot, a Stratego bot. Your thinking goes into the two functions below; sbp.py speaks with the arbiter."""

import sbp


def choose_deployment(game):
    """Where the army stands: one letter a square, the own back row first, each row from file a, `.` for an empty one."""
    squares = game.army + ["."] * (game.rows * game.width - len(game.army))
    game.random.shuffle(squares)
    return "".join(squares)


def choose_move(game):
    """One of `game.legal`, such as "a4a5". `game.board["a4"]` says what stands where."""
    return game.random.choice(game.legal)


if __name__ == "__main__":
    sbp.run("my-bot", choose_deployment, choose_move)
