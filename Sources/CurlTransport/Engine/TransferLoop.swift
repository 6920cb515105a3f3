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
        let verdict = admission.arrive(number, at: target.origin)
        guard verdict != .refuse else {
            return arrival.refuse(.queueFull, "\(limits.requestsWaiting) requests are waiting already")
        }
        flights[number] = Flight(arrival: arrival, target: target, hasPlace: verdict == .fly)
        if verdict == .fly { cleared.append(number) }
        earliestDeadline = min(earliestDeadline ?? arrival.deadline, arrival.deadline)
    }

    /// A request that cannot be launched gives its place to another, which is launched in the next round.
    private mutating func launchCleared() {
        while !cleared.isEmpty {
            let round = cleared
            cleared = []
            for number in round { launch(number) }
        }
    }

    private mutating func launch(_ number: UInt) {
        guard let flight = flights[number] else { return }
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
        for (number, flight) in flights where flight.arrival.deadline <= now {
            abandon(number, .timedOut, "its total time limit passed")
        }
        earliestDeadline = flights.values.lazy.map(\.arrival.deadline).min()
    }

    /// Ends a request for a reason of ours, wherever it stands; one that has been answered already is left alone.
    private mutating func abandon(_ number: UInt, _ reason: TransportFailure.Reason, _ message: String) {
        guard let flight = flights[number] else { return }
        let mayHaveArrived = flight.transfer?.requestHasBegun ?? false
        settle(number, .failure(TransportFailure(reason, message, mayHaveArrived: mayHaveArrived)))
    }

    /// Frees what a request held, answers it, and gives its place to the next.
    private mutating func settle(_ number: UInt, _ result: HTTPResult) {
        guard let flight = flights.removeValue(forKey: number) else { return }
        if let transfer = flight.transfer { multi.remove(transfer) }
        if !flight.hasPlace {
            admission.withdraw(number)
        } else if let next = admission.land(from: flight.target.origin) {
            flights[next]?.hasPlace = true
            cleared.append(next)
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
