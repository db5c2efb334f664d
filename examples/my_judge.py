#!/usr/bin/env python3
"""A judge of your own behind an OpenAI-compatible endpoint, in some twenty lines of the standard library.

    python examples/my_judge.py 8099

and in the study:

    judges:
      - {name: mine, provider: openai, model: mine, base_url: "http://127.0.0.1:8099/v1"}

Replace `verdict`: it sees a claim's text and the evidence, and says one of supported, conditionally_supported,
contradicted and not_in_evidence (of an abstention: justified_abstention or unjustified_abstention), and which pieces of
evidence it rests on. The one here asks whether a single piece holds every word of four letters or more.
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def verdict(claim: str, evidence: list[dict]) -> tuple[str, list[str]]:
    words = set(re.findall(r"\w{4,}", claim.casefold()))
    holding = [piece["id"] for piece in evidence if words <= set(re.findall(r"\w{4,}", piece["text"].casefold()))]
    return ("supported" if holding else "not_in_evidence"), holding


class Judge(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = request["messages"][-1]["content"].splitlines()[-1]  # the last line is the JSON object
        given = json.loads(asked[asked.index("{") :])
        found = {claim["id"]: verdict(claim["text"], given["evidence"]) for claim in given["claims"]}
        verdicts = [{"id": c, "verdict": v, "evidence": e, "justification": ""} for c, (v, e) in found.items()]
        message = {"role": "assistant", "content": json.dumps({"verdicts": verdicts})}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "mine", "choices": [choice]}
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Judge).serve_forever()
