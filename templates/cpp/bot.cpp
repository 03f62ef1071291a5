#include "bot.hpp"

std::string MyBot::choose_deployment(sbp::Game& game)
{
    std::string squares = game.army;
    squares.resize(game.rows * game.width, '.');
    game.random.shuffle(squares);
    return squares;
}

std::string MyBot::choose_move(sbp::Game& game)
{
    return game.legal[game.random.below(game.legal.size())];
}
