"""A service in Python's standard library that publishes its contract and registers itself in Consul.

The gateway sends X-User-Id and X-User-Roles (identityHeaders: true), so only the gateway may reach the port.
"""
import hashlib
import json
import os
import pathlib
import signal
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONSUL = os.environ["CONSUL_HTTP_ADDR"]
CONTRACT = pathlib.Path(os.environ.get("CONTRACT", pathlib.Path(__file__).with_name("farriers.openapi.json")))
farriers = {"Eisenhut": {"name": "Eisenhut", "district": "Salzburg"}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # Keeps connections open.

    def do_GET(self):
        name = self.path.split("?")[0].removeprefix("/api/farriers").strip("/")
        if self.path == "/health":
            self.send(200, {"status": "UP"})
        elif self.path == "/openapi.json":
            self.send_contract()
        elif name == "":
            self.send(200, list(farriers.values()))
        elif name in farriers:
            self.send(200, farriers[name] | {"seenBy": self.headers.get("X-User-Id")})
        else:
            self.send(404, {"message": f"No farrier is named {name}."})

    def do_POST(self):
        farrier = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        farriers[farrier["name"]] = farrier
        self.send(201, farrier)

    def send_contract(self):
        content = CONTRACT.read_bytes()
        tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        if self.headers.get("If-None-Match") == tag:
            self.send_response(304)
            self.end_headers()
        else:
            self.send(200, content, {"ETag": tag})

    def send(self, status, body, headers={}):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def consul(path, body=None):
    content = json.dumps(body).encode()
    request = urllib.request.Request(f"http://{CONSUL}/v1/agent/service/{path}", content, method="PUT")
    urllib.request.urlopen(request, timeout=5).close()


def stop(*_):
    consul(f"deregister/{identifier}")
    sys.exit(0)


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
port = server.server_port
identifier = f"farriers-{port}"
check = {"HTTP": f"http://127.0.0.1:{port}/health", "Interval": "1s", "DeregisterCriticalServiceAfter": "1m"}
consul("register", {"ID": identifier, "Name": "farriers", "Address": "127.0.0.1", "Port": port, "Check": check})
signal.signal(signal.SIGTERM, stop)
print(f"farriers: http://127.0.0.1:{port}", flush=True)
server.serve_forever()
