/* Plays games until `quit` or the end of the input. */
#include "sbp.h"

int main(void)
{
    static Game game;
    static char line[MAX_LINE + 2];
    while (fgets(line, sizeof line, stdin) && hear(&game, line, stdout)) {
    }
    return 0;
}
