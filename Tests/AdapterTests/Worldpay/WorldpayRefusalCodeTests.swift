import AdapterKit
import Domain
import StrictJSON
import Testing
import WorldpayAdapter

@Suite("Worldpay's refusal codes")
struct WorldpayRefusalCodeTests {
    /// Every code that Worldpay lists or that lists of integrations agree on, by its category.
    static let table: [(codes: String, category: Decline.Category)] = [
        ("1 2 5 8 17 30 85 94", .generic),
        ("3 6 12 13 36 38 40 57 58 62 64 75 76 78 82 92 93", .notPermitted),
        ("4 7 35 37 41 43 67", .lostOrStolen), ("10", .partialApproval),
        ("14 15 25 39 42 46 52 53 55 56 79", .invalidCard),
        ("19 20 28 68 91 96", .temporary), ("33 54", .expiredCard), ("34 59 63 83 97", .suspectedFraud),
        ("51", .insufficientFunds), ("61", .limitExceeded), ("65", .authenticationRequired),
    ]

    static let rows = table.flatMap { row in
        row.codes.split(separator: " ").map { (code: String($0), category: row.category) }
    }

    static func decline(_ members: KeyValuePairs<String, JSON?>) throws -> Decline? {
        let sample = try WorldpaySample.reply("authorize/declined-generic-without-code")
        guard case .object(let own) = try JSON.parse(sample.body),
            case .object(let more) = JSON.object(omittingAbsent: members)
        else { return nil }
        var reply = sample
        reply.body = JSON.object(own + more).bytes
        let call = try Sample.call(.authorize, credential: .networkToken(Sample.networkToken()))
        guard case .declined(let decline) = try WorldpaySample.outcome(call, after: [reply]) else { return nil }
        return decline
    }

    @Test("fall into a category and reach the outcome as they came", arguments: rows)
    func categories(row: (code: String, category: Decline.Category)) throws {
        #expect(WorldpayRefusalCodes.category(row.code) == row.category)
        let decline = try #require(try Self.decline(["refusalCode": .string(row.code)]))
        #expect(decline.code == row.code && decline.category == row.category)
        #expect(decline.message == "The payment was refused (code \(row.code)).")
    }

    @Test(
        "are read with leading zeros",
        arguments: [("05", .generic), ("051", .insufficientFunds)] as [(String, Decline.Category)]
    )
    func zeros(code: String, category: Decline.Category) {
        #expect(WorldpayRefusalCodes.category(code) == category)
    }

    @Test("that nobody lists are generic", arguments: ["0", "999", "N7", "", "-5"])
    func unlisted(code: String) throws {
        #expect(WorldpayRefusalCodes.category(code) == nil)
        #expect(try Self.decline(["refusalCode": .string(code)])?.category == .generic)
    }

    @Test(
        "that say nothing give way to the issuer's advice",
        arguments: [
            ("5", "02", .temporary), ("5", "03", .notPermitted), ("5", "21", .notPermitted), ("5", "24", .temporary),
            ("5", "30", .temporary), ("5", "01", .generic), ("51", "03", .insufficientFunds),
        ] as [(String, String, Decline.Category)]
    )
    func advice(code: String, advice: String, category: Decline.Category) throws {
        let decline = try Self.decline(["refusalCode": .string(code), "advice": ["code": .string(advice)]])
        #expect(decline?.category == category)
        #expect(decline?.message == "The payment was refused (code \(code), advice \(advice)).")
    }

    @Test("that are no words are not repeated")
    func freeText() throws {
        let decline = try Self.decline(["refusalCode": .string("card \(Sample.number)")])
        #expect(decline == Decline(code: "refused", category: .generic, message: "The payment was refused."))
    }
}
