#!/bin/sh
# Tests the bot: talks with it and looks at its answers.
set -eu
cd "$(dirname "$0")"

failed=0
expect() { # what, pattern, text
  case $3 in
    $2) echo "ok: $1" ;;
    *)
      echo "FAILED: $1: \`$3\` is not \`$2\`"
      failed=1
      ;;
  esac
}

letters() { printf '%s\n' "$1" | fold -w1 | sort | tr -d '\n'; }

game() { # seed
  echo "newgame id=t colour=blue first=red seed=$1 board=3x4 lakes=none rows=1 army=F1,21 deployment=any novelty=1"
}

talk() { sh bot.sh; }

answers=$({
  printf '%s\n' 'sbp 1' '' 'weather fine' isready
  game 7
  printf '%s\n' setup start drawoffer 'legal a4a3 b4b3' go
  printf '%s\n' 'illegal move.chase a4 a3' 'legal a4a3 b4b3' go
  printf '%s\n' 'moved blue b4 b3' 'legal a4a3' 'go clock=1,2' 'gameover winner=none reason=new' quit isready
} | talk)
line() { printf '%s\n' "$answers" | sed -n "$1p"; }
expect 'the handshake ends by ok' ok "$(line 4)"
expect 'it is ready' readyok "$(line 5)"
expect 'the army is deployed' ' .2Fepstu' "$(letters "$(line 6)")"
expect 'a legal move is made' 'move [ab]4[ab]3' "$(line 7)"
expect 'what was refused is not tried again' 'move b4b3' "$(line 8)"
expect 'the next turn begins anew' 'move a4a3' "$(line 9)"
expect 'nothing else is said' '' "$(line '10,$')"

isf='rows=4 board=10x10 army=F1,B6,S1,28,35,44,54,64,73,82,91,M1 seed=9223372036854775807'
answer=$(printf '%s\n' "newgame $isf" setup | talk)
expect 'a whole army is deployed' "$(letters FBBBBBBS2222222233333444455556666777889M)" "$(letters "${answer#setup }")"

play() { # seed
  {
    game "$1"
    echo setup
    for i in 1 2 3 4 5 6 7 8 9 10; do printf '%s\n' 'legal a4a3 b4b3 c4c3' go; done
  } | talk
}
expect 'the same seed gives the same answers' "$(play 1)" "$(play 1)"
if [ "$(play 1)" = "$(play 2)" ]; then expect 'another seed gives others' '' same; fi
exit $failed
