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
                guard let report = await carrier.carry(operation, in: order, credential: credential) else { return }
                await tell(report, of: order, desk: desk)
            }
        }
    }

    /// Tells the desk, again and again while the lease lasts: the PSP has been heard, only the database has not.
    private func tell(_ report: Report, of order: Order, desk: OrderDesk) async {
        let end = order.find(report.operation)?.operation.dueAt ?? clock.now()
        while true {
            do {
                _ = try await desk.tell(.report(report), about: order.id)
                return
            } catch {
                logger.error(
                    "an outcome could not be stored",
                    metadata: ["order": "\(order.id)", "operation": "\(report.operation)", "error": "\(error)"]
                )
                guard clock.now() < end else { return }
                let pause = clock.now().adding(milliseconds: Self.tellingPauseMilliseconds)
                guard (try? await clock.sleep(until: pause)) != nil else { return }
            }
        }
    }
}
