import Domain
import Gateway
import PostgresDatabase
import SQL
import Storage

/// A marketplace with as many finished orders as one likes, copied from a few that were placed.
struct GrowthStage {
    /// The marketplace, which no server ever looked after.
    static let marketplace = "growth"
    /// How many merchants it has.
    static let merchants: Int64 = 1000
    /// How many orders are written in a transaction, and how many transactions run at once.
    private static let (batch, writers): (Int64, Int) = (50_000, 2)
    /// The longest that a statement may take while the database is filled, in milliseconds.
    private static let statementMilliseconds = 4 * 3_600_000
    private static let noteEvery = Duration.seconds(20)

    /// Where and how often orders are.
    let growth: MeasuredGrowth
    /// The identifier that every merchant's is a copy of.
    let merchant: MerchantID
    private let templates: [MeasuredTemplate]
    private let placedAt: Timestamp

    /// Declares the marketplace, and places an order of its first merchant at each PSP account.
    ///
    /// - Parameters:
    ///   - stage: the gateway that places them.
    ///   - orders: how many orders there will be at the end.
    /// - Throws: ``CommandFailure`` if an order is not finished in time, or `SQLError`.
    init(_ stage: BenchStage, orders: Int64) async throws {
        growth = MeasuredGrowth(orders: orders, merchants: Self.merchants)
        let now = stage.clock.now()
        var ids = IdentifierSource()
        let merchant: MerchantID = ids.make(at: now)
        // Whatever has an identifier in it is another in every copy.
        let name = "seller-\(merchant.text)"
        try await Self.declare(merchant, name, in: stage.database, at: now)
        let growth = growth
        try await stage.database.write { session in
            try growth.copyMerchants(MeasuredTemplate.read(of: merchant.text, in: session), in: session)
        }
        let gateway = stage.gateway(over: stage.database)
        var templates: [MeasuredTemplate] = []
        for number in 0..<BenchStage.accounts {
            let id: OrderID = ids.make(at: now)
            let reference = "order-\(id.text)"
            let names = [(merchant: name, account: "psp-\(number)")]
            try await BenchStage.place(gateway, of: Self.marketplace, reference: reference, names)
            templates.append(try await Self.template(of: reference, in: stage.database))
        }
        self.merchant = merchant
        self.templates = templates
        placedAt = now
    }

    /// Opens a database on which statements may take hours.
    ///
    /// - Throws: `SQLError`.
    static func patient(_ url: String) throws -> PostgresDatabase {
        var limits = PostgresLimits()
        limits.statementMilliseconds = statementMilliseconds
        return try PostgresDatabase(url: url, connections: writers, limits: limits)
    }

    /// One of the merchants.
    func merchant(_ number: Int64) -> MerchantID? {
        MerchantID(MeasuredTemplate.identifier(merchant.text, number % growth.merchants))
    }

    /// Writes the orders with these numbers, several transactions at once.
    ///
    /// - Throws: `SQLError`.
    func fill(_ numbers: Range<Int64>, in database: PostgresDatabase) async throws {
        let start = ContinuousClock.now
        var noted = start
        let (growth, templates) = (growth, templates)
        try await withThrowingTaskGroup(of: Int64.self) { group in
            var next = numbers.lowerBound
            var (running, done) = (0, Int64(0))
            while next < numbers.upperBound || running > 0 {
                if running < Self.writers, next < numbers.upperBound {
                    let part = next..<min(next + Self.batch, numbers.upperBound)
                    group.addTask {
                        try await database.write { try growth.copyOrders(templates, part, in: $0) }
                        return part.upperBound - part.lowerBound
                    }
                    (next, running) = (part.upperBound, running + 1)
                    continue
                }
                done += try await group.next() ?? 0
                running -= 1
                guard ContinuousClock.now - noted >= Self.noteEvery else { continue }
                noted = .now
                let rate = Double(done) / ((noted - start).milliseconds / 1000)
                Console.note("\(numbers.lowerBound + done) of \(numbers.upperBound) orders, \(Int(rate)) a second…")
            }
        }
    }

    /// Rolls up the books, and settles what the database does behind writers' backs.
    ///
    /// - Parameters:
    ///   - stored: how many orders there are.
    ///   - database: the database.
    /// - Returns: the end of the last hour that is rolled up.
    /// - Throws: `SQLError`.
    func settle(_ stored: Int64, in database: PostgresDatabase) async throws -> Timestamp {
        Console.note("vacuuming and analyzing…")
        try await database.runOutsideTransaction(MeasuredGrowth.vacuum)
        Console.note("rolling up the books…")
        // The copied orders were placed seconds apart.
        let last = growth.time(of: stored - 1, after: placedAt).adding(milliseconds: -60_000)
        let end = try await MeasuredGrowth.rollUp(Self.marketplace, before: last, in: database)
        try await database.runOutsideTransaction(MeasuredGrowth.vacuumBalances)
        do { try await database.runOutsideTransaction(MeasuredGrowth.checkpoint) } catch {
            Console.note("no checkpoint, which only a superuser may ask for")
        }
        return end
    }

    private static func declare(
        _ merchant: MerchantID,
        _ name: String,
        in database: any Database,
        at now: Timestamp
    ) async throws {
        try await database.write { session in
            try MarketplaceTable.save(.init(id: marketplace, name: "Growth"), at: now, in: session)
            for number in 0..<BenchStage.accounts {
                try PSPAccountTable.save(BenchStage.account("psp-\(number)", of: marketplace, now), in: session)
            }
            let seller = Merchant(
                id: merchant,
                marketplace: marketplace,
                externalIdentifier: name,
                name: "Seller",
                commission: CommissionRule(basisPoints: 1000),
                routes: (0..<BenchStage.accounts).map { Merchant.Route(pspAccount: "psp-\($0)") }
            )
            try MerchantTable.save(seller, at: now, in: session)
        }
    }

    private static func template(of reference: String, in database: any Database) async throws -> MeasuredTemplate {
        let template = try await database.read { session -> MeasuredTemplate? in
            var filter = OrderSearch.Filter(marketplace: marketplace)
            filter.reference = reference
            filter.status = .paid
            guard let order = try OrderSearch.list(filter, limit: 1, in: session).first else { return nil }
            return try MeasuredTemplate.read(of: order.id.text, in: session)
        }
        guard let template else { throw CommandFailure.finding("the order to copy is not paid") }
        return template
    }
}
