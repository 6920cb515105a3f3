import Foundation
import Testing
import TributaryTestKit

/// A receiver over the public Python package `standardwebhooks` (PyPI), which knows nothing of us.
///
/// `TRIBUTARY_STANDARD_WEBHOOKS_PYTHON` names a Python that has it; without that the tests with it do not run.
struct StandardWebhooksPython {
    /// The Python; nil if none is named.
    static var path: String? {
        let path = ProcessInfo.processInfo.environment["TRIBUTARY_STANDARD_WEBHOOKS_PYTHON"] ?? ""
        return path.isEmpty ? nil : path
    }

    /// Answers 204 to what the package verifies and 400 with its words to everything else; keeps the last request, and
    /// says on each what the package makes of it once something in it was changed.
    private static let script = """
        import json, sys
        from http.server import BaseHTTPRequestHandler, HTTPServer
        from standardwebhooks.webhooks import Webhook, WebhookVerificationError

        hook = Webhook(sys.argv[1])

        def verdict(body, headers):
            try:
                hook.verify(body, headers)
                return "verified"
            except WebhookVerificationError as error:
                return str(error)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                later = str(int(headers["webhook-timestamp"]) + 1)
                found = {
                    "as_sent": verdict(body, headers),
                    "body": verdict(body.replace(b"e", b"3", 1), headers),
                    "id": verdict(body, dict(headers, **{"webhook-id": headers["webhook-id"] + "x"})),
                    "timestamp": verdict(body, dict(headers, **{"webhook-timestamp": later})),
                    "unsigned": verdict(body, dict(headers, **{"webhook-signature": "v1,AAAA"})),
                    "webhook_id": headers["webhook-id"],
                }
                sys.stdout.write(json.dumps(found) + "\\n")
                sys.stdout.flush()
                self.send_response(204 if found["as_sent"] == "verified" else 400)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        sys.stderr.write("listening on http://127.0.0.1:%d\\n" % server.server_port)
        sys.stderr.flush()
        server.serve_forever()
        """

    /// Starts a receiver that knows one secret, and answers it and its URL.
    static func start(_ secret: String, in place: Workplace) async throws -> (RunningProgram, String) {
        try place.write(script, to: "receiver.py")
        let program = try place.start(try #require(path), [place.path("receiver.py"), secret])
        let line = try await program.notice(containing: "listening on http", within: .patience)
        return (program, line.split(separator: " ").last.map(String.init) ?? "")
    }
}
