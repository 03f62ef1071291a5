/* The conversation with the arbiter, and a game as far as this side knows it. */
#ifndef SBP_H
#define SBP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_SQUARES = 128, MAX_FILES = 25, MAX_RANKS = 64, MAX_LEGAL = 4096, MAX_LINE = 65536 };

/* A move as the arbiter writes it, such as "a4a5". */
typedef struct {
    char text[8];
} Move;

typedef struct {
    bool red;               /* the own side */
    int width, height;      /* of the board */
    int rows;               /* deployment rows of each side */
    char army[MAX_SQUARES + 1]; /* one letter a piece: F, B, S, 2 to 9, M */
    char deployment[MAX_SQUARES + 1];
    uint64_t random; /* state of random_below; seeded by the arbiter, so the same game gives the same moves */
    /* The view, board[rank - 1][file]: '.' empty, '~' lake, own pieces in capitals and digits, '?' unknown,
       '!' unknown and has moved, known enemies f b s c d e g h i j k m (flag, bomb, spy, 2 to 9, marshal). */
    char board[MAX_RANKS][MAX_FILES];
    Move legal[MAX_LEGAL];
    int legals;
    Move refused[MAX_LEGAL]; /* moves of this turn that were taken back */
    int refusals;
    bool draw_offered; /* by the opponent, just now; answering with a move declines it */
} Game;

/* Yours, in bot.c. */
extern const char *const bot_name;
void choose_deployment(Game *game, char *squares);
const Move *choose_move(Game *game);

/* A random number from 0 to n - 1. */
unsigned random_below(Game *game, unsigned n);

/* Takes in one line, which it may write into, and answers it if it asks for something. False after `quit`. */
bool hear(Game *game, char *line, FILE *out);

#endif
