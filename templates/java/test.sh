#!/bin/sh
# Compiles the bot with its tests and runs them.
set -eu
cd "$(dirname "$0")"
javac -Xlint:all -d build/test *.java
exec java -cp build/test BotTest
