import AuthorizeNetAdapter
import Domain
import SeededRandom
import Testing

@Suite("A short name")
struct ShortNameTests {
    /// Identifiers (UUIDv7) and their names, computed apart from the code.
    static let vectors = [
        ("01ka5xxqkfe4hs4d2pf2dbsqqg", "2vkwECEwXUQ9cJGGOKNE", "WB8Z3RNkeV0jZLqt5VrM"),
        ("0000000000e008000000000000", "00000000000000000000", "TFNcpF8o70aZx2achBU8"),
        ("0fzzzzzzzzfzzvzzzzzzzzzzzz", "TFNcpF8o70aZx2achBU7", "wUlFeUHcE1B9u5BFOMyF"),
        ("01m7ykt440e008000000000001", "2z3EZk5AUhHyJkmWMgGf", "WEQrOzDybhsYGnN93rkn"),
    ]

    @Test("holds the whole of an identifier, and whether it is an attempt's or an operation's", arguments: vectors)
    func roundTrip(digits: String, attemptName: String, operationName: String) throws {
        let attempt = try #require(AttemptID("att_\(digits)"))
        let operation = try #require(OperationID("op_\(digits)"))
        #expect(ShortName(attempt).text == attemptName)
        #expect(ShortName(operation).text == operationName)
        #expect(ShortName.attempt(attemptName) == attempt)
        #expect(ShortName.operation(operationName) == operation)
        #expect(ShortName.attempt(operationName) == nil)
        #expect(ShortName.operation(attemptName) == nil)
    }

    @Test("of every identifier that we make is different, of 20 letters and digits, and reads back")
    func made() throws {
        var source = IdentifierSource(random: SeededRandom(seed: 7))
        var names: Set<String> = []
        for step in 0..<2000 {
            let time = Timestamp(microseconds: 1_763_283_230_319_000 + Int64(step / 100) * 86_400_000_000)
            let attempt: AttemptID = source.make(at: time)
            let operation: OperationID = source.make(at: time)
            let pair = [ShortName(attempt).text, ShortName(operation).text]
            #expect(
                pair.allSatisfy { $0.utf8.count == 20 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
            )
            #expect(ShortName.attempt(pair[0]) == attempt && ShortName.operation(pair[1]) == operation)
            names.formUnion(pair)
        }
        #expect(names.count == 4000)
    }

    @Test("of an identifier from elsewhere keeps its last digits and is not read back")
    func foreign() throws {
        let attempt = try #require(AttemptID("att_01ka5xxqkfbf5kznwj47tan9zt"))
        let operation = try #require(OperationID("op_01ka524mnpzx45hy43kwjrp1xp"))
        #expect(ShortName(attempt).text == AuthorizeNetSample.attempt)
        #expect(ShortName(operation).text == AuthorizeNetSample.operation)
        let late = try #require(AttemptID("att_7zzzzzzzzzfzzvzzzzzzzzzzzz"))
        #expect(ShortName(late).text == "zzzzfzzvzzzzzzzzzzzz")
        for name in [ShortName(attempt).text, ShortName(operation).text, ShortName(late).text] {
            #expect(ShortName.attempt(name) == nil && ShortName.operation(name) == nil)
        }
    }

    @Test(
        "is nothing else than 20 of its digits",
        arguments: ["", "2vkwECEwXUQ9cJGGOKN", "2vkwECEwXUQ9cJGGOKNEE", "2vkwECEwXUQ9cJGG-KNE", "wUlFeUHcE1B9u5BFOMyG"]
    )
    func malformed(text: String) {
        #expect(ShortName.attempt(text) == nil && ShortName.operation(text) == nil)
    }
}
