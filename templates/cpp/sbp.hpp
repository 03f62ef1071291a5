// The conversation with the arbiter, and a game as far as this side knows it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sbp {

/// Random numbers from a seed, the same with every compiler (the standard's distributions are not).
class Random {
public:
    explicit Random(std::uint64_t seed) : state(seed) {}

    /// A number from 0 to n - 1.
    std::size_t below(std::size_t n);

    template <typename Items> void shuffle(Items& items)
    {
        for (std::size_t i = items.size(); i > 1; i--) std::swap(items[i - 1], items[below(i)]);
    }

private:
    std::uint64_t state;
};

/// One game, as far as this side knows it.
struct Game {
    explicit Game(const std::vector<std::string>& words);

    /// Takes in the view of the board, whose first row is the highest rank.
    void see(const std::string& rows);

    std::map<std::string, std::string> rules; ///< the words of `newgame`
    std::string colour;
    std::size_t width, height;
    std::size_t rows;  ///< deployment rows of each side
    std::string army;  ///< one letter a piece: F, B, S, 2 to 9, M
    Random random;     ///< seeded by the arbiter: the same game again gives the same moves again
    std::string deployment;
    /// Square to character: `.` empty, `~` lake, own pieces in capitals and digits, `?` unknown, `!` unknown and has
    /// moved, known enemies f b s c d e g h i j k m (flag, bomb, spy, 2 to 9, marshal).
    std::map<std::string, char> board;
    std::vector<std::vector<std::string>> moves; ///< as told: red a4 a5 battle 6 4 won
    std::vector<std::string> legal;              ///< such as a4a5
    std::vector<std::string> refused;            ///< moves of this turn that were taken back
    bool draw_offered = false; ///< by the opponent, just now; answering with a move declines it
};

/// A bot's ideas.
class Bot {
public:
    virtual ~Bot() = default;
    virtual std::string name() const = 0;

    /// Where the army stands: one letter a square, the own back row first, each row from file a, `.` for an empty one.
    virtual std::string choose_deployment(Game& game) = 0;

    /// One of `game.legal`, which is not empty.
    virtual std::string choose_move(Game& game) = 0;
};

/// Plays games until `quit` or the end of the input.
void run(Bot& bot, std::istream& in, std::ostream& out);

} // namespace sbp
