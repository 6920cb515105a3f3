import AdapterKit
import Domain
import Logging
import SQL
import Storage
import Synchronization
import Telemetry
import Tracing

/// One turn at an endpoint: takes it in hand, sends what is due, and writes down what became of it.
struct DeliveryBatch: Sendable {
    /// Callbacks that are given up at once when an endpoint has failed for too long.
    private static let givenUpAtOnce = 1_000
    /// How often writing down is tried, and the pause in between.
    private static let writes = (tries: 3, pauseMilliseconds: Int64(500))

    let ports: CallbackDeliverer.Ports
    let settings: DeliverySettings

    /// Goes one turn.
    ///
    /// - Parameters:
    ///   - endpoint: which.
    ///   - holder: a name that no other claim has.
    ///   - mayBegin: whether anything may still be sent.
    /// - Returns: whether more may be due there already.
    /// - Throws: `SQLError`; what was sent then is sent again once the claim ends.
    func run(
        _ endpoint: EndpointID,
        as holder: String,
        while mayBegin: @escaping @Sendable () -> Bool
    ) async throws -> Bool {
        let now = ports.now()
        let (until, batch) = (now.adding(milliseconds: settings.leaseMilliseconds), settings.batch)
        let isTraced = ports.traces.tracer != nil
        let claim = try await ports.database.write { session in
            try CallbackQueue.claim(
                endpoint,
                as: holder,
                at: now,
                until: until,
                limit: batch,
                isTraced: isTraced,
                in: session
            )
        }
        guard let claim else { return false }
        let result = await result(of: claim, while: mayBegin)
        guard try await write(result, of: claim) else { return false }
        let isRest = claim.callbacks.count == settings.batch || result.reports.count < claim.callbacks.count
        return isRest && result.health.retryAt == nil && !result.isGone && mayBegin()
    }

    private func result(
        of claim: CallbackQueue.Claim,
        while mayBegin: @escaping @Sendable () -> Bool
    ) async -> BatchResult {
        var random = ports.random
        let (keys, identity): ([SigningKey], EndpointIdentity?)
        do throws(UnusableSecret) {
            keys = try ports.secrets.keys(of: claim.endpoint, at: ports.now())
            identity = try ports.secrets.identity(of: claim.endpoint)
        } catch {
            return BatchResult(claim, unsent: "\(error)", at: ports.now(), using: &random)
        }
        let heard = await send(claim, with: keys, as: identity, while: mayBegin)
        return BatchResult(claim, heard, at: ports.now(), using: &random)
    }

    /// Sends until the round's time is over or one callback has failed: what waits then is spared the same.
    private func send(
        _ claim: CallbackQueue.Claim,
        with keys: [SigningKey],
        as identity: EndpointIdentity?,
        while mayBegin: @escaping @Sendable () -> Bool
    ) async -> [CallbackID: Verdict] {
        let end = ports.now().adding(milliseconds: settings.roundMilliseconds)
        let gate = BatchGate(until: end, now: ports.now)
        @Sendable func walk(_ lane: [StoredCallback]) async -> [CallbackID: Verdict] {
            var heard: [CallbackID: Verdict] = [:]
            for callback in lane {
                guard gate.mayStartNext, mayBegin() else { break }
                let verdict = await deliver(callback, of: claim, with: keys, as: identity)
                heard[callback.id] = verdict
                guard case .delivered = verdict else {
                    gate.close()
                    break
                }
            }
            return heard
        }
        var lanes = Self.lanes(of: claim.callbacks)[...]
        let first = isTrusted(claim.endpoint) ? [:] : await walk(lanes.popFirst() ?? [])
        return await withTaskGroup(of: [CallbackID: Verdict].self) { [lanes] group in
            var lanes = lanes
            for _ in 0..<settings.requestsPerEndpoint {
                guard let lane = lanes.popFirst() else { break }
                group.addTask { await walk(lane) }
            }
            var heard = first
            while let some = await group.next() {
                heard.merge(some) { _, later in later }
                if let lane = lanes.popFirst() { group.addTask { await walk(lane) } }
            }
            return heard
        }
    }

    /// Sends one callback, within a span of the trace in which its order was placed.
    private func deliver(
        _ callback: StoredCallback,
        of claim: CallbackQueue.Claim,
        with keys: [SigningKey],
        as identity: EndpointIdentity?
    ) async -> Verdict {
        let stored = callback.content.order.flatMap { claim.traceParents[$0] }
        let parent = ports.traces.parent(orStored: stored)
        return await ports.traces.inSpan("callback", .client, below: parent) { span in
            let request = CallbackRequest(
                callback.id.text,
                callback.content.payload,
                to: claim.endpoint,
                with: keys,
                as: identity,
                in: span?.position.text,
                at: ports.now()
            )
            let verdict = Verdict(await ports.sender.send(request), at: ports.now())
            if let span { verdict.record(on: span, of: callback) }
            return verdict
        }
    }

    /// Whether an endpoint takes several callbacks at once: one that hangs would keep as many connections.
    private func isTrusted(_ endpoint: CallbackEndpoint) -> Bool {
        guard let last = endpoint.health.lastDeliveredAt, endpoint.health.failures == 0 else { return false }
        return ports.now().milliseconds(since: last) < settings.trustMilliseconds
    }

    /// The callbacks of one order follow each other; those of different orders need not.
    private static func lanes(of callbacks: [StoredCallback]) -> [[StoredCallback]] {
        var lanes: [[StoredCallback]] = []
        var places: [OrderID: Int] = [:]
        for callback in callbacks {
            if let order = callback.content.order, let place = places[order] {
                lanes[place].append(callback)
            } else {
                if let order = callback.content.order { places[order] = lanes.count }
                lanes.append([callback])
            }
        }
        return lanes
    }

    /// Writes down and lets go; false if the claim had ended, and with it the right to say more than what arrived.
    private func write(_ result: BatchResult, of claim: CallbackQueue.Claim) async throws -> Bool {
        var tries = 0
        while true {
            tries += 1
            do {
                let isOurs = try await writeOnce(result, of: claim)
                BatchLog(ports.logger).log(result, of: claim, isOurs: isOurs)
                for report in result.reports { ports.count(.tried(report.outcome)) }
                if !isOurs { ports.count(.claimLost) }
                return isOurs
            } catch let error as SQLError where tries < Self.writes.tries && ports.now() < claim.until {
                ports.logger.warning(
                    "what became of callbacks could not be stored",
                    metadata: ["endpoint": "\(claim.endpoint.id)", "error": "\(error)"]
                )
                try? await ports.sleep(Self.writes.pauseMilliseconds)
            }
        }
    }

    private func writeOnce(_ result: BatchResult, of claim: CallbackQueue.Claim) async throws -> Bool {
        let (now, endpoint) = (ports.now(), claim.endpoint)
        return try await ports.database.write { session in
            let isOurs = try CallbackQueue.release(claim, result.health, in: session)
            let reports = result.reports.filter { isOurs || $0.outcome == .delivered }
            try CallbackQueue.record(reports, at: now, in: session)
            guard isOurs else { return false }
            if let moment = result.givesUpBefore {
                _ = try CallbackQueue.giveUp(
                    at: endpoint.id,
                    dueBefore: moment,
                    limit: Self.givenUpAtOnce,
                    at: now,
                    because: "the endpoint has failed since \(result.health.failingSince?.description ?? "-")",
                    in: session
                )
            }
            if result.isGone, try CallbackEndpointTable.disable(endpoint.id, because: .gone, in: session) {
                try Outbox.insert(EndpointNotice.disabled(endpoint, because: .gone, at: now), in: session)
            }
            return true
        }
    }
}

/// Whether a round may begin to send one more callback.
final class BatchGate: Sendable {
    private let isOpen = Atomic(true)
    private let end: Timestamp
    private let now: @Sendable () -> Timestamp

    /// A gate that closes at `end`.
    init(until end: Timestamp, now: @escaping @Sendable () -> Timestamp) {
        self.end = end
        self.now = now
    }

    /// Whether it may.
    var mayStartNext: Bool { isOpen.load(ordering: .relaxed) && now() < end && !Task.isCancelled }

    /// Lets nothing more begin.
    func close() { isOpen.store(false, ordering: .relaxed) }
}
