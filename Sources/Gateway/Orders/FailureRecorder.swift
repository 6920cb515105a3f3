import Domain
import Logging
import SQL
import Storage

/// Counts the failures of steps on the rows that wanted them, and says each in one line.
///
/// A database that is away is nobody's failure.
struct FailureRecorder: Sendable {
    let database: any Database
    let clock: any GatewayClock
    let rules: OrderTimings
    let logger: Logger

    /// Whether an error says nothing of the order whose step it ended: the database is away, or nobody waits any more.
    static func isElsewhere(_ error: any Error) -> Bool {
        switch error {
        case SQLError.unavailable, SQLError.serializationFailure, is CancellationError: true
        default: false
        }
    }

    /// Whether no step at all can be taken with the order, whatever it is told.
    static func isWholeOrders(_ error: any Error) -> Bool {
        switch error {
        case SQLError.unexpectedValue, OrderLogError.unknownOrder: true
        default: false
        }
    }

    /// Records that an order could not be told something, unless it refused to do it.
    func record(_ error: any Error, telling inputs: [OrderInput], about order: OrderID) async {
        guard !Self.isElsewhere(error), !(error is RequestRefusal) else { return }
        let operations = inputs.compactMap(\.operation)
        let isWhole = Self.isWholeOrders(error) || inputs.contains(.tick)
        await record(Self.failure(error), of: operations, in: order, isWhole: isWhole)
    }

    /// Records that operations of an order cannot be carried on.
    func record(_ failure: StepFailure, of operations: [OperationID], in order: OrderID) async {
        await record(failure, of: operations, in: order, isWhole: false)
    }

    private func record(
        _ failure: StepFailure,
        of operations: [OperationID],
        in order: OrderID,
        isWhole: Bool
    ) async {
        let now = clock.now()
        do {
            let count = try await database.write { session in
                if isWhole, let count = try StepFailures.record(failure, of: order, at: now, in: session) {
                    return count
                }
                return try StepFailures.record(
                    failure,
                    of: operations,
                    in: order,
                    wakeAt: { OrderMachine.dueAt(of: $0, at: $0.time(at: now), rules) },
                    at: now,
                    in: session
                )
            }
            logger.error(
                "an order could not be carried on; it is tried again later",
                metadata: [
                    "order": "\(order)", "operations": "\(operations.count)", "reason": "\(failure.kind.rawValue)",
                    "error": "\(failure.detail)", "failures": "\(count)",
                    "pause_milliseconds": "\(StepFailures.pause(after: count))",
                ]
            )
        } catch {
            guard !Self.isElsewhere(error) else { return }
            logger.error(
                "the failure of an order's step could not be written down",
                metadata: ["order": "\(order)", "reason": "\(failure.kind.rawValue)", "error": "\(error)"]
            )
        }
    }

    /// What an error says of the order, without anything that came from outside.
    static func failure(_ error: any Error) -> StepFailure {
        switch error {
        case SQLError.unexpectedValue(let column): StepFailure(unreadable: column)
        case OrderLogError.unknownOrder: StepFailure(.unreadable, "There is no such order.")
        case OrderLogError.ruleBroken(_, let rule):
            StepFailure(.ruleBroken, "The next step would break a rule that never breaks: \(rule).")
        case PSPDirectoryError.unknownPSP(let name):
            StepFailure(.accountUnusable, "This build has no adapter for the PSP \(name).")
        case PSPDirectoryError.unknownAccount(let name):
            StepFailure(.accountUnusable, "There is no PSP account \(name).")
        case PSPDirectoryError.otherMode(let name, let mode):
            StepFailure(.accountUnusable, "PSP account \(name): \(PSPDirectoryError.sentence(aboutAccountOf: mode)).")
        default: StepFailure(.other, "\(error)")
        }
    }
}

extension OrderInput {
    /// The operation it is about.
    fileprivate var operation: OperationID? {
        switch self {
        case .outcome(let report): report.operation
        case .claim(let operation), .sending(let operation, _, _), .endLease(let operation, _, _): operation
        case .placement, .notices, .request, .webhookProblem, .webhookDismissal, .tick, .releaseLeases, .deferFollowUp,
            .restored:
            nil
        }
    }
}
