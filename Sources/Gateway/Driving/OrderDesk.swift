import Domain
import SQL
import Storage
import Synchronization

/// The one place where an order changes: everything that is heard about it goes through here, one transaction at a
/// time for each order, whatever arrives meanwhile sharing the next.
final class OrderDesk: Sendable {
    /// Something to tell an order's machine.
    enum Input: Hashable, Sendable {
        /// What became of an operation.
        case report(Report)
        /// Time has passed.
        case tick
        /// Somebody wants to take a due operation in hand.
        case claim(OperationID)
        /// Whoever has an operation in hand is about to send it once more.
        case sending(OperationID, lease: Int64, isAnew: Bool)
    }

    typealias Step = StepWriter.Step

    private struct Entry: Sendable {
        let input: Input
        /// Who waits; nil if somebody waits for what lies in the tray behind it.
        let continuation: CheckedContinuation<Order, any Error>?
    }

    private struct Tray {
        var waiting: [Entry] = []
        var order: Order?
    }

    private let trays = Mutex<[OrderID: Tray]>([:])
    private let database: any Database
    private let clock: any GatewayClock
    private let rules: MachineRules
    private let writer: StepWriter
    private let failures: FailureRecorder
    private let onStep: @Sendable (Step) -> Void

    /// Makes a desk.
    ///
    /// - Parameters:
    ///   - database: where orders are.
    ///   - clock: the time of each step.
    ///   - rules: the times to plan by.
    ///   - writer: stores the steps.
    ///   - failures: counts the steps that cannot be taken.
    ///   - onStep: told after each commit; performs what was leased and wakes who waits. Must not block.
    init(
        database: any Database,
        clock: any GatewayClock,
        rules: MachineRules,
        writer: StepWriter,
        failures: FailureRecorder,
        onStep: @escaping @Sendable (Step) -> Void
    ) {
        self.database = database
        self.clock = clock
        self.rules = rules
        self.writer = writer
        self.failures = failures
        self.onStep = onStep
    }

    /// Tells an order something and answers the order as it is then, committed.
    ///
    /// - Throws: `SQLError`; then nothing was stored, and whoever has the operation in hand loses its lease.
    func tell(_ input: Input, about id: OrderID) async throws -> Order { try await tell([input], about: id) }

    /// Tells an order several things, and answers the order as it is after the last of them, committed.
    ///
    /// They share a step unless one of them makes it fail; then each has its own, and those that fail are recorded.
    ///
    /// - Throws: what the last one's step throws.
    func tell(_ inputs: [Input], about id: OrderID) async throws -> Order {
        try await withCheckedThrowingContinuation { continuation in
            let entries = inputs.enumerated().map { index, input in
                Entry(input: input, continuation: index == inputs.count - 1 ? continuation : nil)
            }
            let isIdle = trays.withLock { trays in
                let isIdle = trays[id]?.waiting.isEmpty ?? true
                trays[id, default: Tray()].waiting += entries
                return isIdle
            }
            if isIdle { Task { await self.work(on: id) } }
        }
    }

    /// Keeps a placed order at hand, so that its next step need not read it.
    func keep(_ order: Order) {
        trays.withLock { trays in
            if trays[order.id] == nil { trays[order.id] = Tray() }
            trays[order.id]?.order = order
        }
    }

    /// Works off an order's tray until it is empty.
    ///
    /// The entries stay in it while they are worked on, so that nobody else starts. A step takes what lies in the
    /// tray when its transaction begins, not when it was asked for: what arrives while the database is busy shares it.
    ///
    /// What fails together is tried one by one, so that one input that cannot be told keeps no other from the order.
    private func work(on id: OrderID) async {
        await Task.yield()
        var alone = 0
        while true {
            let result: Result<(step: Step, taken: Int), any Error>
            let limit = alone > 0 ? 1 : Int.max
            do {
                result = .success(try await step(id, atMost: limit))
            } catch {
                let inputs = trays.withLock { $0[id]?.waiting.prefix(limit).map(\.input) ?? [] }
                if inputs.count > 1, !FailureRecorder.isElsewhere(error), !FailureRecorder.isWholeOrders(error) {
                    alone = inputs.count
                    continue
                }
                await failures.record(error, telling: inputs, about: id)
                result = .failure(error)
            }
            let (done, isEmpty) = finish(id, result, atMost: limit)
            alone = max(0, alone - 1)
            if case .success(let success) = result { onStep(success.step) }
            for entry in done { entry.continuation?.resume(with: result.map(\.step.order)) }
            if isEmpty { return }
        }
    }

    /// Takes what was worked on off the tray, after a failure all of it, and says whether nothing is left.
    private func finish(
        _ id: OrderID,
        _ result: Result<(step: Step, taken: Int), any Error>,
        atMost limit: Int
    ) -> (done: ArraySlice<Entry>, isEmpty: Bool) {
        trays.withLock { trays in
            let waiting = trays[id]?.waiting ?? []
            let success = try? result.get()
            let taken = success?.taken ?? min(waiting.count, limit)
            trays[id]?.waiting.removeFirst(taken)
            trays[id]?.order = success.flatMap { $0.step.order.isInHand(of: writer.instance) ? $0.step.order : nil }
            let isEmpty = taken == waiting.count
            if isEmpty, trays[id]?.order == nil { trays[id] = nil }
            return (waiting.prefix(taken), isEmpty)
        }
    }

    private func step(_ id: OrderID, atMost limit: Int) async throws -> (step: Step, taken: Int) {
        let (clock, rules, writer) = (clock, rules, writer)
        return try await database.write { [self] session in
            let (inputs, known) = trays.withLock {
                ($0[id]?.waiting.prefix(limit).map(\.input) ?? [], $0[id]?.order)
            }
            guard let version = try OrderReader.lock(id, in: session) else { throw OrderDeskError.unknownOrder(id) }
            let current = known?.version == version ? known : nil
            guard let before = try current ?? OrderReader.load(id, in: session) else {
                throw OrderDeskError.unknownOrder(id)
            }
            var machine = OrderMachine(
                before,
                at: clock.now(),
                by: writer.instance,
                rules: rules,
                ids: IdentifierSource()
            )
            guard Self.apply(inputs, to: &machine) else {
                return (Step(order: before, leased: [], answer: nil), inputs.count)
            }
            return (try writer.write(&machine, from: before, in: session), inputs.count)
        }
    }

    /// Tells the machine everything, and says whether anything came of it that has to be stored.
    private static func apply(_ inputs: [Input], to machine: inout OrderMachine) -> Bool {
        let before = machine.order
        for input in inputs {
            switch input {
            case .report(let report): machine.hear(report)
            case .tick: machine.tick()
            case .claim(let operation): _ = machine.claim(operation)
            case .sending(let operation, let lease, let isAnew):
                _ = machine.recordSending(of: operation, underLease: lease, isAnew: isAnew)
            }
        }
        return machine.order != before || machine.record != OrderMachine.Record()
            || inputs.contains(.tick)
    }
}

extension Order {
    /// Whether the instance has any of its operations in hand.
    fileprivate func isInHand(of instance: String) -> Bool {
        payments.contains { $0.attempts.contains { $0.operations.contains { $0.leasedBy == instance } } }
    }
}
