"""Reads what cutechess-cli or fastchess print of a match of two, by their documented lines alone.

Written for their output, not for ours: it knows nothing of arbiter. It prints what it found as one JSON object, and
ends with 1 at a line it does not know.
"""
import json
import re
import sys

NUMBER = r"(-?\d+\.\d+)"
REASON = (
    r"(?:Red|Blue) (?:captures the flag|has no legal move|loses on time|disconnects|makes an illegal move|resigns|"
    r"wins by adjudication)|(?:Red|Blue)'s connection stalls|Draw by agreement|Draw by adjudication|No result"
)
LINES = {
    "started": r"Started game (\d+) of (\d+) \((.+) vs (.+)\)",
    "finished": r"Finished game (\d+) \((.+) vs (.+)\): (1-0|0-1|1/2-1/2|\*) \{(%s)\}" % REASON,
    "score": r"Score of (.+) vs (.+): (\d+) - (\d+) - (\d+)  \[(\d\.\d{3})\] (\d+)",
    "elo": rf"Elo difference: {NUMBER} \+/- {NUMBER}, LOS: {NUMBER} %, DrawRatio: {NUMBER} %",
    "sprt": rf"SPRT: llr {NUMBER} \({NUMBER}%\), lbound {NUMBER}, ubound {NUMBER}( - H[01] was accepted)?",
    "end": r"Finished match|Tournament finished",
    "rule": r"-{50}",
    "results": r"Results of (.+) vs (.+) \((\S+), 1t, NULL, (\S+)\):",
    "elos": rf"Elo: {NUMBER} \+/- {NUMBER}, nElo: {NUMBER} \+/- {NUMBER}",
    "los": rf"LOS: {NUMBER} %, DrawRatio: {NUMBER} %(?:, PairsRatio: {NUMBER})?",
    "games": rf"Games: (\d+), Wins: (\d+), Losses: (\d+), Draws: (\d+), Points: {NUMBER} \({NUMBER} %\)",
    "pairs": rf"Ptnml\(0-2\): \[(\d+), (\d+), (\d+), (\d+), (\d+)\](?:, WL/DD Ratio: {NUMBER})?",
    "llr": rf"LLR: {NUMBER} \({NUMBER}%\) \({NUMBER}, {NUMBER}\) \[{NUMBER}, {NUMBER}\]",
    "head": r"Rank Name +Elo +\+/- +Games +Score +Draw",
    "row": r" *(\d+) (\S+) +([<>]?-?\d+|-) +(\d+|-) +(\d+) +(\d+\.\d)% +(\d+\.\d)%",
}

found = {name: [] for name in LINES}
for line in sys.stdin.read().splitlines():
    for name, pattern in LINES.items():
        match = re.fullmatch(pattern, line)
        if match:
            found[name].append(match.groups())
            break
    else:
        sys.exit(f"a line that neither program prints: {line!r}")
print(json.dumps(found))
