import AdapterKit
import Domain
import Logging
import SQL
import SimulatorAdapter
import Storage
import StrictJSON
import Synchronization
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("A buyer's details", .timeLimit(.minutes(10)))
struct BuyerSecrecyTests {
    private static let texts = [
        "Anna Kvist", "anna.kvist@shop.example", "4915112345678", "2001:db8::7", "shopper-77", "Hafenstrasse 4",
        "Storgatan 9", "Bo Kvist", "Mozilla/5.0 (kvist)", "KVIST CABINS", "Window seat",
    ]

    private static var buyer: BuyerDetails {
        var buyer = BuyerDetails()
        (buyer.name, buyer.email, buyer.phone) = (texts[0], texts[1], "+" + texts[2])
        (buyer.ip, buyer.country, buyer.reference) = (texts[3], "DE", texts[4])
        buyer.billingAddress = PostalAddress(line1: texts[5], city: "Hamburg", postalCode: "20459", country: "DE")
        buyer.shippingAddress = PostalAddress(name: texts[7], line1: texts[6], country: "SE")
        var browser = BrowserDetails()
        (browser.userAgent, browser.colorDepth, browser.timeZoneOffset) = (texts[8], 24, -120)
        (browser.screenHeight, browser.screenWidth, browser.isJavaEnabled) = (1080, 1920, false)
        buyer.browser = browser
        return buyer
    }

    /// A hotel's order with all there is to be told of its buyer.
    private static func draft() throws -> OrderDraft {
        var draft = try TestCheckout([TestCheckout.Part("hotel", 15_000)], onDeadline: .continue).draft()
        draft.buyer = buyer
        draft.contexts[0].statementDescriptor = texts[9]
        draft.contexts[0].lineItems = [
            LineItem(name: texts[10], quantity: 2, unitAmount: 7000, taxAmount: 500, productCode: "S-1")
        ]
        return draft
    }

    /// The simulator's adapter, which tells the PSP everything that a call says of the buyer.
    private struct TellingAdapter: PaymentAdapter {
        static let name = "simulator"
        static let capabilities = SimulatorAdapter.capabilities
        private let base: SimulatorAdapter

        init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

        func next(for call: Call, after exchanges: [Exchange]) -> Step {
            let step = base.next(for: call, after: exchanges)
            guard case .send(var request) = step, case .authorize(let authorization) = call.kind,
                let credential = authorization.credential, let body = try? JSON.parse(request.body)
            else { return step }
            var told = AuthorizationDetails(credential)
            told.buyer = authorization.buyer
            told.statementDescriptor = authorization.statementDescriptor
            told.lineItems = authorization.lineItems
            let text = String(decoding: told.document, as: UTF8.self)
            request.body = JSON.object((body.objectValue ?? []) + [JSON.Member("told", .string(text))]).bytes
            return .send(request)
        }
    }

    /// Everything that is logged, metadata included.
    private final class Log: Sendable {
        private let lines = Mutex("")
        var text: String { lines.withLock { $0 } }
        var logger: Logger { Logger(label: "buyer") { _ in Handler(log: self) } }

        private struct Handler: LogHandler {
            let log: Log
            var metadata: Logger.Metadata = [:]
            var logLevel: Logger.Level = .trace

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                log.lines.withLock { $0 += "\(event.level) \(event.message) \(event.metadata ?? [:])\n" }
            }
        }
    }

    /// Everything that any table holds, callbacks and events among it, as text.
    private static func dump(_ database: any Database) async throws -> String {
        try await database.read { session in
            let names: SQL =
                session.dialect == .postgres
                ? "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()"
                : "SELECT name FROM sqlite_master WHERE type = 'table'"
            var text = ""
            for table in try session.rows(names) {
                let name = try table.text("name")
                for row in try session.rows(SQL(stringLiteral: "SELECT * FROM \"\(name)\"")) {
                    text += try Self.text(row)
                }
            }
            return text
        }
    }

    /// A row with its bytes as characters, in columns of whatever name.
    private static func text(_ row: Row) throws -> String {
        var text = ""
        Swift.dump(row, to: &text)
        let bytes = text.split(separator: "\n").compactMap { line in
            UInt8(line.split(separator: " ").last ?? "").map { Character(UnicodeScalar($0)) }
        }
        return text + String(bytes)
    }

    private static func found(in text: String) -> [String] { texts.filter { text.contains($0) } }

    @Test("are read back from beside the credential as they were")
    func document() throws {
        var details = AuthorizationDetails(.pspToken(Secret("tok_1"), customer: Secret("cus_1")))
        details.buyer = Self.buyer
        (details.statementDescriptor, details.lineItems) = (Self.texts[9], try Self.draft().contexts[0].lineItems)
        #expect(AuthorizationDetails(document: details.document) == details)
        #expect(Self.found(in: String(decoding: details.document, as: UTF8.self)) == Self.texts)
        #expect(Self.found(in: "\(details)") == ["KVIST CABINS"])
        details.buyer = BuyerDetails()
        #expect(AuthorizationDetails(document: details.document) == details)
    }

    @Test(
        "reach the PSP, and are in no table and no log, while an order is open and when it is done",
        arguments: DatabaseEngine.allCases
    )
    func secrecy(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: TellingAdapter.self) { harness in
            await harness.psp.script("tok_hotel", .authorize, ScriptedBehaviour(.approve, .delayed))
            let log = Log()
            let instance = harness.instance("one", logger: log.logger)
            try await instance.driving {
                let draft = try Self.draft()
                async let answer = instance.gateway.place(draft, under: TestCheckout.use("k"))
                try await harness.psp.arrival(of: .authorize, "tok_hotel")
                let open = try await Self.dump(harness.database)
                #expect(open.contains("env:SIMULATOR_KEY") && Self.found(in: open) == [])
                let id = try await harness.order(placedUnder: "k")
                await harness.psp.release("tok_hotel", .authorize)
                _ = try await answer
                let order = try await harness.orderAtRest(id)
                #expect(order.status == .paid)
                #expect(Self.found(in: try await Self.dump(harness.database)) == [])
                let kept = try await harness.database.read { session in
                    try CredentialTable.find(order.payments[0].attempt.id, in: session)
                }
                #expect(kept == nil)
                #expect(Self.found(in: log.text) == [])
                #expect(Self.found(in: "\(order)") == [])
                let calls = await harness.psp.calls
                let told = calls.filter { !Self.found(in: String(decoding: $0.body, as: UTF8.self)).isEmpty }
                #expect(told.map(\.kind) == [.authorize])
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("are sent again, the same bytes, by whoever takes over after a crash", arguments: DatabaseEngine.allCases)
    func crash(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: TellingAdapter.self) { harness in
            await harness.psp.script("tok_hotel", .authorize, .requestLost)
            let mortal = harness.instance("mortal", endingAt: .afterCall(1))
            let draft = try Self.draft()
            let placing = Task { try await mortal.gateway.place(draft, under: TestCheckout.use("k")) }
            defer { placing.cancel() }
            try await harness.waitForEnd(of: mortal, key: "k")
            #expect(mortal.life.isDead)
            await mortal.database.drain()
            harness.clock.advance(milliseconds: harness.settings.rules.leaseMilliseconds)
            let heir = harness.instance("heir")
            try await heir.driving {
                let answer = try await heir.gateway.place(draft, under: TestCheckout.use("k"))
                #expect(try await harness.orderAtRest(answer.order).status == .paid)
            }
            let bodies = await harness.psp.calls.filter { $0.kind == .authorize }.map(\.body)
            #expect(bodies.count == 2)
            #expect(Set(bodies).count == 1)
            #expect(Self.found(in: String(decoding: bodies.first ?? [], as: UTF8.self)) == Self.texts)
        }
    }
}
