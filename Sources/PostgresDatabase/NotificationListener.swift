import Glibc
import SQL
import Synchronization

/// What is said on one channel, for all who read it: a connection of its own, on a thread of its own, that is opened anew
/// whenever it is lost, and closed when nobody reads any more.
final class NotificationListener: Sendable {
    private struct State {
        /// Whether the server listens at the moment.
        var isListening = false
        /// Whether it takes no more readers.
        var isEnding = false
        var isOver = false
        var next = 0
        var readers: [Int: AsyncStream<DatabaseNotification>.Continuation] = [:]
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let url: PostgresURL
    private let limits: PostgresLimits
    private let channel: String
    private let signal: EndSignal
    private let state = Mutex(State())

    /// Makes a listener, which does not listen yet; nil if the process has no descriptors left.
    init?(_ url: PostgresURL, _ limits: PostgresLimits, channel: String) {
        guard let signal = EndSignal() else { return nil }
        self.signal = signal
        self.url = url
        self.limits = limits
        self.channel = channel
    }

    /// Listens until it is told to end, or nobody reads any more.
    func start() {
        WorkerThread.start { [self] in
            listen()
            let (readers, closers) = state.withLock { state in
                state.isEnding = true
                state.isOver = true
                return (state.readers, state.closers)
            }
            for reader in readers.values { reader.finish() }
            for closer in closers { closer.resume() }
        }
    }

    /// One more reader's stream; nil if the listener is ending.
    func read() -> AsyncStream<DatabaseNotification>? {
        let (stream, reader) = AsyncStream.makeStream(
            of: DatabaseNotification.self,
            bufferingPolicy: .bufferingNewest(limits.waitingNotifications)
        )
        let known: (number: Int, isListening: Bool)? = state.withLock { state in
            guard !state.isEnding else { return nil }
            state.next += 1
            state.readers[state.next] = reader
            return (state.next, state.isListening)
        }
        guard let (number, isListening) = known else { return nil }
        if isListening { reader.yield(.listening) }
        reader.onTermination = { [weak self] _ in self?.leave(number) }
        return stream
    }

    /// Has it end.
    func end() {
        state.withLock { $0.isEnding = true }
        signal.give()
    }

    /// Whether its connection is closed for good.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Waits until its connection is closed for good.
    func ended() async {
        await withCheckedContinuation { closer in
            let isOver = state.withLock { state in
                if !state.isOver { state.closers.append(closer) }
                return state.isOver
            }
            if isOver { closer.resume() }
        }
    }

    private func leave(_ number: Int) {
        let isLast = state.withLock { state in
            state.readers[number] = nil
            if state.readers.isEmpty { state.isEnding = true }
            return state.isEnding
        }
        if isLast { signal.give() }
    }

    /// Hands a notification to all who read; nil says that the connection is lost.
    ///
    /// Nobody is woken under the lock: whoever is cancelled meanwhile comes for it with the lock of their task in hand, for
    /// which waking them waits.
    private func hear(_ notification: DatabaseNotification?) {
        let readers = state.withLock { state in
            if notification == nil { state.isListening = false }
            if notification == .listening { state.isListening = true }
            return Array(state.readers.values)
        }
        guard let notification else { return }
        for reader in readers { reader.yield(notification) }
    }

    private func listen() {
        var failures = 0
        while !signal.isGiven(withinMilliseconds: pause(after: failures)) {
            do throws(SQLError) {
                let connection = try PostgresConnection(url, limits)
                _ = try connection.roundTrip([TransactionText.listen(to: channel)])
                failures = 0
                hear(.listening)
                while let texts = try connection.notifications(until: signal.descriptor) {
                    for text in texts { hear(.said(text)) }
                }
                return
            } catch {
                failures += 1
                hear(nil)
            }
        }
    }

    /// How many milliseconds to wait after so many failures in a row.
    ///
    /// Half of it is random, so that instances that lost one server do not all come back at once.
    private func pause(after failures: Int) -> Int {
        guard failures > 0 else { return 0 }
        let doubled = limits.reconnectPauseMilliseconds << min(failures - 1, 16)
        let pause = min(limits.longestListeningPauseMilliseconds, doubled)
        return pause / 2 + Int.random(in: 0...pause / 2)
    }
}

/// Tells a thread that waits for descriptors to end, once and for all.
private final class EndSignal: Sendable {
    /// Becomes readable once the signal is given.
    let descriptor: Int32
    private let far: Int32

    /// Makes a signal; nil if the process has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        (descriptor, far) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(far)
    }

    /// Gives the signal; any number of times.
    func give() { shutdown(far, Int32(SHUT_RDWR)) }

    /// Whether it is given within so many milliseconds.
    func isGiven(withinMilliseconds limit: Int) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&watched, 1, Int32(limit)) > 0
    }
}
