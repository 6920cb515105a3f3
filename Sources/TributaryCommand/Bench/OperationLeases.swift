import Domain
import SQL
import Storage

/// Which instances have operations in hand, and what was taken in hand more than once, as the stored orders say.
struct OperationLeases {
    /// How many orders are read at once.
    private static let pageSize = 500

    /// Where the orders of the bench are.
    let database: any Database

    /// How many operations of orders since a moment were claimed or sent more than once, though nothing of them failed or
    /// was left in doubt.
    ///
    /// - Throws: `SQLError`.
    func claimedTwice(since moment: Timestamp) async throws -> Int {
        try await orders(since: moment, nil).flatMap(\.operations).count { operation in
            (operation.leases > 1 || operation.sendings > 1) && operation.doubts == 0 && operation.retries == 0
        }
    }

    /// The orders since a moment of which a process has anything in hand, the oldest first, and when the last of its leases
    /// ends; nil if there is none.
    ///
    /// - Throws: `SQLError`.
    func orders(
        inHandOf process: Int32,
        since moment: Timestamp
    ) async throws -> (ids: [OrderID], leasedUntil: Timestamp?) {
        let orders = try await orders(since: moment, .processing).filter { $0.isInHand(of: process) }
        let ends = orders.flatMap(\.operations).filter { $0.isInHand(of: process) }.compactMap(\.dueAt)
        return (orders.map(\.id).sorted(), ends.max())
    }

    /// Those of some orders of which a process has anything in hand.
    ///
    /// - Throws: `SQLError`.
    func orders(among ids: [OrderID], inHandOf process: Int32) async throws -> [OrderID] {
        try await database.read { session in try OrderReader.load(ids, in: session) }
            .filter { $0.isInHand(of: process) }.map(\.id).sorted()
    }

    private func orders(since moment: Timestamp, _ status: OrderStatus?) async throws -> [Order] {
        var filter = OrderSearch.Filter(marketplace: BenchStage.marketplace)
        (filter.createdAfter, filter.status) = (moment, status)
        var orders: [Order] = []
        while true {
            let page = try await database.read { [filter] session in
                try OrderSearch.list(filter, limit: Self.pageSize, in: session)
            }
            orders += page
            guard page.count == Self.pageSize else { return orders }
            filter.before = page.last?.id
        }
    }
}

extension Order {
    fileprivate var operations: [Operation] { payments.flatMap(\.attempts).flatMap(\.operations) }

    /// Whether an instance of a process has any of its operations in hand.
    fileprivate func isInHand(of process: Int32) -> Bool { operations.contains { $0.isInHand(of: process) } }
}

extension Operation {
    /// Whether an instance of a process has it in hand; an instance's name begins with its process's number.
    fileprivate func isInHand(of process: Int32) -> Bool {
        isOpen && leasedBy?.hasPrefix("\(process)-") == true
    }
}
