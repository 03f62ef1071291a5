#include "bot.hpp"

#include <iostream>

int main()
{
    std::ios::sync_with_stdio(false);
    MyBot bot;
    sbp::run(bot, std::cin, std::cout);
}
