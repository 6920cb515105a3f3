import AdapterKit
import Domain
import Foundation
import Gateway
import PSPSimulator
import SQL
import Simulation
import Storage
import TributaryTestKit

extension TwinStage {
    /// What each merchant's part costs.
    static let part: Int64 = 10_000

    /// Whether every fault is played at every PSP under every policy (`TRIBUTARY_TWINS=all`); else each at one PSP
    /// under one policy, PSPs and policies taking turns.
    static let isExhaustive = ProcessInfo.processInfo.environment["TRIBUTARY_TWINS"] == "all"

    /// The PSPs that the n-th fault strikes, by their place.
    static func places(ofFault number: Int, among places: [Int] = Array(PSPTwin.all.indices)) -> [Int] {
        isExhaustive ? places : [places[number % places.count]]
    }

    /// How many orders are under way at a time: under more load PSPs would fail in ways that no order asked for.
    private static let batch = 42

    /// Places orders, and brings each batch of them to rest before the next.
    ///
    /// - Parameters:
    ///   - codes: what each PSP does to each order, by the PSP's place.
    ///   - policies: the orders' policies.
    ///   - act: what is asked of orders at rest before they settle.
    /// - Returns: the orders at rest, and what is wrong with the PSPs' books and ours.
    /// - Throws: ``HarnessFailure/neverCame(_:)``.
    func settle(
        _ codes: [[Int: Int]],
        policies: [Policy],
        act: ([Order]) async throws -> Void = { _ in }
    ) async throws -> (orders: [Order], complaints: [String]) {
        var (orders, complaints): ([Order], [String]) = ([], [])
        for start in stride(from: 0, to: codes.count, by: Self.batch) {
            let batch = start..<min(start + Self.batch, codes.count)
            let ids = try await place(codes, policies: policies, of: batch)
            try await act(try await atRest(ids))
            let settled = try await settled(ids, beside: orders)
            orders += settled.orders
            complaints += settled.complaints
        }
        return (orders, complaints)
    }

    /// Places a batch of orders, several at a time, as checkouts come; each answers after its deadline at the latest.
    private func place(_ codes: [[Int: Int]], policies: [Policy], of batch: Range<Int>) async throws -> [OrderID] {
        var ids: [OrderID] = []
        for start in stride(from: batch.lowerBound, to: batch.upperBound, by: 8) {
            ids += try await withThrowingTaskGroup(of: (Int, OrderID).self) { group in
                for index in start..<min(start + 8, batch.upperBound) {
                    group.addTask {
                        (index, try await place(codes[index], policy: policies[index], key: "\(index)"))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
        return ids
    }

    /// Places an order with a part for each merchant, paid so that a PSP does what its code says; others approve.
    ///
    /// - Parameters:
    ///   - codes: the code of each PSP that does not simply approve, by its place.
    ///   - policy: the order's policy.
    ///   - key: the idempotency key, and the marketplace's reference.
    ///   - part: what each merchant's part costs, in cents.
    ///   - capture: when money is taken.
    /// - Returns: the order as it was answered, settled or not.
    /// - Throws: `PlacementRefusal`, or `SQLError`.
    func place(
        _ codes: [Int: Int],
        policy: Policy,
        key: String,
        part: Int64 = Self.part,
        capture: OrderTerms.Capture = .automatic
    ) async throws -> OrderID {
        let amount = try TestCheckout.dollars(part)
        let contexts = twins.enumerated().map { index, twin in
            OrderDraft.Context(
                externalIdentifier: "\(twin)",
                amount: amount,
                payment: .init(credential: twin.credential(codes[index] ?? 0), pspAccount: "\(twin)")
            )
        }
        let draft = OrderDraft(
            reference: key,
            amount: try TestCheckout.dollars(part * Int64(twins.count)),
            policy: policy,
            capture: capture,
            deadlineMilliseconds: 100,
            decideBy: .after(milliseconds: 86_400_000),
            onDeadline: .continue,
            contexts: contexts
        )
        return try await gateway.place(draft, under: TestCheckout.use(key)).order
    }

    /// The orders once nothing of them is under way; hours pass meanwhile if they have to.
    ///
    /// - Parameters:
    ///   - ids: the orders.
    ///   - patience: for how long a call to a PSP may last before hours pass all the same, which may end its lease; for tests
    ///     without faults, which a busy machine must not be.
    /// - Returns: the orders.
    /// - Throws: ``HarnessFailure/neverCame(_:)``.
    func atRest(_ ids: [OrderID], waitingForCalls patience: Duration = .zero) async throws -> [Order] {
        let end = ContinuousClock.now + .patience
        var left = Int.max
        // How long nothing may change before time passes.
        var quietUntil = ContinuousClock.now
        var (jump, passed): (Int64, Int64) = (300_000, 0)
        var calledSince: ContinuousClock.Instant?
        while true {
            let orders = try await load(ids)
            let open = orders.filter { !$0.isAtRest }
            if open.isEmpty { return orders }
            guard ContinuousClock.now < end else {
                throw HarnessFailure.neverCame(open.prefix(3).map(HarnessFailure.text).joined(separator: "\n"))
            }
            let isCalled = open.contains {
                $0.payments.flatMap(\.attempts).flatMap(\.operations).contains { $0.leasedBy != nil }
            }
            calledSince = isCalled ? calledSince ?? .now : nil
            let isAwaited = calledSince.map { ContinuousClock.now < $0 + patience } ?? false
            // Real time first, for what is on its way; then what waits for minutes or hours.
            if open.count < left || isAwaited { quietUntil = .now + .seconds(2) }
            left = open.count
            if ContinuousClock.now > quietUntil {
                clock.advance(milliseconds: jump)
                passed += jump
                // Never so long that holds lapse.
                jump = passed > 172_800_000 ? 1000 : min(2 * jump, 21_600_000)
                quietUntil = .now + .seconds(1)
            }
            try await Task.sleep(for: ids.count == 1 ? .milliseconds(25) : .milliseconds(250))
        }
    }

    /// The orders at rest, and what is wrong with the PSPs' books and ours, once nothing is or fifteen seconds are over.
    ///
    /// Some PSPs say that a capture is done before it is, and tell later that it failed; what they tell too early waits
    /// in the inbox, for minutes.
    ///
    /// - Parameters:
    ///   - ids: the orders.
    ///   - others: what else is in the PSPs' books.
    /// - Returns: the orders, and what is wrong.
    /// - Throws: ``HarnessFailure/neverCame(_:)``.
    func settled(
        _ ids: [OrderID],
        beside others: [Order] = []
    ) async throws -> (orders: [Order], complaints: [String]) {
        var orders = try await atRest(ids)
        let end = ContinuousClock.now + .patience
        while true {
            let complaints = await complaints(comparing: others + orders)
            if complaints.isEmpty || ContinuousClock.now > end {
                var told = complaints
                for (number, order) in orders.enumerated() {
                    for payment in order.payments
                    where complaints.contains(where: { $0.hasPrefix(payment.attempt.id.text) }) {
                        told.append("order \(number), \(payment.externalIdentifier): \(try await history(of: order))")
                    }
                }
                return (orders, told)
            }
            clock.advance(milliseconds: 60_000)
            try await Task.sleep(for: .milliseconds(250))
            orders = try await atRest(ids)
        }
    }

    func load(_ ids: [OrderID]) async throws -> [Order] {
        var orders: [Order] = []
        for id in ids {
            guard let order = try await database.read({ try OrderReader.load(id, in: $0) }) else {
                throw HarnessFailure.noOrder(id)
            }
            orders.append(order)
        }
        return orders
    }

    /// The order's events, a line each.
    func history(of order: Order) async throws -> String {
        let events = try await database.read { session in
            try OrderSteps.events(of: order.id, after: 0, limit: 200, in: session)
        }
        return events.map { "\($0.at) \($0.type) \($0.operation?.text ?? "") \($0.details)" }.joined(separator: "\n")
    }

    /// What is wrong with the PSPs' books, by themselves and compared with all orders.
    func complaints(comparing orders: [Order]) async -> [String] {
        var complaints: [String] = []
        var books: [BookedAuthorization] = []
        for (twin, server) in zip(twins, servers) {
            complaints += await server.read { books, _ in books.violations }.map { "\(twin): \($0)" }
            books += await server.authorizations(of: twin.ledger).map { BookedAuthorization($0, named: twin.attempt) }
        }
        return complaints + BooksCheck.complaints(comparing: orders, with: books)
    }
}
