import CCurl

/// What the transport's thread does: takes requests in, drives libcurl, answers.
///
/// Everything here lives and dies on that thread.
struct TransferLoop {
    private struct Flight {
        let arrival: Arrival
        let target: Target
        /// Whether it counts against the limits.
        var hasPlace: Bool
        /// Nil until libcurl has it.
        var transfer: Transfer?

        var lane: Lane { Lane(origin: target.origin, bulkhead: arrival.request.bulkhead) }

        var requestHasBegun: Bool { transfer?.requestHasBegun ?? false }

        /// When something becomes too late for it.
        var nextDeadline: ContinuousClock.Instant {
            guard let launchBy = arrival.request.launchBy, !requestHasBegun else { return arrival.deadline }
            return min(arrival.deadline, launchBy)
        }
    }

    private let inbox: Inbox
    private let multi: MultiHandle
    private let limits: TransportLimits
    private var admission: Admission
    private var flights: [UInt: Flight] = [:]
    /// Those that have been given a place, in order, and are to be handed to libcurl.
    private var cleared: [UInt] = []
    /// No deadline is earlier; it may belong to a request that has been answered since.
    private var earliestDeadline: ContinuousClock.Instant?

    init(inbox: Inbox, multi: MultiHandle, limits: TransportLimits) {
        self.inbox = inbox
        self.multi = multi
        self.limits = limits
        admission = Admission(limits: limits)
    }

    /// Works until told to stop.
    mutating func run() {
        while true {
            let (messages, isStopping) = inbox.drain()
            for message in messages { take(message) }
            if isStopping { break }
            launchCleared()
            multi.perform()
            while let (number, code) = multi.nextFinished() { finish(number, code) }
            expire()
            launchCleared()
            multi.poll(upTo: earliestDeadline)
        }
        shutDown()
    }

    private mutating func take(_ message: Inbox.Message) {
        switch message {
        case .arrival(let arrival): take(arrival)
        case .cancellation(let ticket): abandon(ticket.number, .cancelled, "the caller's task was cancelled")
        }
    }

    private mutating func take(_ arrival: Arrival) {
        guard !arrival.ticket.isCancelled else {
            return arrival.refuse(.cancelled, "the caller's task was cancelled")
        }
        let number = arrival.ticket.number
        let target: Target
        do throws(TransportFailure) {
            target = try Target(of: arrival.request)
        } catch {
            return arrival.answer(.failure(error))
        }
        var flight = Flight(arrival: arrival, target: target, hasPlace: false)
        let verdict = admission.arrive(number, in: flight.lane)
        guard verdict != .refuse else {
            return arrival.refuse(.queueFull, "as many requests as may wait are waiting already")
        }
        flight.hasPlace = verdict == .fly
        flights[number] = flight
        if verdict == .fly { cleared.append(number) }
        earliestDeadline = min(earliestDeadline ?? flight.nextDeadline, flight.nextDeadline)
    }

    /// A request that cannot be launched gives its place to another, which is launched in the next round.
    private mutating func launchCleared() {
        while !cleared.isEmpty {
            let round = cleared
            cleared = []
            for number in round { launch(number) }
        }
    }

    /// Looks at the clock and at the caller's mind once more: both may have changed since the request was let in.
    private mutating func launch(_ number: UInt) {
        guard let flight = flights[number] else { return }
        if flight.arrival.ticket.isCancelled { return abandon(number, .cancelled, "the caller's task was cancelled") }
        if flight.nextDeadline <= .now { return expire(number, .now) }
        do throws(TransportFailure) {
            let transfer = try Transfer(flight.arrival.request, to: flight.target, number: number, limits: limits)
            try multi.add(transfer)
            flights[number]?.transfer = transfer
        } catch {
            settle(number, .failure(error))
        }
    }

    private mutating func finish(_ number: UInt, _ code: CURLcode) {
        guard let transfer = flights[number]?.transfer else { return }
        settle(number, transfer.result(code))
    }

    /// Answers every request whose time is over.
    private mutating func expire() {
        let now = ContinuousClock.now
        guard let earliest = earliestDeadline, earliest <= now else { return }
        for (number, flight) in flights where flight.nextDeadline <= now { expire(number, now) }
        earliestDeadline = flights.values.lazy.map(\.nextDeadline).min()
    }

    private mutating func expire(_ number: UInt, _ now: ContinuousClock.Instant) {
        guard let flight = flights[number] else { return }
        if flight.arrival.deadline <= now {
            abandon(number, .timedOut, "its total time limit passed")
        } else {
            abandon(number, .launchTimePassed, "the time to launch it passed")
        }
    }

    /// Ends a request for a reason of ours, wherever it stands; one that has been answered already is left alone.
    private mutating func abandon(_ number: UInt, _ reason: TransportFailure.Reason, _ message: String) {
        guard let flight = flights[number] else { return }
        var failure = TransportFailure(reason, message, mayHaveArrived: flight.requestHasBegun)
        failure.onlyWaited = flight.transfer == nil
        settle(number, .failure(failure))
    }

    /// Frees what a request held, answers it, and gives its place to those that wait for it.
    private mutating func settle(_ number: UInt, _ result: HTTPResult) {
        guard let flight = flights.removeValue(forKey: number) else { return }
        if let transfer = flight.transfer { multi.remove(transfer) }
        if flight.hasPlace {
            for next in admission.land(from: flight.lane) {
                flights[next]?.hasPlace = true
                cleared.append(next)
            }
        } else {
            admission.withdraw(number, from: flight.lane)
        }
        flight.arrival.answer(result)
    }

    private mutating func shutDown() {
        let unread = inbox.end()
        for number in flights.keys { abandon(number, .stopped, "the transport was stopped") }
        for case .arrival(let arrival) in unread { arrival.refuse(.stopped, "the transport was stopped") }
        multi.cleanUp()
        inbox.answerStopWaiters()
    }
}
