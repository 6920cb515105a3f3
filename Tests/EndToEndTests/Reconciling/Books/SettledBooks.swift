import Domain
import Foundation
import PSPSimulator
import SQL
import Storage
import TributaryTestKit

/// A month of orders at five PSPs: sold, refunded, disputed, lost and won, and one that was let go; October 2025, in which
/// clocks in Europe changed in the night to the 26th.
struct SettledBooks: Sendable {
    /// The day of the month's files: that of the payouts, and the last one of the bank's statement.
    static let lastDay = "2025-10-31"
    /// The order that was held and never captured.
    static let canceled = "order-3"

    /// The orders, by their references.
    let orders: [String: Order]
    /// What each PSP would report, in the order in which it happened.
    let lines: [SettledPSP: [ReportLine]]

    /// The same rows in each database of either engine.
    static let template = DatabaseTemplate(name: "settled_month") { database in
        _ = try await Migrator().migrate(database)
        try await write(to: database)
    }

    /// What ``template`` holds.
    static func read() async throws -> SettledBooks { try await known.value }

    /// The bytes of a SQLite file with what ``template`` holds.
    static func file() async throws -> Data { try await made.value }

    private static let made = Task {
        try await TemporaryFolder.with { folder in
            let path = folder.path("books.sqlite")
            try await DatabaseLocation.sqlite(path: path).withOpen { try await template.prepare($0) }
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
    }

    private static let known = Task {
        try await TemporaryFolder.with { folder in
            let path = folder.path("books.sqlite")
            try await made.value.write(to: URL(fileURLWithPath: path))
            return try await DatabaseLocation.sqlite(path: path).withOpen { try await SettledBooks($0) }
        }
    }

    /// Books of another month than the template's.
    init(orders: [String: Order], lines: [SettledPSP: [ReportLine]]) {
        self.orders = orders
        self.lines = lines
    }

    init(_ database: any Database) async throws {
        let found = try await database.read { session in
            try OrderSearch.list(OrderSearch.Filter(marketplace: "travel"), limit: 1000, in: session)
        }
        orders = Dictionary(uniqueKeysWithValues: found.map { ($0.reference ?? "", $0) })
        let payments = Dictionary(grouping: found.flatMap(\.payments), by: \.externalIdentifier)
        lines = Dictionary(
            uniqueKeysWithValues: SettledPSP.allCases.map { psp in
                (psp, (payments[psp.merchant] ?? []).flatMap { ReportLine.lines(of: $0, at: psp) }.inOrder)
            }
        )
    }

    /// What a PSP would report.
    func lines(at psp: SettledPSP) -> [ReportLine] { lines[psp] ?? [] }

    /// The moment of each order: at ten in the morning, UTC, but for two around the change of clocks.
    private static let moments = [
        "2025-10-01 10:00", "2025-10-03 10:00", "2025-10-06 10:00", "2025-10-08 10:00", "2025-10-11 10:00",
        "2025-10-13 10:00", "2025-10-16 10:00", "2025-10-18 10:00", "2025-10-21 10:00", "2025-10-25 22:30",
        "2025-10-26 22:30", "2025-10-30 10:00",
    ]

    private static func write(to database: any Database) async throws {
        let format = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        let times = try moments.map { text in
            Timestamp(microseconds: Int64(try format.parse(text + ":00Z").timeIntervalSince1970) * 1_000_000)
        }
        var writer = BookWriter(database, at: times[0].adding(milliseconds: -86_400_000))
        try await writer.declare()
        for (number, time) in times.enumerated() {
            let name = "order-\(number)"
            let isCanceled = name == canceled
            let order = try await writer.place(name, at: time, capture: isCanceled ? .manual : .automatic)
            switch number {
            case 1: try await writer.refund(order, at: SettledPSP.allCases, percent: 40)
            case 4: try await writer.dispute(order, at: [.stripe, .adyen, .braintree], isWon: false)
            case 6: try await writer.dispute(order, at: [.stripe, .adyen, .checkout], isWon: true)
            case 8: try await writer.refund(order, at: [.checkout, .braintree, .stripe], percent: 100)
            default: if isCanceled { try await writer.cancel(order) }
            }
        }
    }
}
