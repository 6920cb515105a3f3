import Foundation
import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Card numbers, cryptograms and tokens", .timeLimit(.minutes(10)))
struct SecrecyTests {
    /// Published test numbers.
    private static let numbers = ["4242424242424242", "5454545454545454"]
    /// Tokens that mean the same as `tok_approve`, and occur nowhere else.
    private static let tokens = [
        "tok_approve+refund_slow_73194682", "tok_slow_400+refund_slow_82957316",
    ]
    private static let reference = "seen-73194682"

    @Test(
        "leave no trace in database file, log or the PSP's books, not even of a gateway that is killed"
    )
    func traces() async throws {
        let cryptograms = Self.numbers.map { _ in
            Data((0..<21).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
        }
        let traces = Traces(of: Self.numbers + cryptograms + Self.tokens)
        try await withSimulators(2) { simulators in
            let bazaar = Bazaar(baseURLs: simulators.map(\.baseURL))
            try await DatabaseLocation.with(.sqlite, prepare: bazaar.template()) { location in
                guard case .sqlite(let path) = location else { return }
                let debug = ["--log-level", "trace"]
                try await Fleet.with(1, of: bazaar, on: location, arguments: debug) { fleet in
                    try await CheckoutClient.with { client in
                        try await Self.payAndFail(cryptograms, bazaar, fleet.url(0), client)
                        let log = fleet.log(0)
                        #expect(!log.isEmpty)
                        #expect(traces.found(in: log) == [])
                        try Self.search(path, traces)
                        try await Self.dieUnderWay(cryptograms, bazaar, fleet, client, simulators)
                        #expect(traces.found(in: fleet.log(0)) == [])
                        try Self.search(path, traces)
                    }
                }
                for simulator in simulators {
                    let books = await simulator.read { books, now in BooksDocument.json(books, at: now) }
                    #expect(books.text.contains("4242"), "the last four digits are kept")
                    #expect(traces.found(in: books.bytes) == [])
                }
            }
        }
    }

    /// Pays with every kind of credential, and sends it in requests that are refused.
    private static func payAndFail(
        _ cryptograms: [String],
        _ bazaar: Bazaar,
        _ url: String,
        _ client: CheckoutClient
    ) async throws {
        let paid = try await client.place(
            order(instruments(cryptograms, bazaar), reference: reference),
            key: "paid",
            at: url
        )
        #expect(paid.json["status"] == "paid", "\(paid.json.text)")
        let wrong: JSON = [
            "type": "network_token", "number": .string(numbers[0]), "expiry_month": 13,
            "expiry_year": 2030,
            "cryptogram": .string(cryptograms[0]), "number_again": .string(numbers[1]),
        ]
        let refused = try await client.place(
            order([wrong, wrong], reference: "wrong"),
            key: "wrong",
            at: url
        )
        #expect(refused.status == 422)
        let broken = order(instruments(cryptograms, bazaar), reference: "broken").bytes.dropLast(1)
        #expect(try await client.place(Array(broken), key: "broken", at: url).status == 400)
    }

    /// Kills the gateway while the PSPs have the credentials and their answers are still to come.
    private static func dieUnderWay(
        _ cryptograms: [String],
        _ bazaar: Bazaar,
        _ fleet: Fleet,
        _ client: CheckoutClient,
        _ simulators: [RunningSimulator]
    ) async throws {
        var slow = instruments(cryptograms, bazaar)
        slow[2] = pspToken("tok_never", bazaar, shop: 2)
        let before = await simulators[0].read { books, _ in books.requests }
        let body = order(slow, reference: "dying")
        let url = fleet.url(0)
        let answer = Task { try await client.place(body, key: "dying", at: url) }
        while await simulators[0].read({ books, _ in books.requests }) < before + 2 {
            try await Task.sleep(for: .milliseconds(10))
        }
        await fleet.kill(0)
        await #expect(throws: TransportFailure.self) { try await answer.value }
    }

    /// Searches the database file and what stands beside it.
    private static func search(_ path: String, _ traces: Traces) throws {
        let marker = Traces(of: [reference])
        var isMarkerFound = false
        for suffix in ["", "-wal", "-shm"] {
            guard let bytes = FileManager.default.contents(atPath: path + suffix).map(Array.init) else {
                continue
            }
            #expect(traces.found(in: bytes) == [], "\(suffix)")
            isMarkerFound = isMarkerFound || !marker.found(in: bytes).isEmpty
        }
        #expect(isMarkerFound, "what may be stored is found in the same way")
    }

    private static func instruments(_ cryptograms: [String], _ bazaar: Bazaar) -> [JSON] {
        let cards: [JSON] = zip(numbers, cryptograms).map { number, cryptogram in
            [
                "type": "network_token", "number": .string(number), "expiry_month": 12, "expiry_year": 2030,
                "cryptogram": .string(cryptogram), "eci": "05",
            ]
        }
        return cards + tokens.enumerated().map { pspToken($1, bazaar, shop: numbers.count + $0) }
    }

    private static func pspToken(_ token: String, _ bazaar: Bazaar, shop: Int) -> JSON {
        [
            "type": "psp_token", "token": .string(token),
            "psp_account": .string(bazaar.account(ofShop: shop)),
        ]
    }

    private static func order(_ instruments: [JSON], reference: String) -> JSON {
        let contexts: [JSON] = instruments.enumerated().map { shop, instrument in
            ["external_identifier": .string("shop-\(shop)"), "amount": 1000, "payment": instrument]
        }
        return [
            "reference": .string(reference), "currency": "USD",
            "amount": .integer(Int64(1000 * instruments.count)),
            "policy": ["type": "all_or_nothing"], "contexts": .array(contexts),
        ]
    }
}
