#!/bin/sh
# Smoke test on macOS (S2-24): builds, runs the checks of smoke.mjs, and looks with ps that nothing is left.
set -eu
cd "$(dirname "$0")/.."
[ -d node_modules ] || npm ci --ignore-scripts
npm run build
node smoke/smoke.mjs
if ps -axo command= | grep '[f]ake-agent.mjs'; then
  echo 'FAIL processes of the fake agent are left'
  exit 1
fi
echo 'ok   no process is left'
