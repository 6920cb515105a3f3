import Domain
import Synchronization

/// The calls that this instance makes at PSP accounts, and those that it is about to make.
///
/// An operation is in hand from when it is expected until it is sent, and from its answer until that is written down. The
/// door is told how many are.
final class CallLines: Sendable {
    /// Of an order's deadline, one part of so many may pass before it is sent; the rest is the PSPs' to answer in.
    private static let share: Int64 = 4

    private struct State {
        var lines: [String: CallLine] = [:]
        /// The account at which each operation is about to be sent.
        var expected: [OperationID: String] = [:]
        /// Those that are in hand.
        var inHand: Set<OperationID> = []
        var next: UInt64 = 0

        /// An operation is expected no more.
        mutating func release(_ operation: OperationID) {
            guard let account = expected.removeValue(forKey: operation) else { return }
            lines[account]?.expect(-1)
        }
    }

    private let state = Mutex(State())
    private let places: Int
    private let door: Door?

    /// Lines of accounts that have so many connections each.
    init(places: Int, door: Door? = nil) {
        self.places = places
        self.door = door
    }

    /// Expects the authorizations of an order that is about to be placed.
    ///
    /// - Throws: ``Overload`` if too many of them cannot be sent in time for the order's policy; then none is expected.
    func expect(_ order: Order, at now: Timestamp) throws(Overload) {
        let moment = now.microseconds / 1000
        let patience = max(0, order.clock.realTime(of: order.terms.deadlineAt).milliseconds(since: now)) / Self.share
        let refusal: Overload? = state.withLock { state in
            var (prompt, wait): ([Payment], Int64) = ([], 0)
            var planned: [(OperationID, String)] = []
            for payment in order.payments {
                let account = Self.account(of: payment, in: order)
                let line = state.lines[account] ?? CallLine(places: places)
                let needed = line.wait(at: moment)
                if needed <= patience { prompt.append(payment) } else { wait = max(wait, needed) }
                planned.append((payment.attempt.authorization.id, account))
            }
            guard prompt.count == order.payments.count || order.terms.policy.isSatisfied(by: prompt, of: order.payments)
            else { return Overload(retryMilliseconds: wait - patience) }
            for (operation, account) in planned {
                state.expected[operation] = account
                state.lines[account, default: CallLine(places: places)].expect(1)
                state.inHand.insert(operation)
            }
            return nil
        }
        if let refusal { throw refusal }
        door?.count(operations: order.payments.count)
    }

    /// Expects an operation no more: it is not sent, or what became of it is written down.
    func forget(_ operation: OperationID) {
        let wasInHand = state.withLock { state in
            state.release(operation)
            return state.inHand.remove(operation) != nil
        }
        if wasInHand { door?.count(operations: -1) }
    }

    /// Expects nothing more of an order.
    func forget(_ order: Order) {
        for payment in order.payments { forget(payment.attempt.authorization.id) }
    }

    /// Counts a call until it is over; its operation is in hand afterwards, until it is forgotten.
    func counting<Value>(
        _ operation: OperationID,
        at account: String,
        _ clock: any GatewayClock,
        _ body: () async -> Value
    ) async -> Value {
        let number = begin(operation, at: account, clock.now())
        let value = await body()
        let isNew = state.withLock { state in
            state.lines[account]?.end(number, at: clock.now().microseconds / 1000)
            return state.inHand.insert(operation).inserted
        }
        if isNew { door?.count(operations: 1) }
        return value
    }

    private func begin(_ operation: OperationID, at account: String, _ now: Timestamp) -> UInt64 {
        let (number, wasInHand) = state.withLock { state in
            state.release(operation)
            state.next += 1
            state.lines[account, default: CallLine(places: places)].begin(state.next, at: now.microseconds / 1000)
            return (state.next, state.inHand.remove(operation) != nil)
        }
        if wasInHand { door?.count(operations: -1) }
        return number
    }

    private static func account(of payment: Payment, in order: Order) -> String {
        "\(order.marketplace)/\(payment.attempt.route.pspAccount)"
    }
}
