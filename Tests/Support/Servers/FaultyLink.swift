import Foundation
import Synchronization

/// A way to a server on this machine that can be slow, silent, closed or cut, and lead to another server from one moment on.
package final class FaultyLink: Sendable {
    /// How the way is at the moment.
    package enum Weather: Hashable, Sendable {
        /// What comes in goes out.
        case fair
        /// Each piece takes so many milliseconds longer.
        case slow(milliseconds: Int)
        /// What comes in is kept until the weather changes, and nobody is told.
        case silent
        /// Nobody is let in; who is in stays.
        case closed
    }

    private struct Pair {
        let client: LoopbackSocket
        let server: LoopbackSocket
        /// How many of its two threads still use it.
        var users = 2
        var isCut = false
    }

    private struct State {
        var target: UInt16
        var weather = Weather.fair
        var pairs: [Int: Pair] = [:]
        var next = 0
        var isOver = false
    }

    private static let pieceBytes = 65_536
    private static let lookMicroseconds: UInt32 = 10_000

    /// Where it begins.
    package let port: UInt16
    private let listener: LoopbackSocket
    private let state: Mutex<State>

    /// Opens a way to a port.
    ///
    /// - Throws: if there is no port to begin at.
    package init(to target: UInt16) throws {
        let listener = try LoopbackSocket.listening()
        self.listener = listener
        port = try listener.port
        state = Mutex(State(target: target))
        Thread.detachNewThread { [self] in
            while let client = listener.accept() { pass(client) }
            listener.close()
        }
    }

    /// Changes the weather.
    package func turn(_ weather: Weather) { state.withLock { $0.weather = weather } }

    /// Ends every connection, with what was kept.
    package func cut() {
        state.withLock { state in
            for number in state.pairs.keys {
                state.pairs[number]?.isCut = true
                state.pairs[number]?.client.resetOnClose()
                state.pairs[number]?.client.shutDown()
                state.pairs[number]?.server.shutDown()
            }
        }
    }

    /// Leads to another port from now on, and ends the connections to the one before.
    package func redirect(to target: UInt16) {
        state.withLock { $0.target = target }
        cut()
    }

    /// Ends every connection and takes no more.
    package func stop() {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        cut()
        // The accepting thread closes it, so that nobody accepts on a descriptor that has become another's.
        if !wasOver { listener.shutDown() }
    }

    private func pass(_ client: LoopbackSocket) {
        let target: UInt16? = state.withLock { state in
            state.isOver || state.weather == .closed ? nil : state.target
        }
        guard let target, let server = LoopbackSocket.connected(to: target) else { return client.close() }
        let number = state.withLock { state in
            state.next += 1
            state.pairs[state.next] = Pair(client: client, server: server)
            return state.next
        }
        Thread.detachNewThread { [self] in carry(number, from: client, to: server) }
        Thread.detachNewThread { [self] in carry(number, from: server, to: client) }
    }

    /// Carries bytes one way until either side ends; whoever is last closes both.
    private func carry(_ number: Int, from source: LoopbackSocket, to target: LoopbackSocket) {
        while let bytes = source.read(upTo: Self.pieceBytes) {
            guard waits(number), target.write(bytes) else { break }
        }
        // The end is as late as what came before it.
        _ = waits(number)
        state.withLock { state in
            guard var pair = state.pairs[number] else { return }
            pair.client.shutDown()
            pair.server.shutDown()
            pair.users -= 1
            state.pairs[number] = pair.users > 0 ? pair : nil
            guard pair.users == 0 else { return }
            pair.client.close()
            pair.server.close()
        }
    }

    /// Waits as long as the weather wants; says whether the connection is still there.
    private func waits(_ number: Int) -> Bool {
        var waited = 0
        while true {
            let (weather, isThere) = state.withLock { state in
                (state.weather, state.pairs[number]?.isCut == false && !state.isOver)
            }
            guard isThere else { return false }
            switch weather {
            case .fair, .closed: return true
            case .slow(let milliseconds):
                if waited >= milliseconds { return true }
                waited += Int(Self.lookMicroseconds) / 1000
            case .silent: break
            }
            usleep(Self.lookMicroseconds)
        }
    }
}
