/*
 * probe-c: a greedy Stratego bot that keeps nothing in mind.
 *
 * It asks the arbiter for the view of the board and for the legal moves with each turn, and looks at one move
 * ahead: strike what is known to be weaker, probe what is unknown with cheap pieces, scouts first, go to the
 * nearest piece worth a strike, stay away from what is known to be stronger. C11 and its library, nothing else.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE = 1 << 17,   /* the protocol's lines have at most 65,536 bytes */
    SQUARES = 128,    /* of the largest board */
    MOVES = 4 * SQUARES * 25,
    RANKS = 12,
    FAR = 1000
};

/* The order of strength, as in the protocol; an index into this is a rank. */
static const char LETTERS[] = "FBS23456789M";
static const char KNOWN[] = "fbscdeghijkm";
static const char FILES[] = "abcdefghiklmnopqrstuvwxyz";
enum { FLAG, BOMB, SPY, SCOUT, MINER, MARSHAL = 11 };

static const double VALUE[RANKS] = {300, 8, 9, 3, 7, 4, 6, 10, 16, 24, 35, 48};

struct move {
    int from, to;
};

/* The game. */
static int width, height, rows;
static int army[RANKS];
static bool red;
static uint64_t random_state;

/* The turn. */
static char view[SQUARES + 1]; /* the board's characters, from a1 on */
static struct move legal[MOVES], refused[MOVES];
static int legals, refusals;
static struct move last; /* our last move */
static int quiet;        /* plies since the last battle */

static int greed = 50; /* the option */

/* ---- small things ---- */

static uint64_t random_bits(void) /* SplitMix64 */
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double random_unit(void)
{
    return (double)(random_bits() >> 11) / 9007199254740992.0;
}

/* The place of a character in a string, or -1. */
static int place(const char *text, char c)
{
    const char *at = c ? strchr(text, c) : NULL;
    return at ? (int)(at - text) : -1;
}

/* Reads a square's name and moves the text past it; -1 where the board has no such square. */
static int read_square(const char **text)
{
    int file = place(FILES, **text);
    if (file < 0)
        return -1;
    char *end;
    long rank = strtol(*text + 1, &end, 10);
    *text = end;
    return file < width && rank >= 1 && rank <= height ? (int)(rank - 1) * width + file : -1;
}

/* Reads "a4a5" or "a4 a5". */
static bool read_move(const char *text, struct move *move)
{
    move->from = read_square(&text);
    text += strspn(text, " ");
    move->to = read_square(&text);
    return move->from >= 0 && move->to >= 0;
}

static bool same(struct move a, struct move b)
{
    return a.from == b.from && a.to == b.to;
}

/* The squares next to one; returns how many. */
static int neighbours(int square, int next[4])
{
    int n = 0, file = square % width;
    if (square + width < width * height)
        next[n++] = square + width;
    if (square >= width)
        next[n++] = square - width;
    if (file + 1 < width)
        next[n++] = square + 1;
    if (file > 0)
        next[n++] = square - 1;
    return n;
}

/* ---- the view: what stands where ---- */

static int mine_at(int square) /* the rank of our piece, or -1 */
{
    return place(LETTERS, view[square]);
}

static int known_at(int square) /* the rank of a known enemy piece, or -1 */
{
    return place(KNOWN, view[square]);
}

static bool unknown_at(int square)
{
    return view[square] == '?' || view[square] == '!';
}

/* 1 where the attacker wins, 0 where both fall or equals meet, -1 where it is lost. */
static int fight(int attacker, int defender)
{
    if (defender == FLAG || (attacker == MINER && defender == BOMB) || (attacker == SPY && defender == MARSHAL))
        return 1;
    if (defender == BOMB)
        return -1;
    return (attacker > defender) - (attacker < defender);
}

/* ---- choosing ---- */

/* What a strike at a square seems to bring. */
static double strike(int rank, int square)
{
    int known = known_at(square);
    if (known >= 0) {
        int outcome = fight(rank, known);
        double gain = outcome >= 0 ? VALUE[known] : 0;
        return outcome > 0 ? gain : gain - VALUE[rank];
    }
    /* Unknown: the cheaper the piece, the better a probe; what never moved may be a bomb, or the flag. */
    double boldness = greed / 10.0 + quiet / 8.0;
    double probe = boldness - VALUE[rank] * (view[square] == '?' ? 0.8 : 0.6);
    return rank == SCOUT ? probe + 2 : probe;
}

/* What a piece may lose on a square to known enemies next to it, once the move is made. */
static double danger(int rank, int square, struct move move)
{
    int next[4], n = neighbours(square, next);
    for (int i = 0; i < n; i++) {
        int enemy = next[i] == move.to ? -1 : known_at(next[i]);
        if (enemy > BOMB && fight(enemy, rank) > 0)
            return VALUE[rank];
    }
    return 0;
}

/* The steps from every square to the nearest piece that this rank would strike. */
static void measure(int rank, int steps[SQUARES])
{
    int queue[SQUARES], head = 0, tail = 0;
    for (int s = 0; s < width * height; s++) {
        bool wanted = (unknown_at(s) || known_at(s) >= 0) && strike(rank, s) > 0;
        steps[s] = wanted ? 0 : FAR;
        if (wanted)
            queue[tail++] = s;
    }
    while (head < tail) {
        int square = queue[head++], next[4], n = neighbours(square, next);
        for (int i = 0; i < n; i++) {
            bool open = view[next[i]] == '.' || mine_at(next[i]) > BOMB;
            if (open && steps[next[i]] == FAR) {
                steps[next[i]] = steps[square] + 1;
                queue[tail++] = next[i];
            }
        }
    }
}

static struct move choose(void)
{
    static int steps[RANKS][SQUARES];
    bool measured[RANKS] = {false};
    struct move best = legal[0];
    double most = -1e9;
    for (int i = 0; i < legals; i++) {
        struct move move = legal[i], undo = {last.to, last.from};
        int rank = mine_at(move.from);
        if (rank < 0)
            continue;
        if (!measured[rank]) {
            measure(rank, steps[rank]);
            measured[rank] = true;
        }
        double score = random_unit() * 0.2;
        score += danger(rank, move.from, move) - danger(rank, move.to, move);
        if (view[move.to] != '.')
            score += strike(rank, move.to);
        else
            score += 4.0 / (1 + steps[rank][move.to]) - 4.0 / (1 + steps[rank][move.from]);
        if (same(move, undo))
            score -= 0.5;
        if (score > most) {
            most = score;
            best = move;
        }
    }
    return best;
}

/* ---- deploying ---- */

struct spot {
    int index;
    double back; /* the less, the nearer the flag */
};

static int nearer(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;
    if (x->back != y->back)
        return x->back < y->back ? -1 : 1;
    return x->index - y->index;
}

/* The flag in the back row, then the pieces in this order on squares ever farther from it. */
static void deploy(void)
{
    static const char order[] = "FB3SM9845762";
    struct spot spots[SQUARES];
    char text[SQUARES + 1];
    int squares = rows * width, pieces = 0, placed = 0;
    int flag = (int)(random_bits() % (uint64_t)width);
    for (int i = 0; i < squares; i++) {
        int aside = abs(i % width - flag), row = i / width;
        spots[i].index = i;
        spots[i].back = i == flag ? -1 : row + 0.2 * aside + random_unit();
    }
    qsort(spots, (size_t)squares, sizeof *spots, nearer);
    memset(text, '.', (size_t)squares);
    text[squares] = '\0';
    for (int rank = 0; rank < RANKS; rank++)
        pieces += army[rank];
    for (const char *c = order; *c; c++)
        for (int k = 0; k < army[place(LETTERS, *c)]; k++)
            /* With more squares than pieces, they are spread over all of them. */
            text[spots[placed++ * squares / pieces].index] = *c;
    printf("setup %s\n", text);
}

/* ---- the protocol ---- */

static void new_game(char *words)
{
    uint64_t seed = 0;
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value++ = '\0';
        if (strcmp(word, "colour") == 0)
            red = strcmp(value, "red") == 0;
        else if (strcmp(word, "seed") == 0)
            seed = strtoull(value, NULL, 10);
        else if (strcmp(word, "board") == 0)
            sscanf(value, "%dx%d", &width, &height);
        else if (strcmp(word, "rows") == 0)
            rows = atoi(value);
        else if (strcmp(word, "army") == 0) {
            memset(army, 0, sizeof army);
            while (*value) {
                int rank = place(LETTERS, *value);
                long count = strtol(value + 1, &value, 10);
                if (rank >= 0)
                    army[rank] = (int)count;
                value += *value == ',';
            }
        }
    }
    random_state = seed;
    quiet = refusals = legals = 0;
    last.from = last.to = -1;
    memset(view, '.', sizeof view);
}

/* The board comes with its highest rank first. */
static void see(const char *text)
{
    for (int rank = height - 1; rank >= 0; rank--) {
        for (int file = 0; file < width && *text > ' '; file++)
            view[rank * width + file] = *text++;
        text += *text == '/';
    }
}

static void moved(const char *words)
{
    bool by_red = strncmp(words, "red ", 4) == 0;
    const char *squares = strchr(words, ' ');
    struct move move;
    if (!squares || !read_move(squares + 1, &move))
        return;
    quiet = strstr(words, " battle ") ? 0 : quiet + 1;
    refusals = 0;
    if (by_red == red)
        last = move;
}

static void list(char *words)
{
    legals = 0;
    for (char *word = strtok(words, " "); word && legals < MOVES; word = strtok(NULL, " ")) {
        bool ok = read_move(word, &legal[legals]);
        /* A move that was taken back may stand in the list again. */
        for (int i = 0; ok && i < refusals; i++)
            ok = !same(legal[legals], refused[i]);
        legals += ok;
    }
}

static void print_square(int square)
{
    printf(" %c%d", FILES[square % width], square / width + 1);
}

static void go(void)
{
    if (legals == 0) {
        puts("resign");
        return;
    }
    struct move move = choose();
    fputs("move", stdout);
    print_square(move.from);
    print_square(move.to);
    putchar('\n');
}

static void hello(void)
{
    puts("id name probe-c\n"
         "id author the arbiter project\n"
         "id version 0.1.0\n"
         "option name Greed type spin default 50 min 0 max 200\n"
         "want legal board\n"
         "feature deterministic\n"
         "ok");
}

int main(void)
{
    static char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        char *rest = strchr(line, ' ');
        if (rest)
            *rest++ = '\0';
        else
            rest = line + strlen(line);

        if (strcmp(line, "go") == 0)
            go();
        else if (strcmp(line, "legal") == 0)
            list(rest);
        else if (strcmp(line, "board") == 0)
            see(rest);
        else if (strcmp(line, "moved") == 0)
            moved(rest);
        else if (strcmp(line, "illegal") == 0) {
            const char *squares = strchr(rest, ' ');
            if (squares && refusals < MOVES)
                refusals += read_move(squares + 1, &refused[refusals]);
        } else if (strcmp(line, "setup") == 0) {
            if (strncmp(rest, "assigned", 8) != 0)
                deploy();
        } else if (strcmp(line, "newgame") == 0)
            new_game(rest);
        else if (strcmp(line, "gameover") == 0)
            refusals = 0;
        else if (strcmp(line, "isready") == 0)
            puts("readyok");
        else if (strcmp(line, "setoption") == 0)
            sscanf(rest, "name Greed value %d", &greed);
        else if (strcmp(line, "sbp") == 0)
            hello();
        else if (strcmp(line, "quit") == 0)
            break;
        fflush(stdout);
    }
    return 0;
}
