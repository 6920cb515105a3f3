import AdapterKit
import Domain
import Gateway
import InMemoryLogging
import Logging
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Merchant tokens: their numbers, and their end", .timeLimit(.minutes(10)))
struct MerchantTokenEndingTests {
    private typealias Stage = MerchantTokenStage

    private static func rows(of stage: MerchantTokenStage) async throws -> Int64 {
        try await stage.harness.database.read { session in
            try session.rows(
                "SELECT CAST(COUNT(*) AS \(unsafeText: session.dialect.integerType)) AS count FROM merchant_token"
            )[0].integer("count")
        }
    }

    private static func end(_ id: AgreementID, on instance: GatewayInstance) async throws -> Agreement? {
        try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))?.agreement
    }

    @Test(
        "an agreement that ends has Apple unlink its token, again and again until that is done",
        arguments: DatabaseEngine.allCases
    )
    func ending(engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            let (instance, desk) = (try stage.instance("one"), stage.desk)
            let id = try await instance.driving { try await stage.begun(on: instance) }
            stage.twin.book.script(Stage.token, 500, 403)
            #expect(try await Self.end(id, on: instance)?.state == .ending)
            #expect(await instance.gateway.removeMethods() == 1)
            #expect(try await desk.secrets(of: id) == 0)
            for status in [500, 403] {
                #expect(await instance.gateway.unlinkMerchantTokens() == 1)
                #expect(await instance.gateway.unlinkMerchantTokens() == 0)
                #expect(try await desk.stored(id).state == .ending)
                let failures = try await instance.gateway.agreements.find(id, of: "travel")?.failures
                #expect(failures == ["Apple answers \(status)"])
                stage.harness.clock.advance(milliseconds: 10_000)
            }
            #expect(await instance.gateway.unlinkMerchantTokens() == 1)
            #expect(try await desk.stored(id).state == .ended)
            #expect(try await desk.stored(id).token == nil)
            #expect(try await Self.rows(of: stage) == 0)
            #expect(stage.twin.book.unlinked == [Stage.token, Stage.token, Stage.token])
            #expect(stage.twin.book.merchants == [Stage.identifier])
        }
    }

    @Test("a token that Apple does not know any more, or that Apple unlinked itself, keeps no agreement from its end")
    func gone() async throws {
        try await Stage.with(.sqlite) { stage in
            let (instance, desk) = (try stage.instance("one"), stage.desk)
            let (one, other) = try await instance.driving {
                (try await stage.begun(on: instance, "token-1"), try await stage.begun(on: instance, "token-2"))
            }
            stage.twin.book.script("token-1", 400)
            try await stage.announce("evt-1", Stage.unlink("token-2"), on: instance)
            await stage.pull(on: instance)
            for id in [one, other] { _ = try await Self.end(id, on: instance) }
            while await instance.gateway.removeMethods() > 0 {}
            #expect(await instance.gateway.unlinkMerchantTokens() == 1)
            for id in [one, other] { #expect(try await desk.stored(id).state == .ended) }
            #expect(stage.twin.book.unlinked == ["token-1"])
            #expect(try await Self.rows(of: stage) == 0)
        }
    }

    @Test("a token that another agreement is paid with stays until that ends", arguments: DatabaseEngine.allCases)
    func shared(engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            let (instance, desk) = (try stage.instance("one"), stage.desk)
            let (one, other) = try await instance.driving {
                (try await stage.begun(on: instance), try await stage.begun(on: instance))
            }
            _ = try await Self.end(one, on: instance)
            while await instance.gateway.removeMethods() > 0 {}
            #expect(await instance.gateway.unlinkMerchantTokens() == 1)
            #expect(try await desk.stored(one).state == .ended)
            #expect(stage.twin.book.unlinked == [])
            // What Apple tells of it is told to the one that goes on.
            try await stage.announce("evt-1", Stage.card("1111", "12/29"), on: instance)
            await stage.pull(on: instance)
            #expect(try await desk.stored(other).method?.last4 == "1111")
            _ = try await Self.end(other, on: instance)
            while await instance.gateway.removeMethods() > 0 {}
            #expect(await instance.gateway.unlinkMerchantTokens() == 1)
            #expect(try await desk.stored(other).state == .ended)
            #expect(stage.twin.book.unlinked == [Stage.token])
        }
    }

    @Test("without a certificate to show to Apple, an agreement ends all the same")
    func undeclared() async throws {
        try await Stage.with(.sqlite) { stage in
            let instance = try stage.instance("one")
            let id = try await instance.driving { try await stage.begun(on: instance) }
            let now = stage.harness.clock.now()
            try await stage.harness.database.write { session in
                try MarketplaceTable.save(.init(id: "travel", name: "travel"), at: now, in: session)
            }
            _ = try await Self.end(id, on: instance)
            while await instance.gateway.removeMethods() > 0 {}
            #expect(await instance.gateway.unlinkMerchantTokens() == 1)
            #expect(try await stage.desk.stored(id).state == .ended)
            #expect(stage.twin.book.unlinked == [])
        }
    }

    /// What Apple tells of a token whose number is another: an event, encrypted for the marketplace.
    private static func renumbered(_ number: String, on stage: MerchantTokenStage) throws -> JSON {
        let plaintext: JSON = ["mpan": .string(number), "expirationDate": "300630"]
        let sealed = try stage.device.seal(plaintext.bytes)
        let signature = try stage.device.signature(
            over: sealed.keyMaterial + sealed.data,
            at: stage.harness.clock.now()
        )
        let header = sealed.paymentData(signature: signature)
        guard case .object(let members) = Stage.card("1111", "06/30"), let inner = header["header"] else {
            return .null
        }
        let encrypted = JSON.object(omittingAbsent: [
            "data": header["data"], "signature": header["signature"], "publicKeyHash": inner["publicKeyHash"],
            "ephemeralPublicKey": inner["ephemeralPublicKey"],
        ])
        return .object(members + [JSON.Member("encryptedTokenMetadata", encrypted)])
    }

    @Test("a new number that cannot be opened for want of a key waits for the key") func unreadableKeys() async throws {
        try await Stage.with(.sqlite) { stage in
            let (keyless, whole) = (try stage.instance("keyless", hasKeys: false), try stage.instance("whole"))
            _ = try await whole.driving { try await stage.begun(on: whole) }
            try await stage.announce("evt-1", Self.renumbered("4895370098765432", on: stage), on: keyless)
            #expect(await keyless.gateway.pullMerchantTokens() == 1)
            #expect(try await stage.state(of: "evt-1") == .announced)
            #expect(try await stage.notice("evt-1")?.failure?.contains("test:") == true)
            stage.harness.clock.advance(milliseconds: 3_600_000)
            await stage.pull(on: whole)
            #expect(try await stage.state(of: "evt-1") == .applied)
        }
    }

    @Test(
        "a number that is kept here gives way to the one that Apple tells, and neither is in a file or a log",
        arguments: DatabaseEngine.allCases
    )
    func numbers(engine: DatabaseEngine) async throws {
        try await DatabaseFiles.with(engine) { files in
            let harness = try GatewayHarness(files.database, adapter: TokenlessAdapter.self)
            try await Stage.with(harness) { stage in
                let log = InMemoryLogHandler()
                var logger = Logger(label: "gateway") { _ in log }
                logger.logLevel = .trace
                let instance = try stage.instance("one", logger: logger)
                let (first, second) = ("4895370012345670", "4895370098765432")
                let id = try await stage.desk.make()
                var payment = TestApplePayment(amount: 1000)
                (payment.number, payment.merchantTokenIdentifier) = (first, Stage.token)
                let token = try stage.device.token(payment, signedAt: harness.clock.now())
                var draft = try AgreementDesk.first(of: id)
                draft.contexts[0].payment = OrderDraft.Instrument(
                    credential: .encryptedApplePay(
                        EncryptedApplePay(
                            paymentData: Secret(token.text),
                            displayName: nil,
                            network: "Visa",
                            transactionIdentifier: nil
                        )
                    )
                )
                try await instance.driving { [draft] in
                    let answer = try await instance.gateway.place(draft, under: TestCheckout.use("first"))
                    #expect(try await harness.orderAtRest(answer.order).status == .paid)
                    #expect(try await stage.desk.stored(id).method?.kind == .networkToken)
                    #expect(try await stage.desk.stored(id).method?.merchantTokenIdentifier == Stage.token)
                    _ = try await stage.desk.charge(id, key: "before", on: instance)
                    try await stage.announce("evt-1", Self.renumbered(second, on: stage), on: instance)
                    try await stage.wait { try await stage.state(of: "evt-1") == .applied }
                    #expect(try await stage.desk.stored(id).method?.last4 == "1111")
                    _ = try await stage.desk.charge(id, key: "after", on: instance)
                }
                let numbers = try await harness.psp.calls.filter { $0.kind == .authorize }.map {
                    try JSON.parse($0.body)["network_token"]?["number"]?.stringValue
                }
                #expect(numbers == [first, first, second])
                let searched = [first, second, Stage.token].map { Array($0.utf8) }
                #expect(try await files.found(searched) == [Array(Stage.token.utf8)])
                _ = try await Self.end(id, on: instance)
                while await instance.gateway.unlinkMerchantTokens() > 0 {}
                #expect(try await stage.desk.stored(id).state == .ended)
                #expect(try await stage.desk.secrets(of: id) == 0)
                let lines = log.entries.map { "\($0)" }.joined(separator: "\n")
                #expect(lines.contains("an event of a merchant token is settled"))
                for number in [first, second] { #expect(!lines.contains(number)) }
            }
            await harness.end()
        }
    }
}
