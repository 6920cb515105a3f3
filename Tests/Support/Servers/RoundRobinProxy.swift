import Foundation
import Synchronization

/// A load balancer as most are: it passes connections on to servers in turn, only to those whose `/readyz` answers 200, and
/// knows nothing of what is said on them.
package final class RoundRobinProxy: Sendable {
    private struct Pair {
        let client: LoopbackSocket
        let server: LoopbackSocket
        /// How many of its two threads still use it.
        var users = 2
        /// Whether something was passed on to the server since the server last said something.
        var isAwaitingAnswer = false
        var isOver = false
    }

    private struct State {
        var ready: [UInt16] = []
        var next = 0
        var pairs: [Int: Pair] = [:]
        var passed: [UInt16: Int] = [:]
        var unanswered = 0
        var refused = 0
        var isOver = false
    }

    private static let probePauseMicroseconds: UInt32 = 50_000
    private static let pieceBytes = 65_536

    /// Where it listens.
    package let port: UInt16
    private let listener: LoopbackSocket
    private let state = Mutex(State())

    /// Starts it; `servers` tells at each look the ports of all servers, those that are gone too.
    ///
    /// - Throws: if there is no port.
    package init(to servers: @escaping @Sendable () -> [UInt16]) throws {
        let listener = try LoopbackSocket.listening()
        self.listener = listener
        port = try listener.port
        Thread.detachNewThread { [self] in
            while !state.withLock(\.isOver) {
                let ready = servers().filter(Self.isReady)
                state.withLock { $0.ready = ready }
                usleep(Self.probePauseMicroseconds)
            }
        }
        Thread.detachNewThread { [self] in
            while let client = listener.accept() { pass(client) }
            listener.close()
        }
    }

    /// Its base URL.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections were ended by their server, or with it, while a request on them had no answer.
    package var unanswered: Int { state.withLock(\.unanswered) }

    /// How many connections came while no server was ready, and were closed.
    package var refused: Int { state.withLock(\.refused) }

    /// How many connections each server was given, by its port.
    package var passed: [UInt16: Int] { state.withLock(\.passed) }

    /// Waits until so many servers are ready, for a minute at most; says whether they are.
    package func waits(forReady count: Int) async throws -> Bool {
        let end = ContinuousClock.now + .patience
        while state.withLock(\.ready.count) != count {
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    /// Ends every connection and takes no more.
    package func stop() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            for pair in state.pairs.values {
                pair.client.shutDown()
                pair.server.shutDown()
            }
            return state.isOver
        }
        // The accepting thread closes it, so that nobody accepts on a descriptor that has become another's.
        if !wasOver { listener.shutDown() }
    }

    private static func isReady(_ port: UInt16) -> Bool {
        guard let probe = LoopbackSocket.connected(to: port) else { return false }
        defer { probe.close() }
        guard probe.write(Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)) else {
            return false
        }
        return probe.read(upTo: pieceBytes)?.starts(with: "HTTP/1.1 200 ".utf8) == true
    }

    /// Gives a connection to the next server that takes it.
    private func pass(_ client: LoopbackSocket) {
        let candidates = state.withLock { state in
            defer { state.next += 1 }
            let count = state.ready.count
            return (0..<count).map { state.ready[(state.next + $0) % count] }
        }
        for port in candidates {
            guard let server = LoopbackSocket.connected(to: port) else { continue }
            let number = state.withLock { state in
                state.passed[port, default: 0] += 1
                let number = state.next
                state.pairs[number] = Pair(client: client, server: server)
                return number
            }
            Thread.detachNewThread { [self] in carry(number, from: client, to: server, isRequest: true) }
            Thread.detachNewThread { [self] in carry(number, from: server, to: client, isRequest: false) }
            return
        }
        state.withLock { $0.refused += $0.isOver ? 0 : 1 }
        client.close()
    }

    /// Carries bytes one way until either side ends; whoever is last closes both.
    private func carry(_ number: Int, from source: LoopbackSocket, to target: LoopbackSocket, isRequest: Bool) {
        var isCut = false
        while let bytes = source.read(upTo: Self.pieceBytes) {
            state.withLock { $0.pairs[number]?.isAwaitingAnswer = isRequest }
            isCut = !target.write(bytes)
            if isCut { break }
        }
        state.withLock { state in
            guard var pair = state.pairs[number] else { return }
            if !pair.isOver {
                pair.isOver = true
                // A client that leaves is its own affair.
                if !isRequest || isCut, pair.isAwaitingAnswer, !state.isOver { state.unanswered += 1 }
                pair.client.shutDown()
                pair.server.shutDown()
            }
            pair.users -= 1
            state.pairs[number] = pair.users > 0 ? pair : nil
            guard pair.users == 0 else { return }
            pair.client.close()
            pair.server.close()
        }
    }
}
