import Foundation
import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

@Suite("apple-pay make-test-token", .timeLimit(.minutes(10)))
struct TestTokenTests {
    private static let command = ["apple-pay", "make-test-token"]
    private static let identifier = "merchant.test.marketplace"

    /// A marketplace that takes the tokens of what `declared` says, and a hotel with an identifier of its own.
    private static func file(_ baseURL: String, _ declared: String) -> String {
        let agency = """
              - external_identifier: agency
                name: Agency
                kind: marketplace
                merchant_identifier: \(identifier)
                routes: [{ psp_account: sim }]
            """
        let merchants = MarketplaceFile(baseURL: baseURL, extra: agency).text
        let named = merchants.replacing(
            "name: Grand Hotel",
            with: "name: Grand Hotel\n    merchant_identifier: m.hotel"
        )
        return named + "\n" + declared
    }

    /// Makes keys and answers what a declaration has to say of them.
    private static func keys(_ folder: String, in place: Workplace) async throws -> String {
        let made = try await place.run(command + ["--out", folder, "--merchant-identifier", identifier])
        try #require(made.status == 0, "\(made.err)")
        return made.out
    }

    /// Makes a token.
    private static func token(
        _ arguments: [String],
        of folder: String = "keys",
        in place: Workplace
    ) async throws -> JSON {
        let made = try await place.run(command + ["--keys", folder] + arguments)
        try #require(made.status == 0, "\(made.err)")
        return try JSON.parse(text: made.out)
    }

    /// Lends a marketplace that is served and takes tokens of the keys in the folder `keys`.
    private static func with(_ body: (Workplace, _ post: Post) async throws -> Void) async throws {
        try await withSimulators(1) { simulators in
            try await Workplace.withDatabase { place in
                try place.write(file(simulators[0].baseURL, try await keys("keys", in: place)), to: "marketplace.yaml")
                let applied = try await place.run("apply", "marketplace.yaml")
                try #require(applied.status == 0, "\(applied.err)")
                #expect(applied.err.contains("warning: apple_pay: root"))
                let made = try await place.json("keys", "create", "--scope", "checkout")
                let key = try #require(made["key"]?.stringValue)
                try await place.whileServing { url in try await body(place, Post(url: url, key: key)) }
            }
        }
    }

    /// A way to post.
    private struct Post {
        let url: String
        let key: String

        func callAsFunction(_ path: String, _ body: JSON, _ idempotencyKey: String) async throws -> JSON {
            let call = HTTPCall(.post, url + path, key: key).sending(body, idempotencyKey: idempotencyKey)
            return try JSON.parse(try await call.reply().body)
        }
    }

    @Test("makes tokens that pay the order they are for")
    func paid() async throws {
        try await Self.with { place, post in
            let one = try await Self.token(["--amount", "12.00", "--currency", "USD"], in: place)
            #expect(try await post("/v1/orders", WalletPlace.order([1200], one), "one")["status"] == "paid")
            let parts = ["--context", "airline-1=7.00", "--context", "hotel-7=5.00"]
            let both = try await Self.token(["--amount", "12.00", "--currency", "USD"] + parts, in: place)
            #expect(try await post("/v1/orders", WalletPlace.order([700, 500], both), "both")["status"] == "paid")
            let declined = ["--amount", "12.00", "--currency", "USD", "--number", "9999990000000001"]
            let poor = try await Self.token(declined, in: place)
            #expect(try await post("/v1/orders", WalletPlace.order([1200], poor), "poor")["status"] == "failed")
        }
    }

    @Test("makes tokens for a stored payment request")
    func requested() async throws {
        try await Self.with { place, post in
            let contexts: JSON = [
                ["external_identifier": "airline-1", "amount": 700], ["external_identifier": "hotel-7", "amount": 500],
            ]
            let wanted: JSON = ["currency": "USD", "amount": 1200, "country": "US", "contexts": contexts]
            let stored = try await post("/v1/payment-requests", wanted, "request")
            try place.write(stored.bytes, to: "request.json")
            let id = try #require(stored["id"])
            let order = WalletPlace.order(
                [700, 500],
                try await Self.token(["--payment-request", "request.json"], in: place)
            )
            let other = try await Self.token(
                ["--amount", "12.00", "--currency", "USD", "--context", "airline-1=7.00", "--context", "hotel-7=5.00"],
                in: place
            )
            let refused = try await post(
                "/v1/orders",
                WalletPlace.order([700, 500], other).with("payment_request", id),
                "other"
            )
            #expect(refused.at("errors/0/code") == "application_data_mismatch", "\(refused)")
            #expect(try await post("/v1/orders", order.with("payment_request", id), "order")["status"] == "paid")
        }
    }

    @Test("makes tokens that pay for nothing else: another amount, another merchant, another root, twice")
    func refused() async throws {
        try await Self.with { place, post in
            let amount = ["--amount", "12.00", "--currency", "USD"]
            let token = try await Self.token(amount, in: place)
            let more = try await post("/v1/orders", WalletPlace.order([1300], token), "more")
            #expect(more.at("errors/0/code") == "token_amount_mismatch", "\(more)")
            let hotel = WalletPlace.order([1200], token)
                .with("contexts", [["external_identifier": "hotel-7", "amount": 1200]])
            let other = try await post("/v1/orders", hotel, "hotel")
            #expect(other.at("errors/0/code") == "token_merchant_mismatch", "\(other)")
            _ = try await Self.keys("others", in: place)
            let foreign = WalletPlace.order([1200], try await Self.token(amount, of: "others", in: place))
            let root = try await post("/v1/orders", foreign, "root")
            #expect(root.at("errors/0/stage") == "certificate_chain", "\(root)")
            #expect(try await post("/v1/orders", WalletPlace.order([1200], token), "first")["status"] == "paid")
            let again = try await post("/v1/orders", WalletPlace.order([1200], token), "second")
            #expect(again.at("errors/0/code") == "token_already_used", "\(again)")
        }
    }

    @Test("keeps keys where nobody else reads them, and overwrites nothing")
    func folder() async throws {
        try await Workplace.with { place in
            _ = try await Self.keys("keys", in: place)
            let files = FileManager.default
            func mode(_ name: String) throws -> NSNumber? {
                try files.attributesOfItem(atPath: place.path(name))[.posixPermissions] as? NSNumber
            }
            #expect(try mode("keys") == 0o700)
            for name in try files.contentsOfDirectory(atPath: place.path("keys")) {
                #expect(try mode("keys/" + name) == 0o600, "\(name)")
            }
            let before = try place.bytes(of: "keys/root.pem")
            let again = try await place.run(Self.command + ["--out", "keys", "--merchant-identifier", "m"])
            #expect(again.status == 2)
            #expect(again.err.contains("keys is there already"))
            #expect(try place.bytes(of: "keys/root.pem") == before)
        }
    }

    @Test("its root is warned of by doctor")
    func trust() async throws {
        try await Workplace.withDatabase { place in
            let declared = try await Self.keys("keys", in: place)
            try place.write(Self.file("http://127.0.0.1:9901", declared), to: "marketplace.yaml")
            try #require(try await place.run("apply", "marketplace.yaml").status == 0)
            let doctor = try await place.run("doctor")
            #expect(doctor.status == 0)
            #expect(doctor.out.contains("apple_pay: root"), "\(doctor.out)")
        }
    }

    private static let unusable = [
        OpeningCase(typed: [], says: ["say either --out or --keys"]),
        OpeningCase(typed: ["--out", "a", "--keys", "b"], says: ["say either --out or --keys"]),
        OpeningCase(typed: ["--out", "a"], says: ["say --merchant-identifier with --out"]),
        OpeningCase(
            typed: ["--keys", "none", "--amount", "12.00", "--currency", "USD"],
            says: ["none/root.pem", "no such"]
        ),
        OpeningCase(typed: ["--keys", "none"], says: ["say --amount and --currency"]),
        OpeningCase(typed: ["--keys", "none", "--amount", "1200", "--currency", "USD"], says: ["2 decimal digits"]),
        OpeningCase(typed: ["--keys", "none", "--amount", "12", "--currency", "XXX"], says: ["no currency XXX"]),
        OpeningCase(
            typed: ["--keys", "none", "--amount", "12.00", "--currency", "USD", "--context", "5.00"],
            says: ["--context: write hotel-7=5.00"]
        ),
        OpeningCase(typed: ["--keys", "none", "--number", "4"], says: ["--number is 12 to 19 digits"]),
    ]

    @Test("says what was typed wrong", arguments: unusable)
    func mistakes(_ row: OpeningCase) async throws {
        try await Workplace.with { place in
            let ending = try await place.run(Self.command + row.typed)
            #expect(ending.status == 2, "\(ending.err)")
            for part in row.says { #expect(ending.err.contains(part), "\(ending.err)") }
        }
    }
}
