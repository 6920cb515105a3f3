import CCurl

/// What the transport's thread does: takes requests in, drives libcurl, answers.
///
/// Everything here lives and dies on that thread.
struct TransferLoop {
    /// A request that was taken in and not answered yet.
    private struct Entry {
        let pending: PendingRequest
        let target: Target
        /// Whether it counts against the limits.
        var hasPlace: Bool
        /// Nil until libcurl has it.
        var transfer: Transfer?

        var key: QueueKey { QueueKey(origin: target.origin, bulkhead: pending.request.bulkhead) }

        var requestHasBegun: Bool { transfer?.requestHasBegun ?? false }

        /// When something becomes too late for it.
        var nextDeadline: ContinuousClock.Instant {
            guard let sendBefore = pending.request.sendBefore, !requestHasBegun else { return pending.deadline }
            return min(pending.deadline, sendBefore)
        }
    }

    private let inbox: Inbox
    private let multi: MultiHandle
    private let limits: TransportLimits
    private var queue: ConnectionQueue
    private var entries: [UInt: Entry] = [:]
    /// Those that have been given a place, in order, and are to be handed to libcurl.
    private var admitted: [UInt] = []
    /// No deadline is earlier; it may belong to a request that has been answered since.
    private var earliestDeadline: ContinuousClock.Instant?

    init(inbox: Inbox, multi: MultiHandle, limits: TransportLimits) {
        self.inbox = inbox
        self.multi = multi
        self.limits = limits
        queue = ConnectionQueue(limits: limits)
    }

    /// Works until told to stop.
    mutating func run() {
        while true {
            let (messages, isStopping) = inbox.drain()
            for message in messages { accept(message) }
            if isStopping { break }
            startAdmitted()
            multi.perform()
            while let (number, code) = multi.nextFinished() { finish(number, code) }
            expire()
            startAdmitted()
            multi.poll(upTo: earliestDeadline)
        }
        shutDown()
    }

    private mutating func accept(_ message: Inbox.Message) {
        switch message {
        case .request(let pending): accept(pending)
        case .cancellation(let cancellation):
            abandon(cancellation.number, .cancelled, "the caller's task was cancelled")
        }
    }

    private mutating func accept(_ pending: PendingRequest) {
        guard !pending.cancellation.isCancelled else {
            return pending.refuse(.cancelled, "the caller's task was cancelled")
        }
        let number = pending.cancellation.number
        let target: Target
        do throws(TransportFailure) {
            target = try Target(of: pending.request)
        } catch {
            return pending.answer(.failure(error))
        }
        var entry = Entry(pending: pending, target: target, hasPlace: false)
        let verdict = queue.decide(number, for: entry.key)
        guard verdict != .refuse else {
            return pending.refuse(.queueFull, "as many requests as may wait are waiting already")
        }
        entry.hasPlace = verdict == .admit
        entries[number] = entry
        if verdict == .admit { admitted.append(number) }
        earliestDeadline = min(earliestDeadline ?? entry.nextDeadline, entry.nextDeadline)
    }

    /// A request that cannot be started gives its place to another, which is started in the next round.
    private mutating func startAdmitted() {
        while !admitted.isEmpty {
            let round = admitted
            admitted = []
            for number in round { start(number) }
        }
    }

    /// Looks at the clock and at the caller's mind once more: both may have changed since the request was let in.
    private mutating func start(_ number: UInt) {
        guard let entry = entries[number] else { return }
        if entry.pending.cancellation.isCancelled {
            return abandon(number, .cancelled, "the caller's task was cancelled")
        }
        if entry.nextDeadline <= .now { return expire(number, .now) }
        do throws(TransportFailure) {
            let transfer = try Transfer(entry.pending.request, to: entry.target, number: number, limits: limits)
            try multi.add(transfer)
            entries[number]?.transfer = transfer
        } catch {
            complete(number, .failure(error))
        }
    }

    private mutating func finish(_ number: UInt, _ code: CURLcode) {
        guard let transfer = entries[number]?.transfer else { return }
        complete(number, transfer.result(code))
    }

    /// Answers every request whose time is over.
    private mutating func expire() {
        let now = ContinuousClock.now
        guard let earliest = earliestDeadline, earliest <= now else { return }
        for (number, entry) in entries where entry.nextDeadline <= now { expire(number, now) }
        earliestDeadline = entries.values.lazy.map(\.nextDeadline).min()
    }

    private mutating func expire(_ number: UInt, _ now: ContinuousClock.Instant) {
        guard let entry = entries[number] else { return }
        if entry.pending.deadline <= now {
            abandon(number, .timedOut, "its total time limit passed")
        } else {
            abandon(number, .launchTimePassed, "the time to launch it passed")
        }
    }

    /// Ends a request for a reason of ours, wherever it stands; one that has been answered already is left alone.
    private mutating func abandon(_ number: UInt, _ reason: TransportFailure.Reason, _ message: String) {
        guard let entry = entries[number] else { return }
        var failure = TransportFailure(reason, message, mayHaveArrived: entry.requestHasBegun)
        failure.onlyWaited = entry.transfer == nil
        complete(number, .failure(failure))
    }

    /// Frees what a request held, answers it, and gives its place to those that wait for it.
    private mutating func complete(_ number: UInt, _ result: HTTPResult) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        if let transfer = entry.transfer { multi.remove(transfer) }
        if entry.hasPlace {
            for next in queue.release(entry.key) {
                entries[next]?.hasPlace = true
                admitted.append(next)
            }
        } else {
            queue.withdraw(number, from: entry.key)
        }
        entry.pending.answer(result)
    }

    private mutating func shutDown() {
        let unread = inbox.end()
        for number in entries.keys { abandon(number, .stopped, "the transport was stopped") }
        for case .request(let pending) in unread { pending.refuse(.stopped, "the transport was stopped") }
        multi.cleanUp()
        inbox.answerStopWaiters()
    }
}
