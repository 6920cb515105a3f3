import Foundation
import Synchronization

/// `openssl s_server` on a free loopback port, answering by a script.
///
/// It serves one connection after another. What it decrypts, and its own remarks, make up the transcript; the
/// responder sees the whole transcript whenever it grows; each message it returns is encrypted and sent, except that
/// one beginning with Q drops the connection.
package final class TLSServer: Sendable {
    package typealias Responder = @Sendable (String) -> [[UInt8]]

    package let port: UInt16
    private let process: OpenSSLProcess
    private let text = Mutex("")

    /// Starts it and waits until it listens, on a free port for zero.
    package init(
        _ identity: (certificate: String, key: String),
        at address: String = "127.0.0.1",
        port wantedPort: UInt16 = 0,
        options: [String] = [],
        responder: @escaping Responder = TLSServer.answeringEachRequest()
    ) throws {
        process = try OpenSSLProcess(
            ["s_server", "-accept", "\(address):\(wantedPort)", "-cert", identity.certificate, "-key", identity.key]
                + options
        )
        var opening = ""
        var port: UInt16?
        while port == nil {
            guard let piece = process.read() else {
                process.wait()
                throw OpenSSLFailure(command: "s_server")
            }
            opening += String(decoding: piece, as: UTF8.self)
            port = Self.port(in: opening, wanted: wantedPort)
        }
        self.port = port ?? 0
        Thread.detachNewThread { [self] in converse(responder) }
    }

    /// What was decrypted, among the remarks of `s_server`.
    package var transcript: String { text.withLock { $0 } }

    /// Ends it; the conversing thread sees its output end, and frees it.
    package func stop() { process.kill() }

    /// Sends `messages` once for each request whose body, which ends in `ending`, has come.
    package static func answeringEachRequest(
        with messages: [[UInt8]] = [paid],
        endingIn ending: String = "amount=1"
    ) -> Responder {
        let answered = Counter()
        return { transcript in
            answered.rises(to: transcript.ranges(of: ending).count) ? messages : []
        }
    }

    /// A whole reply in HTTP/1.1.
    package static let paid = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npaid".utf8)

    private func converse(_ responder: Responder) {
        while let piece = process.read() {
            let transcript = text.withLock { text in
                text += String(decoding: piece, as: UTF8.self)
                return text
            }
            for message in responder(transcript) { process.write(message) }
        }
        process.wait()
    }

    /// Nil until it listens; it names only a port that it chose itself.
    private static func port(in text: String, wanted: UInt16) -> UInt16? {
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .first { $0.hasPrefix("ACCEPT") }
        if wanted != 0 { return line == nil ? nil : wanted }
        return line.flatMap { $0.split(separator: ":").last }.flatMap { UInt16($0) }
    }
}

/// Runs a body with a TLS server that is stopped afterwards.
package func withTLSServer<Answer>(
    _ server: TLSServer,
    _ body: (TLSServer) async throws -> Answer
) async rethrows -> Answer {
    defer { server.stop() }
    return try await body(server)
}
