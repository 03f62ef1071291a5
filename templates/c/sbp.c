/* The conversation with the arbiter: answers its questions, takes in its news, passes over what it does not know. */
#include "sbp.h"

#include <stdlib.h>
#include <string.h>

/* SplitMix64. */
unsigned random_below(Game *game, unsigned n)
{
    uint64_t z = game->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ (z >> 31)) % n);
}

/* "F1,B6,S1,28": a letter, then how many. */
static void read_army(Game *game, const char *text)
{
    size_t pieces = 0;
    while (*text) {
        char letter = *text++;
        char *end;
        for (long count = strtol(text, &end, 10); count > 0 && pieces < MAX_SQUARES; count--)
            game->army[pieces++] = letter;
        text = *end ? end + 1 : end;
    }
    game->army[pieces] = '\0';
}

static void new_game(Game *game)
{
    memset(game, 0, sizeof *game);
    for (char *word; (word = strtok(NULL, " "));) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value++ = '\0';
        if (!strcmp(word, "colour"))
            game->red = !strcmp(value, "red");
        else if (!strcmp(word, "seed"))
            game->random = strtoull(value, NULL, 10);
        else if (!strcmp(word, "board"))
            sscanf(value, "%dx%d", &game->width, &game->height);
        else if (!strcmp(word, "rows"))
            game->rows = atoi(value);
        else if (!strcmp(word, "army"))
            read_army(game, value);
    }
}

/* The first row is the highest rank. */
static void see(Game *game, const char *rows)
{
    for (int rank = game->height, file = 0; *rows; rows++) {
        if (*rows == '/') {
            rank--;
            file = 0;
        } else if (rank > 0 && rank <= MAX_RANKS && file < MAX_FILES) {
            game->board[rank - 1][file++] = *rows;
        }
    }
}

static bool was_refused(const Game *game, const char *move)
{
    for (int i = 0; i < game->refusals; i++)
        if (!strcmp(game->refused[i].text, move))
            return true;
    return false;
}

static void read_legal(Game *game)
{
    game->legals = 0;
    for (char *word; (word = strtok(NULL, " "));)
        /* What was refused is refused again, whatever the list says. */
        if (game->legals < MAX_LEGAL && strlen(word) < sizeof(Move) && !was_refused(game, word))
            strcpy(game->legal[game->legals++].text, word);
}

/* A clause, then the squares of a move that was taken back. */
static void read_illegal(Game *game)
{
    strtok(NULL, " ");
    const char *from = strtok(NULL, " "), *to = strtok(NULL, " ");
    if (from && to && game->refusals < MAX_LEGAL)
        snprintf(game->refused[game->refusals++].text, sizeof(Move), "%.3s%.3s", from, to);
}

bool hear(Game *game, char *line, FILE *out)
{
    line[strcspn(line, "\r\n")] = '\0';
    const char *word = strtok(line, " ");
    if (!word)
        return true;
    if (!strcmp(word, "quit"))
        return false;
    if (!strcmp(word, "sbp")) {
        fprintf(out, "id name %s\nwant legal board\nfeature deterministic\nok\n", bot_name);
    } else if (!strcmp(word, "isready")) {
        fprintf(out, "readyok\n");
    } else if (!strcmp(word, "newgame")) {
        new_game(game);
    } else if (!strcmp(word, "setup")) {
        const char *assigned = strtok(NULL, " ");
        if (assigned) {
            assigned = strtok(NULL, " ");
            snprintf(game->deployment, sizeof game->deployment, "%s", assigned ? assigned : "");
        } else {
            memset(game->deployment, 0, sizeof game->deployment);
            choose_deployment(game, game->deployment);
            fprintf(out, "setup %s\n", game->deployment);
        }
    } else if (!strcmp(word, "moved")) {
        game->refusals = 0;
        game->draw_offered = false;
    } else if (!strcmp(word, "drawoffer")) {
        game->draw_offered = true;
    } else if (!strcmp(word, "illegal")) {
        read_illegal(game);
    } else if (!strcmp(word, "board")) {
        const char *rows = strtok(NULL, " ");
        see(game, rows ? rows : "");
    } else if (!strcmp(word, "legal")) {
        read_legal(game);
    } else if (!strcmp(word, "go")) {
        if (game->legals > 0)
            fprintf(out, "move %s\n", choose_move(game)->text);
        else
            fprintf(out, "resign\n");
    }
    fflush(out);
    return true;
}
