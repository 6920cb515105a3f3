import Domain
import Testing

@Suite("A conversation's name")
struct ExpectationTests {
    @Test(
        "says what the adapter must make of it",
        arguments: [
            ("succeeded", .succeeded), ("succeeded-in-part", .succeeded), ("pending", .pending),
            ("action-required-redirect", .actionRequired), ("unknown-html-502", .unknown), ("not-sent", .notSent),
            ("declined-insufficient-funds", .declined(.insufficientFunds)),
            ("declined-generic-51", .declined(.generic)),
            ("rejected-already-captured", .rejected(.alreadyCaptured)),
            ("rejected-not-found-search", .rejected(.notFound)),
        ] as [(String, Expectation)]
    )
    func reads(name: String, expectation: Expectation) {
        #expect(Expectation(name) == expectation)
    }

    @Test(
        "must be one of the words that are agreed",
        arguments: ["", "approved", "declined", "declined-", "declined-sadly", "rejected-expiredly", "successfully"]
    )
    func refuses(name: String) {
        #expect(Expectation(name) == nil)
    }
}
