// The conversation with the arbiter: answers its questions, takes in its news, passes over what it does not know.
#include "sbp.hpp"

#include <algorithm>
#include <iostream>
#include <optional>
#include <sstream>

namespace sbp {

// SplitMix64.
std::size_t Random::below(std::size_t n)
{
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % n;
}

namespace {

std::map<std::string, std::string> pairs(const std::vector<std::string>& words)
{
    std::map<std::string, std::string> rules;
    for (const auto& word : words) {
        if (auto at = word.find('='); at != std::string::npos) rules[word.substr(0, at)] = word.substr(at + 1);
    }
    return rules;
}

} // namespace

Game::Game(const std::vector<std::string>& words)
    : rules(pairs(words)), colour(rules.at("colour")), rows(std::stoul(rules.at("rows"))),
      random(std::stoull(rules.at("seed")))
{
    char between;
    std::istringstream(rules.at("board")) >> width >> between >> height;
    // F1,B6,S1,28: a letter, then how many.
    std::istringstream items(rules.at("army"));
    for (std::string item; std::getline(items, item, ',');) army.append(std::stoul(item.substr(1)), item[0]);
}

void Game::see(const std::string& text)
{
    const std::string files = "abcdefghiklmnopqrstuvwxyz"; // there is no j
    std::size_t rank = height, file = 0;
    for (char letter : text) {
        if (letter == '/') {
            rank--;
            file = 0;
        } else {
            board[files.at(file++) + std::to_string(rank)] = letter;
        }
    }
}

void run(Bot& bot, std::istream& in, std::ostream& out)
{
    std::optional<Game> game;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        std::vector<std::string> rest;
        for (std::string next; words >> next;) rest.push_back(next);

        if (word == "quit") return;
        if (word == "sbp") {
            out << "id name " << bot.name() << "\nwant legal board\nfeature deterministic\nok" << std::endl;
        } else if (word == "isready") {
            out << "readyok" << std::endl;
        } else if (word == "newgame") {
            game.emplace(rest);
        } else if (!game) {
            continue;
        } else if (word == "setup") {
            if (rest.size() == 2) {
                game->deployment = rest[1]; // assigned
            } else {
                game->deployment = bot.choose_deployment(*game);
                out << "setup " << game->deployment << std::endl;
            }
        } else if (word == "moved") {
            game->moves.push_back(rest);
            game->refused.clear();
            game->draw_offered = false;
        } else if (word == "drawoffer") {
            game->draw_offered = true;
        } else if (word == "illegal") { // a clause, then the squares of a move that was taken back
            game->refused.push_back(rest.at(1) + rest.at(2));
        } else if (word == "board") {
            game->see(rest.at(0));
        } else if (word == "legal") {
            // What was refused is refused again, whatever the list says.
            game->legal.clear();
            for (const auto& move : rest) {
                const auto& refused = game->refused;
                if (std::find(refused.begin(), refused.end(), move) == refused.end()) game->legal.push_back(move);
            }
        } else if (word == "go") {
            out << (game->legal.empty() ? "resign" : "move " + bot.choose_move(*game)) << std::endl;
        }
    }
}

} // namespace sbp
