// my-bot, a Stratego bot. Your thinking goes into the two functions of bot.cpp; sbp.cpp speaks with the arbiter.
#pragma once

#include "sbp.hpp"

class MyBot : public sbp::Bot {
public:
    std::string name() const override { return "my-bot"; }
    std::string choose_deployment(sbp::Game& game) override;
    std::string choose_move(sbp::Game& game) override;
};
