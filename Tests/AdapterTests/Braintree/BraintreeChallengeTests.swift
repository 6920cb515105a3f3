import AdapterKit
import BraintreeAdapter
import Domain
import Testing

@Suite("Braintree's check of an endpoint")
struct BraintreeChallengeTests {
    private static func answer(_ query: String, secret: String?) throws -> String? {
        var settings = try AdapterUnderTest.braintree.settings
        settings.credentials["webhook_secret"] = secret.map { Secret($0) }
        let reply = try BraintreeAdapter(settings: settings).challenge(query)
        return reply.map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// The challenge and its answer are those of the tests of Braintree's own libraries.
    @Test("is answered as its libraries answer it")
    func proves() throws {
        let answer = try Self.answer(
            "a=b&bt_challenge=20f9f8ed05f77439fe955c977e4c8a53",
            secret: "integration_public_key|integration_private_key"
        )
        #expect(answer == "integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4")
    }

    @Test(
        "is answered for nothing else, so that nobody has anything signed",
        arguments: [
            "", "bt_challenge=", "bt_challenge=20f9f8ed05f77439fe9", "bt_challenge=20F9F8ED05F77439FE955C977E4C8A53",
            "bt_challenge=20f9f8ed05f77439fe955c977e4c8a53a", "bt_challenge=PG5vdGlmaWNhdGlvbj4AAAAA",
            "bt_challenge=20f9f8ed05f77439fe955c977e4c8a53&bt_challenge=20f9f8ed05f77439fe955c977e4c8a53",
            "challenge=1",
        ]
    )
    func refuses(query: String) throws {
        #expect(try Self.answer(query, secret: "integration_public_key|integration_private_key") == nil)
    }

    @Test("is not answered without a key")
    func withoutKey() throws {
        #expect(try Self.answer("bt_challenge=20f9f8ed05f77439fe955c977e4c8a53", secret: nil) == nil)
    }
}
