#!/bin/sh
# A scripted agent of which hundreds cost next to nothing. The prompt says which job it is: `job-17 asks`. What it does stands in the ledger: that it
# began, and each answer that it was given.
if [ "$1" = --version ]; then
  echo '9.9.9 (Fake Agent)'
  exit
fi
session='"session_id":"11111111-2222-4333-8444-555555555555"'
say() { printf '%s\n' "$1"; }
said() { say "{\"type\":\"assistant\",$session,\"parent_tool_use_id\":null,\"message\":{\"id\":\"$1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"fake\",\"content\":[$2]}}"; }

job=
while [ -z "$job" ] && IFS= read -r line; do
  case $line in
    *job-[0-9]*) job=${line#*job-} asked=$line job=${job%%[!0-9]*} ;;
  esac
done
[ -n "$job" ] || exit 1
echo "$job" >>"$FLEET_LEDGER/begun"
say "{\"type\":\"system\",\"subtype\":\"init\",$session,\"model\":\"fake\",\"tools\":[]}"
for part in 1 2 3 4 5 6; do
  said "msg_$part" "{\"type\":\"text\",\"text\":\"part $part of job $job\"}"
  case $asked in *slowly*) sleep 0.3 ;; esac
done
case $asked in
  *asks*)
    call="{\"command\":\"make $job\"}"
    said msg_call "{\"type\":\"tool_use\",\"id\":\"call\",\"name\":\"Bash\",\"input\":$call}"
    say "{\"type\":\"control_request\",\"request_id\":\"q\",\"request\":{\"subtype\":\"can_use_tool\",\"tool_name\":\"Bash\",\"input\":$call,\"tool_use_id\":\"call\"}}"
    answered=
    while [ -z "$answered" ] && IFS= read -r line; do
      case $line in *control_response*) answered=$line ;; esac
    done
    [ -n "$answered" ] || exit 1
    echo "$job" >>"$FLEET_LEDGER/answered"
    say "{\"type\":\"user\",$session,\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"call\",\"content\":\"made $job\"}]}}"
    ;;
esac
said msg_end "{\"type\":\"text\",\"text\":\"job $job is done\"}"
say "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"job $job is done\",$session,\"num_turns\":1,\"duration_ms\":5,\"total_cost_usd\":0.01,\"usage\":{\"input_tokens\":10,\"output_tokens\":5}}"
# A second answer would come here.
while IFS= read -r line; do
  case $line in *control_response*) echo "$job" >>"$FLEET_LEDGER/answered" ;; esac
done
