import Domain
import Testing

@testable import WalletTokens

@Suite("Authentication responses")
struct BundleMatcherTests {
    /// Malformed or foreign responses, and how they are refused.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var responses: [BundleResponse]
        var contexts = [Bundles.context(0, 300), Bundles.context(1, 200, account: 1)]
        var refusal: String?
    }

    private static func response(_ hash: String, _ amount: Int64, _ cryptogram: String) -> BundleResponse {
        BundleResponse(merchantHash: hash, amount: amount, cryptogram: Secret(cryptogram))
    }

    @Test("are given to the contexts of their amounts, in whatever order they come")
    func uniqueAmounts() throws {
        let contexts = [Bundles.context(0, 300), Bundles.context(1, 200, account: 1), Bundles.context(2, 100)]
        let match = try BundleMatcher.match(Bundles.responses([100, 300, 200]), to: contexts, knowing: [])
        #expect(match.choices.map(\.response) == [1, 2, 0])
        #expect(match.choices.allSatisfy { $0.reason == .uniqueAmount })
    }

    @Test(
        "that are malformed, or not the order's, are refused",
        arguments: [
            Case(testDescription: "nothing wrong", responses: Bundles.responses([200, 300]), refusal: nil),
            Case(testDescription: "none", responses: [], contexts: [], refusal: "payload/no_authentication_responses"),
            Case(
                testDescription: "an empty hash",
                responses: [response("", 300, "AAAA"), response("b", 200, "AAAB")],
                refusal: "payload/missing_merchant_hash"
            ),
            Case(
                testDescription: "the same hash twice",
                responses: [response("a", 300, "AAAA"), response("a", 200, "AAAB")],
                refusal: "payload/repeated_merchant_hash"
            ),
            Case(
                testDescription: "an empty cryptogram",
                responses: [response("a", 300, ""), response("b", 200, "AAAB")],
                refusal: "payload/malformed_cryptogram"
            ),
            Case(
                testDescription: "a cryptogram that is no Base64",
                responses: [response("a", 300, "AAA"), response("b", 200, "AAAB")],
                refusal: "payload/malformed_cryptogram"
            ),
            Case(
                testDescription: "the same cryptogram twice",
                responses: [response("a", 300, "AAAA"), response("b", 200, "AAAA")],
                refusal: "payload/repeated_cryptogram"
            ),
            Case(
                testDescription: "a negative amount",
                responses: [response("a", 300, "AAAA"), response("b", -200, "AAAB")],
                refusal: "payload/negative_amount"
            ),
            Case(
                testDescription: "one too few",
                responses: Bundles.responses([300]),
                refusal: "order_mismatch/authentication_response_count_mismatch"
            ),
            Case(
                testDescription: "one too many",
                responses: Bundles.responses([300, 200, 0]),
                refusal: "order_mismatch/authentication_response_count_mismatch"
            ),
            Case(
                testDescription: "another amount",
                responses: Bundles.responses([300, 201]),
                refusal: "order_mismatch/authentication_amounts_mismatch"
            ),
            Case(
                testDescription: "the same sum in other parts",
                responses: Bundles.responses([250, 250]),
                refusal: "order_mismatch/authentication_amounts_mismatch"
            ),
            Case(
                testDescription: "the same amounts in other numbers",
                responses: Bundles.responses([300, 300, 200]),
                contexts: [Bundles.context(0, 300), Bundles.context(1, 200), Bundles.context(2, 200)],
                refusal: "order_mismatch/authentication_amounts_mismatch"
            ),
        ]
    )
    func refused(_ row: Case) {
        let answer = refusal { () throws(TokenRefusal) in
            try BundleMatcher.match(row.responses, to: row.contexts, knowing: [])
        }
        #expect(answer == row.refusal)
    }

    @Test("of equal amounts are matched once a hash is confirmed, and only then")
    func confirmation() throws {
        let contexts = [
            Bundles.context(0, 250, merchant: "merchant.com.airline"),
            Bundles.context(1, 250, merchant: "merchant.com.hotel", account: 1),
        ]
        let responses = Bundles.responses([250, 250])
        for state in MerchantHash.State.allCases {
            let rows = [
                MerchantHash(hash: Bundles.hash(0), merchantIdentifier: "merchant.com.hotel", state: state),
                MerchantHash(hash: "of another order", merchantIdentifier: "merchant.com.hotel", state: .confirmed),
            ]
            guard state == .confirmed else {
                let answer = refusal { () throws(TokenRefusal) in
                    try BundleMatcher.match(responses, to: contexts, knowing: rows)
                }
                #expect(answer == "order_mismatch/ambiguous_authentication_responses")
                continue
            }
            let match = try BundleMatcher.match(responses, to: contexts, knowing: rows)
            #expect(match.choices.map(\.response) == [1, 0])
            #expect(match.choices.map(\.reason) == [.remainingAmount, .confirmedHash])
        }
    }

    @Test("of equal amounts are matched at will where the money goes to one account")
    func sameSettlement() throws {
        let contexts = [Bundles.context(0, 250), Bundles.context(1, 250), Bundles.context(2, 100, account: 1)]
        let match = try BundleMatcher.match(Bundles.responses([100, 250, 250]), to: contexts, knowing: [])
        #expect(match.choices.map(\.reason) == [.sameSettlement, .sameSettlement, .uniqueAmount])
        #expect(Set(match.choices.map(\.response)) == [0, 1, 2])
        #expect(match.choices[2].response == 0)
    }

    @Test("whose confirmed hash the amounts contradict stop the order, whatever else is ambiguous")
    func contradiction() {
        let contexts = [
            Bundles.context(0, 300, merchant: "m.airline"), Bundles.context(1, 200, merchant: "m.hotel", account: 1),
            Bundles.context(2, 200, merchant: "m.car"),
        ]
        let rows: [(hash: Int, merchant: String)] = [
            (0, "m.hotel"), (0, "m.unknown"), (1, "m.airline"), (2, "m.unknown"),
        ]
        for row in rows {
            let confirmed = MerchantHash(
                hash: Bundles.hash(row.hash),
                merchantIdentifier: row.merchant,
                state: .confirmed
            )
            let answer = refusal { () throws(TokenRefusal) in
                try BundleMatcher.match(Bundles.responses([300, 200, 200]), to: contexts, knowing: [confirmed])
            }
            #expect(answer == "order_mismatch/confirmed_hash_contradicted")
        }
        let twice = [(1, "m.hotel"), (2, "m.hotel")].map {
            MerchantHash(hash: Bundles.hash($0.0), merchantIdentifier: $0.1, state: .confirmed)
        }
        let both = [(1, "m.hotel"), (1, "m.car")].map {
            MerchantHash(hash: Bundles.hash($0.0), merchantIdentifier: $0.1, state: .confirmed)
        }
        for rows in [twice, both] {
            let answer = refusal { () throws(TokenRefusal) in
                try BundleMatcher.match(Bundles.responses([300, 200, 200]), to: contexts, knowing: rows)
            }
            #expect(answer == "order_mismatch/confirmed_hash_contradicted")
        }
    }
}
