/* Tests the bot: talks with it and looks at its answers. */
#include "sbp.h"

#include <stdlib.h>
#include <string.h>

#define GAME(seed) \
    "newgame id=t colour=blue first=red seed=" seed " board=3x4 lakes=none rows=1 army=F1,21 deployment=any novelty=1\n"

static int failures;

static void expect(bool good, const char *what, const char *seen)
{
    printf("%s: %s\n", good ? "ok" : "FAILED", what);
    if (!good) {
        printf("  seen: %s\n", seen);
        failures++;
    }
}

/* All that the bot says to these lines. */
static char *talk(const char *lines)
{
    static Game game;
    memset(&game, 0, sizeof game);
    FILE *out = tmpfile();
    char line[1024];
    while (*lines) {
        size_t length = strcspn(lines, "\n") + 1;
        memcpy(line, lines, length);
        line[length] = '\0';
        lines += length;
        if (!hear(&game, line, out))
            break;
    }
    char *said = calloc(1, 1 << 16);
    rewind(out);
    size_t got = fread(said, 1, (1 << 16) - 1, out);
    said[got] = '\0';
    fclose(out);
    return said;
}

static int by_letter(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

/* Whether the two texts have the same letters. */
static bool same_letters(const char *text, const char *other)
{
    char a[256], b[256];
    snprintf(a, sizeof a, "%s", text);
    snprintf(b, sizeof b, "%s", other);
    qsort(a, strlen(a), 1, by_letter);
    qsort(b, strlen(b), 1, by_letter);
    return !strcmp(a, b);
}

static void questions_are_answered_and_nothing_else_is(void)
{
    char *said = talk("sbp 1\n\nweather fine\nisready\n" GAME("7") "setup\nstart\n"
                      "drawoffer\nboard .2F/.../.../?..\nlegal a4a3 b4b3\ngo\n"
                      "illegal move.chase a4 a3\nlegal a4a3 b4b3\ngo\n"
                      "moved blue b4 b3\nlegal a4a3\ngo clock=1,2\ngameover winner=none reason=new\nquit\nisready\n");
    char *answers[16] = {0};
    int count = 0;
    for (char *line = strtok(said, "\n"); line && count < 16; line = strtok(NULL, "\n"))
        answers[count++] = line;
    expect(count == 9, "as many answers as questions", "");
    expect(!strcmp(answers[3], "ok"), "the handshake ends by ok", answers[3]);
    expect(!strcmp(answers[4], "readyok"), "it is ready", answers[4]);
    expect(same_letters(answers[5], "setup .2F"), "the army is deployed", answers[5]);
    expect(!strcmp(answers[6], "move a4a3") || !strcmp(answers[6], "move b4b3"), "the move is legal", answers[6]);
    expect(!strcmp(answers[7], "move b4b3"), "what was refused is not tried again", answers[7]);
    expect(!strcmp(answers[8], "move a4a3"), "the next turn begins anew", answers[8]);
    free(said);
}

static void the_whole_army_is_deployed(void)
{
    char *said = talk("newgame board=10x10 rows=4 army=F1,B6,S1,28,35,44,54,64,73,82,91,M1 seed=1\nsetup\n");
    expect(same_letters(said, "setup FBBBBBBS2222222233333444455556666777889M\n"), "a whole army is deployed", said);
    free(said);
}

static void the_same_seed_gives_the_same_answers(void)
{
#define TURN "legal a4a3 b4b3 c4c3\ngo\n"
#define TURNS "setup\n" TURN TURN TURN TURN TURN TURN TURN TURN TURN TURN
    char *first = talk(GAME("1") TURNS), *again = talk(GAME("1") TURNS), *other = talk(GAME("2") TURNS);
    expect(!strcmp(first, again), "the same seed gives the same answers", again);
    expect(strcmp(first, other) != 0, "another seed gives others", other);
    free(first);
    free(again);
    free(other);
}

int main(void)
{
    questions_are_answered_and_nothing_else_is();
    the_whole_army_is_deployed();
    the_same_seed_gives_the_same_answers();
    return failures > 0;
}
