/* my-bot, a Stratego bot. Your thinking goes into the two functions below; sbp.c speaks with the arbiter. */
#include "sbp.h"

#include <string.h>

const char *const bot_name = "my-bot";

/* Where the army stands: one letter a square, the own back row first, each row from file a, '.' for an empty one.
   `squares` has room for all of them and the closing 0. */
void choose_deployment(Game *game, char *squares)
{
    unsigned count = (unsigned)(game->rows * game->width);
    memset(squares, '.', count);
    memcpy(squares, game->army, strlen(game->army));
    for (unsigned i = count; i > 1; i--) {
        unsigned j = random_below(game, i);
        char swapped = squares[i - 1];
        squares[i - 1] = squares[j];
        squares[j] = swapped;
    }
}

/* One of game->legal. game->board says what stands where. */
const Move *choose_move(Game *game)
{
    return &game->legal[random_below(game, (unsigned)game->legals)];
}
