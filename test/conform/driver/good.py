import json
import sys

for line in sys.stdin.buffer.read().split(b"\n"):
    try:
        print(json.dumps({"item": json.loads(line.decode("utf-8-sig"))}))
    except ValueError:
        if line.strip():
            print(json.dumps({"error": "bad line"}))
print(json.dumps({"end": True}))
