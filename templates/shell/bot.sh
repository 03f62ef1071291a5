#!/bin/sh
# my-bot, a Stratego bot in POSIX shell. Your thinking goes into choose_deployment and choose_move.
#
# It needs no program beside the shell, so that an answer costs no new process.

# A random number below $1, from the game's seed, in $drawn.
draw() {
  state=$(((state * 1103515245 + 12345) % 2147483648))
  drawn=$((state / 65536 % $1))
}

# Where the army stands, in $deployment: one letter a square, the own back row first, each row from file a, `.` for an
# empty one. $army has one letter a piece, $squares is the number of squares.
choose_deployment() {
  left=$army
  while [ ${#left} -lt "$squares" ]; do left=$left.; done
  deployment=
  while [ -n "$left" ]; do
    draw ${#left}
    before=$left
    while [ ${#before} -gt "$drawn" ]; do before=${before%?}; done
    after=${left#"$before"}
    deployment=$deployment${after%"${after#?}"}
    left=$before${after#?}
  done
}

# One of the arguments, the legal moves such as a4a5, in $move.
choose_move() {
  draw $#
  shift "$drawn"
  move=$1
}

# ---- the conversation ----

state=0 army= squares=0 legal= refused=

# Takes in the rules of a game.
new_game() {
  refused=
  for pair; do
    value=${pair#*=}
    case $pair in
      seed=*)
        state=$((value % 2147483648))
        ;;
      board=*) width=${value%x*} ;;
      rows=*) rows=$value ;;
      army=*)
        army=
        while [ -n "$value" ]; do # F1,B6,S1,28: a letter, then how many
          item=${value%%,*}
          value=${value#"$item"} value=${value#,}
          count=${item#?}
          while [ "$count" -gt 0 ]; do
            army=$army${item%"${item#?}"}
            count=$((count - 1))
          done
        done
        ;;
    esac
  done
  squares=$((width * rows))
}

# Answers `go`. What was refused in this turn is refused again, whatever the list says.
answer() {
  set --
  for move in $legal; do
    case " $refused " in
      *" $move "*) ;;
      *) set -- "$@" "$move" ;;
    esac
  done
  if [ $# -eq 0 ]; then
    echo resign
  else
    choose_move "$@"
    echo "move $move"
  fi
}

set -f # no word is a file name's pattern
while read -r word rest; do
  case $word in
    sbp) printf '%s\n' 'id name my-bot' 'want legal' 'feature deterministic' ok ;;
    isready) echo readyok ;;
    newgame) new_game $rest ;;
    setup)
      case $rest in
        assigned*) deployment=${rest#assigned } ;;
        *)
          choose_deployment
          echo "setup $deployment"
          ;;
      esac
      ;;
    legal) legal=$rest ;;
    moved) refused= ;; # here a bot that keeps a board would look at $rest
    illegal) # a clause, then the squares of a move that was taken back
      set -- $rest
      refused="$refused $2$3"
      ;;
    go) answer ;;
    quit) break ;;
  esac
done
