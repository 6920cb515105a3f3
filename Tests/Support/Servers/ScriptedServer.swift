import Foundation
import Synchronization

/// A server on a free loopback port that does on each connection exactly what its script says.
package final class ScriptedServer: Sendable {
    private struct Books {
        var requests: [ReceivedRequest] = []
        var open: [Int: LoopbackSocket] = [:]
        var connections = 0
        var mostOpen = 0
        var unanswered: Set<Int> = []
        var mostUnanswered = 0
        var isListening = true
        var waiters:
            [(isSatisfied: @Sendable (borrowing Books) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// Where it listens.
    package let port: UInt16
    private let listener: LoopbackSocket
    private let books = Mutex(Books())
    private let script: @Sendable (Int) -> [ServerStep]

    /// Starts it; `script` says what happens on the connection with that number, counted from zero.
    package init(_ script: @escaping @Sendable (Int) -> [ServerStep]) throws {
        let listener = try LoopbackSocket.listening()
        self.listener = listener
        port = try listener.port
        self.script = script
        Thread.detachNewThread { [self] in
            while let socket = listener.accept() { begin(socket) }
            listener.close()
        }
    }

    /// A server that does the same on each connection.
    package convenience init(each steps: ServerStep...) throws { try self.init { _ in steps } }

    /// The whole requests it read, in the order in which it had read them.
    package var requests: [ReceivedRequest] { books.withLock { $0.requests } }
    /// How many connections it accepted.
    package var connections: Int { books.withLock { $0.connections } }
    /// How many connections were open at once, at most.
    package var mostOpen: Int { books.withLock { $0.mostOpen } }
    /// How many requests it had read whole and not begun to answer at once, at most.
    ///
    /// A client cannot have fewer under way, whereas it may have closed a connection that is still open here.
    package var mostUnanswered: Int { books.withLock { $0.mostUnanswered } }

    /// Waits until it has accepted so many connections.
    package func waitForConnections(_ count: Int) async { await wait { $0.connections >= count } }
    /// Waits until it has read so many requests.
    package func waitForRequests(_ count: Int) async { await wait { $0.requests.count >= count } }
    /// Waits until no connection is open.
    package func waitUntilIdle() async { await wait { $0.open.isEmpty } }

    /// Ends every connection and accepts no more.
    package func stop() {
        stopListening()
        books.withLock { books in
            for socket in books.open.values { socket.shutDown() }
        }
    }

    private func stopListening() {
        let wasListening = books.withLock { books in
            defer { books.isListening = false }
            return books.isListening
        }
        // The accepting thread closes it, so that nobody accepts on a descriptor that has become another's.
        if wasListening { listener.shutDown() }
    }

    private func begin(_ socket: LoopbackSocket) {
        let number = change { books in
            defer { books.connections += 1 }
            books.open[books.connections] = socket
            books.mostOpen = max(books.mostOpen, books.open.count)
            return books.connections
        }
        Thread.detachNewThread { [self] in
            for step in script(number) {
                guard perform(step, on: socket, number: number) else { break }
            }
            // Closed under the lock, so that `stop` never touches a descriptor that has become another's.
            change { books in
                books.open[number] = nil
                books.unanswered.remove(number)
                socket.close()
            }
        }
    }

    /// False ends the script.
    private func perform(_ step: ServerStep, on socket: LoopbackSocket, number: Int) -> Bool {
        switch step {
        case .awaitByte: return socket.awaitByte()
        case .readHead: return readHead(from: socket) != nil
        case .read(let count): return read(count, from: socket) != nil
        case .readRequest: return readRequest(from: socket, number: number)
        case .write(let text):
            change { _ = $0.unanswered.remove(number) }
            return socket.write(Array(text.utf8))
        case .reply(let body):
            change { _ = $0.unanswered.remove(number) }
            return socket.write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
        case .writeForever(let text, let pauseMilliseconds):
            while socket.write(Array(text.utf8)) { usleep(pauseMilliseconds * 1_000) }
            return false
        case .pass(let gate): return gate.pass()
        case .pause(let milliseconds):
            usleep(milliseconds * 1_000)
            return true
        case .stall:
            while socket.read(upTo: 65_536) != nil {}
            return false
        case .stopListening:
            stopListening()
            return true
        case .reset:
            socket.resetOnClose()
            return false
        }
    }

    private func readRequest(from socket: LoopbackSocket, number: Int) -> Bool {
        guard let head = readHead(from: socket),
            let body = read(ReceivedRequest.bodyLength(inHead: head), from: socket)
        else { return false }
        change { books in
            books.requests.append(ReceivedRequest(connection: number, head: head, body: body))
            books.unanswered.insert(number)
            books.mostUnanswered = max(books.mostUnanswered, books.unanswered.count)
        }
        return true
    }

    private func readHead(from socket: LoopbackSocket) -> [UInt8]? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = socket.read(upTo: 1) else { return nil }
            head += byte
        }
        return head
    }

    private func read(_ count: Int, from socket: LoopbackSocket) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let piece = socket.read(upTo: count - bytes.count) else { return nil }
            bytes += piece
        }
        return bytes
    }

    private func wait(until isSatisfied: @escaping @Sendable (borrowing Books) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { $0.waiters.append((isSatisfied, continuation)) }
        }
    }

    /// Changes the books and wakes whoever waited for what they say now.
    private func change<Answer: Sendable>(_ body: (inout Books) -> sending Answer) -> Answer {
        books.withLock { books in
            let answer = body(&books)
            let waiters = books.waiters
            books.waiters = waiters.filter { !$0.isSatisfied(books) }
            for waiter in waiters where waiter.isSatisfied(books) { waiter.continuation.resume() }
            return answer
        }
    }
}
