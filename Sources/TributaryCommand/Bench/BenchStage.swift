import AdapterKit
import Domain
import Gateway
import HTTPAPI
import Keyring
import Logging
import SQL
import SimulatorAdapter
import Storage
import StrictJSON
import Wiring

/// A database with a marketplace in it and a gateway on top, ready to be loaded with orders.
struct BenchStage {
    /// What stands in for the PSPs.
    enum PSP: Hashable {
        /// One that answers at once.
        case instant
        /// One that answers after a fixed time.
        case slow(milliseconds: Int64)
    }

    /// The marketplace of all measurements.
    static let marketplace = "bench"
    /// How many merchants there are, and so how many payments an order may have.
    static let merchants = 10
    /// How many PSP accounts there are.
    static let accounts = 3

    /// The database.
    let database: any Database
    /// The database's time.
    let clock: DatabaseClock
    private let keyring: Keyring
    private let sender: any Sender

    /// Migrates the database and declares the marketplace.
    ///
    /// - Throws: `SQLError` or `SchemaRefusal`.
    init(
        _ database: some Database,
        psp: PSP,
        keyring: Keyring
    ) async throws {
        _ = try await Migrator().migrate(database)
        self.keyring = keyring
        clock = try await DatabaseClock(database)
        self.database = database
        switch psp {
        case .instant: self.sender = InstantPSP(latencyMilliseconds: 0)
        case .slow(let milliseconds): self.sender = InstantPSP(latencyMilliseconds: milliseconds)
        }
        try await Self.declare(in: database, at: clock.now())
    }

    /// A gateway over a database, which may be a recorder around the stage's.
    func gateway(over database: any Database) -> Gateway {
        let directory = PSPDirectory(psps: AdapterCatalog.psps, database: database) { _ in Secret("key_bench") }
        let ports = Gateway.Ports(
            database: database,
            clock: clock,
            sender: sender,
            vault: Vault(keyring),
            directory: directory,
            presentation: OrderPresenter.presentation,
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
        return Gateway(ports, instance: "bench-\(UInt64.random(in: .min ... .max))")
    }

    /// Loads the gateway with orders.
    ///
    /// - Parameters:
    ///   - callers: how many checkouts wait at the same time.
    ///   - seconds: how long.
    ///   - payments: how many payments an order has.
    ///   - perSecond: how many orders a second; nil for as many as go.
    /// - Returns: what was measured.
    /// - Throws: what placing an order throws.
    func load(callers: Int, seconds: Int, payments: Int = 3, perSecond: Double? = nil) async throws -> LoadResult {
        let gateway = gateway(over: database)
        return try await OrderLoad(callers: callers, seconds: seconds, perSecond: perSecond).run {
            try await Self.place(gateway, payments: payments)
        }
    }

    /// The statements of one order, as the gateway sends them when it is alone: the median of many.
    ///
    /// - Throws: what placing an order throws.
    func sample() async throws -> [RecordedTransaction] {
        var samples: [[RecordedTransaction]] = []
        for _ in 0..<21 {
            let recorder = RecordingDatabase(database)
            try await Self.place(gateway(over: recorder), payments: 3)
            samples.append(recorder.transactions)
        }
        return samples.sorted { Self.size($0) < Self.size($1) }[samples.count / 2]
    }

    /// Has all PSP accounts be where a simulator is, but for those that hang.
    func repoint(to url: String) async throws {
        let now = clock.now()
        let hanging = Set((0..<Self.accounts).map(Self.hangingAccount))
        try await database.write { session in
            let accounts = try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: Self.marketplace)))
            for var account in accounts where !hanging.contains(account.id) {
                account.baseURL = url
                account.updatedAt = now
                try PSPAccountTable.save(account, in: session)
            }
        }
    }

    /// What the PSP accounts are called that belong to a simulator of their own, whose orders hang.
    static func hangingAccount(_ number: Int) -> String { "hanging-\(number)" }

    /// Declares the PSP accounts that hang, and adds one of them to each merchant's routes.
    func addHangingAccounts(at url: String) async throws {
        let now = clock.now()
        let names = (0..<Self.merchants).map { "merchant-\($0)" }
        try await database.write { session in
            for number in 0..<Self.accounts {
                let account = Self.account(Self.hangingAccount(number), of: Self.marketplace, at: url, now)
                try PSPAccountTable.save(account, in: session)
            }
            let merchants = try MerchantTable.find(names, of: Self.marketplace, in: session)
            for (number, var merchant) in merchants.enumerated() {
                merchant.routes.append(Merchant.Route(pspAccount: Self.hangingAccount(number % Self.accounts)))
                try MerchantTable.save(merchant, at: now, in: session)
            }
        }
    }

    /// A PSP account that speaks the simulator's dialect.
    static func account(
        _ id: String,
        of marketplace: String,
        at url: String = "http://127.0.0.1:9",
        _ now: Timestamp
    ) -> PSPAccount {
        PSPAccount(
            marketplace: marketplace,
            id: id,
            psp: SimulatorAdapter.name,
            baseURL: url,
            credentials: ["api_key": "env:BENCH"],
            updatedAt: now
        )
    }

    /// Lets whoever shows a key place orders.
    func allow(_ key: String) async throws {
        let now = clock.now()
        let hash = APIKeyHash.of(Array(key.utf8))
        try await database.write { session in
            var ids = IdentifierSource()
            let key = APIKeyTable.Key(
                id: ids.make(at: now),
                marketplace: Self.marketplace,
                scopes: ["checkout"],
                createdAt: now
            )
            try APIKeyTable.insert(key, hash: hash, in: session)
        }
    }

    private static func size(_ sample: [RecordedTransaction]) -> Int {
        sample.reduce(0) { $0 + $1.steps.reduce(0) { $0 + $1.statements.count } }
    }

    private static func place(_ gateway: Gateway, payments: Int) async throws {
        let key = "bench-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let names = (0..<payments).map { (merchant: "merchant-\($0)", account: "psp-\($0 % accounts)") }
        try await place(gateway, of: marketplace, reference: key, names)
    }

    /// Places an order with a payment for each merchant at a PSP account, and waits until it is finished.
    ///
    /// - Throws: ``CommandFailure`` if it is not answered in time, and what placing throws.
    static func place(
        _ gateway: Gateway,
        of marketplace: String,
        reference: String,
        _ names: [(merchant: String, account: String)]
    ) async throws {
        guard let currency = Currency(code: "USD") else { throw CommandFailure.unusable("USD is no currency") }
        let amounts = (1...names.count).map { Int64($0) * 1000 }
        let contexts = try zip(names, amounts).map { name, amount in
            OrderDraft.Context(
                externalIdentifier: name.merchant,
                amount: try Money(minorUnits: amount, currency: currency),
                payment: OrderDraft.Instrument(
                    credential: .pspToken(Secret("tok_approve")),
                    pspAccount: name.account
                )
            )
        }
        let total = try Money(minorUnits: amounts.reduce(0, +), currency: currency)
        let draft = OrderDraft(reference: reference, amount: total, policy: .allOrNothing, contexts: contexts)
        let use = IdempotencyTable.Use(
            marketplace: marketplace,
            scope: "POST /v1/orders",
            key: reference,
            bodyHash: reference
        )
        let answer = try await gateway.place(draft, under: use)
        guard case .final = answer.body else { throw CommandFailure.finding("an order was not answered in time") }
    }

    private static func declare(in database: some Database, at now: Timestamp) async throws {
        try await database.write { session in
            guard try MarketplaceTable.all(in: session).isEmpty else { return }
            try MarketplaceTable.save(.init(id: marketplace, name: "Bench"), at: now, in: session)
            for number in 0..<accounts {
                try PSPAccountTable.save(account("psp-\(number)", of: marketplace, now), in: session)
            }
            var ids = IdentifierSource()
            for number in 0..<merchants {
                let merchant = Merchant(
                    id: ids.make(at: now),
                    marketplace: marketplace,
                    externalIdentifier: "merchant-\(number)",
                    name: "Merchant \(number)",
                    commission: CommissionRule(basisPoints: 1000),
                    routes: [Merchant.Route(pspAccount: "psp-\(number % accounts)")]
                )
                try MerchantTable.save(merchant, at: now, in: session)
            }
        }
    }
}

/// A PSP without a network: approves everything in the simulator's dialect, at once or after a fixed time.
private struct InstantPSP: Sender {
    /// How long it thinks, in milliseconds.
    let latencyMilliseconds: Int64

    func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
        if latencyMilliseconds > 0 { try? await Task.sleep(for: .milliseconds(latencyMilliseconds)) }
        guard let body = try? JSON.parse(request.body) else {
            return .failure(reason: "the request is no JSON", mayHaveArrived: false)
        }
        let reply = request.url.hasSuffix("/v1/authorizations") ? authorization(body) : operation(body, request.url)
        let keys = request.headers.filter { $0.name == "Idempotency-Key" }
        let headers = [Header("Content-Type", "application/json")] + keys
        return .reply(WireReply(status: 201, headers: headers, body: reply.bytes))
    }

    private func authorization(_ body: JSON) -> JSON {
        [
            "object": "authorization", "id": .string("au_" + (body["reference"]?.stringValue ?? "")),
            "reference": body["reference"] ?? .null, "currency": body["currency"] ?? .null,
            "amount": body["amount"] ?? .null, "status": "authorized", "authorized_amount": body["amount"] ?? .null,
            "captured_amount": 0, "capture_method": "manual",
            "payment_method": ["network": "visa", "last4": "4242"],
        ]
    }

    private func operation(_ body: JSON, _ url: String) -> JSON {
        let authorization = url.split(separator: "/").dropLast().last.map(String.init) ?? ""
        let kind = url.hasSuffix("/captures") ? "capture" : url.hasSuffix("/refunds") ? "refund" : "void"
        return [
            "object": "operation", "id": .string("op_" + (body["reference"]?.stringValue ?? "")),
            "authorization": .string(authorization), "reference": body["reference"] ?? .null, "kind": .string(kind),
            "currency": "USD",
            "amount": body["amount"] ?? .integer(0), "status": "succeeded",
        ]
    }
}
