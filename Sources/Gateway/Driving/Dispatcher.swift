import AdapterKit
import Domain
import Logging

/// Performs what was leased to this instance, and tells the desk what became of it.
struct Dispatcher: Sendable {
    private static let tellingPauseMilliseconds: Int64 = 500

    let carrier: Carrier
    let clock: any GatewayClock
    let logger: Logger

    /// Starts to carry operations of an order.
    ///
    /// Returns at once.
    func dispatch(
        _ operations: [OperationID],
        of order: Order,
        credentials: [AttemptID: Credential] = [:],
        desk: OrderDesk
    ) {
        for operation in operations {
            let attempt = order.find(operation)?.attempt.id
            let credential = attempt.flatMap { credentials[$0] }
            Task {
                defer { carrier.lines.forget(operation) }
                let report = await carrier.carry(operation, in: order, credential: credential) {
                    await record($0, underLease: $1, isAnew: $2, of: order, desk: desk)
                }
                guard let report else { return }
                await tell(report, of: order, desk: desk)
            }
        }
    }

    /// Writes down that an operation is sent once more.
    private func record(
        _ id: OperationID,
        underLease lease: Int64,
        isAnew: Bool,
        of order: Order,
        desk: OrderDesk
    ) async -> Carrier.RecordedSending {
        let known = order.find(id)?.operation.sendings ?? 0
        do {
            let recorded = try await desk.tell(.sending(id, lease: lease, isAnew: isAnew), about: order.id)
            guard let operation = recorded.find(id)?.operation, operation.leases == lease else { return .lost }
            if operation.sendings > known { return .recorded(recorded) }
            let isHeld = operation.isOpen && (operation.dueAt.map { $0 > clock.now() } ?? false)
            return isHeld && recorded.decision.state != .pending ? .decided : .lost
        } catch {
            logger.error(
                "a sending could not be written down; it is left to whoever is next",
                metadata: ["order": "\(order.id)", "operation": "\(id)", "error": "\(error)"]
            )
            return .lost
        }
    }

    /// Tells the desk, again and again while the lease lasts: the PSP has been heard, only the database has not.
    private func tell(_ report: Report, of order: Order, desk: OrderDesk) async {
        let end = order.find(report.operation)?.operation.dueAt ?? clock.now()
        var isLogged = false
        while true {
            do {
                _ = try await desk.tell(.report(report), about: order.id)
                return
            } catch {
                // What is the order's own fault is recorded by the desk, and looked at again when the lease is over.
                guard FailureRecorder.isElsewhere(error) else { return }
                if !isLogged {
                    logger.error(
                        "an outcome could not be stored yet",
                        metadata: ["order": "\(order.id)", "operation": "\(report.operation)", "error": "\(error)"]
                    )
                }
                isLogged = true
                guard clock.now() < end else { return }
                let pause = clock.now().adding(milliseconds: Self.tellingPauseMilliseconds)
                guard (try? await clock.sleep(until: pause)) != nil else { return }
            }
        }
    }
}
