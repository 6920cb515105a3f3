import NIOCore
import Synchronization

/// Who is connected, and who has kept us waiting for how long.
///
/// Whoever holds connections without asking for anything makes room for whoever comes: it takes more connections than
/// there are, within the time of one request, to keep a checkout out.
final class ConnectionRegister: Sendable {
    /// What becomes of a new connection.
    enum Verdict: Hashable {
        /// It is served.
        case served
        /// It is served in place of this one, which is to be closed.
        case servedInPlaceOf(ObjectIdentifier)
        /// It is refused.
        case refused
    }

    /// The pure part: connections by identity.
    struct Book: Hashable {
        private struct Entry: Hashable {
            /// Since when it has kept us waiting; nil while it is served.
            var waitingSince: Int64?
            var isLeaving = false
        }

        private let limit: Int
        private var entries: [ObjectIdentifier: Entry] = [:]

        init(limit: Int) { self.limit = limit }

        /// How many are open.
        var count: Int { entries.count }

        /// Decides about a new connection.
        ///
        /// The one that makes room for it is not chosen again, unless it turns out to be served.
        mutating func admit(_ id: ObjectIdentifier, at now: Int64) -> Verdict {
            defer { entries[id] = entries[id] ?? Entry(waitingSince: now) }
            guard entries.count >= limit else { return .served }
            let waiting = entries.lazy.compactMap { key, entry in
                entry.isLeaving ? nil : entry.waitingSince.map { (key, $0) }
            }
            guard let oldest = waiting.min(by: { $0.1 < $1.1 }) else {
                entries[id] = Entry(waitingSince: now, isLeaving: true)
                return .refused
            }
            entries[oldest.0]?.isLeaving = true
            return .servedInPlaceOf(oldest.0)
        }

        /// It keeps us waiting since a moment, zero for what is being closed and waits for nothing.
        mutating func wait(_ id: ObjectIdentifier, since moment: Int64) { entries[id]?.waitingSince = moment }

        /// A request of its is being served.
        mutating func serve(_ id: ObjectIdentifier) {
            if entries[id] != nil { entries[id] = Entry(waitingSince: nil) }
        }

        /// It is closed.
        mutating func remove(_ id: ObjectIdentifier) { entries[id] = nil }
    }

    private struct State {
        var book: Book
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Streams of HTTP/2 that are open, over all connections.
        var streams = 0
    }

    private let state: Mutex<State>
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
        state = Mutex(State(book: Book(limit: limit)))
    }

    /// Counts a stream of HTTP/2, unless as many are open as there may be connections: as many requests as HTTP/1.1 has.
    ///
    /// - Returns: whether it is counted; then ``closeStream()`` follows.
    func openStream() -> Bool {
        state.withLock { state in
            guard state.streams < limit else { return false }
            state.streams += 1
            return true
        }
    }

    /// A stream that was counted has ended.
    func closeStream() { state.withLock { $0.streams -= 1 } }

    /// Enters a connection until it is closed, and has another one make room for it if there is none.
    ///
    /// - Returns: whether it is served.
    func admit(_ channel: any Channel, at now: Int64) -> Bool {
        let id = ObjectIdentifier(channel)
        let (verdict, leaving) = state.withLock { state in
            let verdict = state.book.admit(id, at: now)
            state.channels[id] = channel
            if case .servedInPlaceOf(let other) = verdict { return (verdict, state.channels[other]) }
            return (verdict, nil)
        }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { state in
                state.book.remove(id)
                state.channels[id] = nil
            }
        }
        leaving?.pipeline.fireUserInboundEventTriggered(MakeRoom())
        return verdict != .refused
    }

    /// A connection keeps us waiting since a moment.
    func wait(_ channel: any Channel, since moment: Int64) {
        state.withLock { $0.book.wait(ObjectIdentifier(channel), since: moment) }
    }

    /// A request of a connection is being served.
    func serve(_ channel: any Channel) { state.withLock { $0.book.serve(ObjectIdentifier(channel)) } }
}

/// Asks a connection to close unless a request of its is being served.
struct MakeRoom: Sendable {}

/// Accepts no connection for a while after the system could not give one, for want of descriptors or memory.
///
/// The listening socket stays readable meanwhile, and would otherwise be tried again at once, for ever.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.milliseconds(100)
    private var isPausing = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is IOError, !isPausing {
            isPausing = true
            let channel = context.channel
            try? channel.syncOptions?.setOption(.autoRead, value: false)
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
                isPausing = false
                try? channel.syncOptions?.setOption(.autoRead, value: true)
            }
        }
        context.fireErrorCaught(error)
    }
}
