#!/bin/sh
# Checks a bot and leaves the report in every form: the shell recipe, and what the GitHub action and the GitLab
# template run.
#   ci/check.sh BOT [OPTION…]        options as for `arbiter check`
# ARBITER is the program (arbiter), REPORTS the folder (arbiter-report).
set -eu
[ $# -ge 1 ] || { echo "usage: ci/check.sh BOT [OPTION…]" >&2; exit 2; }
arbiter=${ARBITER:-arbiter}
reports=${REPORTS:-arbiter-report}
mkdir -p "$reports"
# Reports of an earlier run must not pass for this one's.
for report in junit.xml sarif.json report.json report.html badge.svg summary.md; do rm -f "$reports/$report"; done
set -- "$@" --format "junit=$reports/junit.xml" --format "sarif=$reports/sarif.json" \
  --format "json=$reports/report.json" --format "html=$reports/report.html" \
  --format "badge=$reports/badge.svg" --format "markdown=$reports/summary.md"
# Annotations for GitHub, the table for people elsewhere.
if [ "${GITHUB_ACTIONS:-}" = true ]; then set -- "$@" --format github; fi
status=0
"$arbiter" check "$@" || status=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$reports/summary.md" ]; then
  cat "$reports/summary.md" >> "$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  passed=false
  if [ "$status" = 0 ]; then passed=true; fi
  echo "passed=$passed" >> "$GITHUB_OUTPUT"
fi
exit "$status"
