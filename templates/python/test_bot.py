import unittest

import bot
import sbp

GAME = "newgame id=t colour=blue first=red seed={} board=3x4 lakes=none rows=1 army=F1,21 deployment=any novelty=1"
ISF = "newgame id=u colour=red first=red seed=1 board=10x10 lakes=none rows=4 army=F1,B6,S1,28,35,44,54,64,73,82,91,M1"


def talk(*lines):
    conversation = sbp.Conversation("tested", bot.choose_deployment, bot.choose_move)
    answers = [conversation.hear(line) for line in lines]
    return [answer for answer in answers if answer is not None]


class BotTest(unittest.TestCase):
    def test_questions_are_answered_and_nothing_else_is(self):
        turn = ["drawoffer", "board .2F/.../.../?..", "legal a4a3 b4b3", "go"]
        again = ["illegal move.chase a4 a3", "legal a4a3 b4b3", "go"]
        later = ["moved blue b4 b3", "legal a4a3", "go clock=1,2", "gameover winner=none reason=new"]
        hello, ready, setup, first, second, third = talk(
            "sbp 1", "", "weather fine", "isready", GAME.format(7), "setup", "start", *turn, *again, *later
        )
        self.assertEqual(hello.split("\n")[-1], "ok")
        self.assertEqual(ready, "readyok")
        self.assertEqual(sorted(setup), sorted("setup .2F"))
        self.assertIn(first, ["move a4a3", "move b4b3"])
        self.assertEqual([second, third], ["move b4b3", "move a4a3"])

    def test_the_whole_army_is_deployed(self):
        (answer,) = talk(ISF, "setup")
        army = "F" + "B" * 6 + "S" + "2" * 8 + "33333" + "4444" + "5555" + "6666" + "777" + "88" + "9" + "M"
        self.assertEqual(sorted(answer.split()[1]), sorted(army))

    def test_the_same_seed_gives_the_same_answers(self):
        def game(seed):
            return talk(GAME.format(seed), "setup", *["legal a4a3 b4b3 c4c3", "go"] * 20)

        self.assertEqual(game(1), game(1))
        self.assertNotEqual(game(1), game(2))


if __name__ == "__main__":
    unittest.main()
