#!/usr/bin/env -S mawk -W interactive -f
# random_mover.awk: a Stratego bot that plays random legal moves, from the seed it is given.
# Run:  ./random_mover.awk, or  mawk -W interactive -f random_mover.awk
# mawk needs -W interactive, else it waits for a full input buffer; other awks are untried.

# A generator of its own, so that each awk plays the same (products stay below 2^53).
function seed_with(text,    i) {
    state = 1
    for (i = 1; i <= length(text); i++)
        state = (state * 16807 + index("0123456789abcdefghijklmnopqrstuvwxyz", substr(text, i, 1))) % 2147483647
    if (state == 0) state = 1
    for (i = 0; i < 8; i++) below(2)
}
function below(n) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * n) }
function say(line) { print line; fflush() }

# Draws a deployment: the army and as many "." as there are squares left over, shuffled.
# A deployment in which nothing of mine could move is drawn again (at most 1000 times).
function draw(    files, ranks, squares, n, items, i, k, s, t, j, out, tries, lake, m) {
    split(rule["board"], files, "x")
    squares = rule["rows"] * files[1]
    m = split(rule["army"], items, ",")
    for (tries = 0; tries < 1000; tries++) {
        n = 0
        for (i = 1; i <= m; i++)
            for (k = substr(items[i], 2) + 0; k > 0; k--) s[++n] = substr(items[i], 1, 1)
        while (n < squares) s[++n] = "."
        for (i = n; i > 1; i--) { j = 1 + below(i); t = s[i]; s[i] = s[j]; s[j] = t }
        if (mobile(s, n, files[1])) break
    }
    out = ""
    for (i = 1; i <= n; i++) out = out s[i]
    return out
}

# Can a piece step forward from the front row, or anywhere within the deployment?
function mobile(s, n, width,    i, row, rank, file) {
    for (i = 1; i <= n; i++) {
        if (s[i] == "F" || s[i] == "B" || s[i] == ".") continue
        if (i % width != 1 && i > 1 && s[i - 1] == ".") return 1
        if (i % width != 0 && i < n && s[i + 1] == ".") return 1
        if (i > width && s[i - width] == ".") return 1
        if (i + width <= n) { if (s[i + width] == ".") return 1; continue }
        file = substr("abcdefghik", (i - 1) % width + 1, 1)
        row = int((i - 1) / width) + 1                        # counted from my own back row
        rank = colour == "blue" ? height - row : row + 1      # the rank before the front row
        if (index("," rule["lakes"] ",", "," file rank ",") == 0) return 1
    }
    return 0
}

{ sub(/\r$/, "") }

$1 == "sbp" {
    say("id name Random Mover (awk)")
    say("id author newcomer")
    say("id version 1.0")
    say("feature deterministic")
    say("want legal")
    say("ok")
}
$1 == "isready" { say("readyok") }
$1 == "newgame" {
    split("", rule); moves = 0; split("", refused)
    for (i = 2; i <= NF; i++) {
        at = index($i, "=")
        if (at) rule[substr($i, 1, at - 1)] = substr($i, at + 1)
    }
    colour = rule["colour"]
    split(rule["board"], dims, "x"); height = dims[2] + 0
    seed_with(rule["seed"] colour)
}
$1 == "setup" && NF == 1 { say("setup " draw()) }
$1 == "moved" { split("", refused) }
$1 == "illegal" { refused[$3 $4] = 1 }        # illegal move.chase a4 a5
$1 == "legal" { moves = 0; for (i = 2; i <= NF; i++) move[++moves] = $i }
$1 == "go" {
    n = 0
    for (i = 1; i <= moves; i++) if (!(move[i] in refused)) left[++n] = move[i]
    if (n) say("move " left[1 + below(n)]); else say("resign")
}
$1 == "quit" { exit }
