// Tests the bot: talks with it and looks at its answers.
#include "bot.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>

namespace {

int failures = 0;

void expect(bool good, const std::string& what)
{
    std::cout << (good ? "ok: " : "FAILED: ") << what << '\n';
    failures += !good;
}

std::vector<std::string> talk(const std::string& lines)
{
    MyBot bot;
    std::istringstream in(lines);
    std::stringstream out;
    sbp::run(bot, in, out);
    std::vector<std::string> answers;
    for (std::string line; std::getline(out, line);) answers.push_back(line);
    return answers;
}

std::string game(int seed)
{
    return "newgame id=t colour=blue first=red seed=" + std::to_string(seed) +
           " board=3x4 lakes=none rows=1 army=F1,21 deployment=any novelty=1\n";
}

std::string sorted(std::string text)
{
    std::sort(text.begin(), text.end());
    return text;
}

void questions_are_answered_and_nothing_else_is()
{
    auto answers = talk("sbp 1\n\nweather fine\nisready\n" + game(7) +
                        "setup\nstart\ndrawoffer\nboard .2F/.../.../?..\nlegal a4a3 b4b3\ngo\n"
                        "illegal move.chase a4 a3\nlegal a4a3 b4b3\ngo\n"
                        "moved blue b4 b3\nlegal a4a3\ngo clock=1,2\ngameover winner=none reason=new\nquit\nisready\n");
    answers.resize(std::max<std::size_t>(answers.size(), 9));
    expect(answers.size() == 9, "as many answers as questions");
    expect(answers[3] == "ok", "the handshake ends by ok");
    expect(answers[4] == "readyok", "it is ready");
    expect(sorted(answers[5]) == sorted("setup .2F"), "the army is deployed");
    expect(answers[6] == "move a4a3" || answers[6] == "move b4b3", "the move is legal");
    expect(answers[7] == "move b4b3", "what was refused is not tried again");
    expect(answers[8] == "move a4a3", "the next turn begins anew");
}

void the_whole_army_is_deployed()
{
    auto answers = talk("newgame colour=red board=10x10 rows=4 army=F1,B6,S1,28,35,44,54,64,73,82,91,M1 seed=1\nsetup\n");
    expect(sorted(answers.at(0)) == sorted("setup FBBBBBBS2222222233333444455556666777889M"), "a whole army is deployed");
}

void the_same_seed_gives_the_same_answers()
{
    auto play = [](int seed) {
        std::string lines = game(seed) + "setup\n";
        for (int i = 0; i < 20; i++) lines += "legal a4a3 b4b3 c4c3\ngo\n";
        return talk(lines);
    };
    expect(play(1) == play(1), "the same seed gives the same answers");
    expect(play(1) != play(2), "another seed gives others");
}

} // namespace

int main()
{
    questions_are_answered_and_nothing_else_is();
    the_whole_army_is_deployed();
    the_same_seed_gives_the_same_answers();
    return failures > 0;
}
