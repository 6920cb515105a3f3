import Testing
import TributaryTestKit

/// Peers who send the beginning of a request and then wait.
final class Strangers {
    private let port: UInt16
    private var sockets: [LoopbackSocket] = []

    init(url: String) throws { port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) }) }

    func come(_ count: Int) throws {
        for number in 0..<count {
            let socket = try LoopbackSocket.connecting(to: port)
            sockets.append(socket)
            let head = "POST /v1/psp/simulator/psp-0/webhooks HTTP/1.1\r\nHost: localhost\r\n"
            let rest = number.isMultiple(of: 2) ? "" : "Content-Length: 60000\r\n\r\n{"
            _ = socket.write(Array((head + rest).utf8))
        }
    }

    func leave() { for socket in sockets { socket.close() } }
}
