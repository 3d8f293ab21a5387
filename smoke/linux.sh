#!/bin/sh
# Smoke test on Linux (S2-24): builds, runs the checks of smoke.mjs, and looks in /proc that nothing is left.
set -eu
cd "$(dirname "$0")/.."
[ -d node_modules ] || npm ci --ignore-scripts
npm run build
node smoke/smoke.mjs
if grep -lzs '^FAKE_AGENT_SCRIPT=' /proc/[0-9]*/environ 2>/dev/null; then
  echo 'FAIL processes of the fake agent are left'
  exit 1
fi
echo 'ok   no process is left'
