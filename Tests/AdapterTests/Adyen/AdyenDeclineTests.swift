import AdapterKit
import AdyenAdapter
import Domain
import StrictJSON
import Testing

@Suite("Adyen's refusal reasons")
struct AdyenDeclineTests {
    /// Codes after which the same card may be tried again, at once or later.
    static let soft = "2 4 9 12 19 21 28 29 39 42"
    /// Codes after which the buyer has to do something, or to pay in another way.
    static let step = "11 17 33 36 37 38 41 43 44 45 15 16"
    /// Codes after which the same card is not to be tried again.
    static let hard = "5 6 7 8 10 14 18 20 22 23 24 25 26 31 32 34 35 40 46 50"
    /// Codes that say nothing.
    static let silent = "3 27"

    static func codes(_ list: String) -> [String] { list.split(separator: " ").map { String($0) } }

    static func category(_ code: String) -> Decline.Category {
        RefusalReasons.decline(code: code, reason: nil).category
    }

    @Test("that are soft, or ask for a step, are retryable", arguments: codes(soft) + codes(step) + codes(silent))
    func retryable(code: String) {
        #expect(Self.category(code).isRetryableDecline)
    }

    @Test("that are hard are not retryable", arguments: codes(hard))
    func notRetryable(code: String) {
        #expect(!Self.category(code).isRetryableDecline)
    }

    @Test("are all known, once each")
    func complete() {
        let listed = Self.codes(Self.soft) + Self.codes(Self.step) + Self.codes(Self.hard) + Self.codes(Self.silent)
        #expect(Set(RefusalReasons.table.map(\.code)) == Set(listed))
        #expect(RefusalReasons.table.count == listed.count && listed.count == 44)
        #expect(Set(RefusalReasons.table.map { $0.reason.lowercased() }).count == listed.count)
    }

    @Test(
        "fall into the category a checkout would show",
        arguments: [
            ("12", .insufficientFunds), ("6", .expiredCard), ("8", .invalidCard), ("24", .invalidCard),
            ("20", .suspectedFraud), ("31", .suspectedFraud), ("38", .authenticationRequired), ("23", .notPermitted),
            ("28", .limitExceeded), ("4", .temporary), ("9", .temporary), ("2", .generic), ("16", .actionExpired),
            ("99", .generic),
        ] as [(String, Decline.Category)]
    )
    func categories(code: String, category: Decline.Category) {
        #expect(Self.category(code) == category)
    }

    @Test(
        "reach the outcome and the webhook's notice alike, with the code",
        arguments: RefusalReasons.table.map(\.code)
    )
    func outcomes(code: String) throws {
        let row = try #require(RefusalReasons.table.first { $0.code == code })
        let json: JSON = [
            "pspReference": "QFQTPCQ8HXSKGK82", "resultCode": "Refused", "refusalReasonCode": .string(code),
            "refusalReason": .string(row.reason),
        ]
        let reply = AdyenOutcomeTests.reply(200, json)
        let outcome = try AdyenOutcomeTests.outcome(of: AdyenOutcomeTests.authorization(), reply)
        guard case .declined(let decline) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(decline.code == code && decline.category == row.category)
        let item = try AdyenSample.item("authorize-declined-generic").setting("reason", .string(row.reason))
        let notice = try #require(try AdyenSample.reading([item]).events?.first?.notices.first)
        #expect(notice.happening == .outcome(.authorize, .declined(decline)))
    }

    @Test(
        "of the buyer's card in a refused request are declines of an authorization, and of nothing else",
        arguments: ["101", "102", "103", "129", "140", "141", "153"]
    )
    func cardErrors(code: String) throws {
        let error: JSON = [
            "status": 422, "errorCode": .string(code), "message": "A sentence.", "errorType": "validation",
        ]
        let reply = AdyenOutcomeTests.reply(422, error)
        let outcome = try AdyenOutcomeTests.outcome(of: AdyenOutcomeTests.authorization(), reply)
        guard case .declined(let decline) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(decline.code == code && decline.category == .invalidCard && !decline.isRetryable)
        let capture = try Sample.call(.capture, reference: AdyenSample.payment)
        let refused = try AdyenOutcomeTests.outcome(of: capture, reply)
        #expect(Expectation(refused) == .rejected(.configuration))
    }

    @Test("that nobody lists are kept as they came, unless they are free text")
    func unheardOf() {
        #expect(RefusalReasons.decline(code: "99", reason: "Of next year").code == "99")
        #expect(RefusalReasons.decline(code: nil, reason: "Odd").code == "Odd")
        #expect(RefusalReasons.decline(code: nil, reason: "Card 4242 of Mr. X").code == "refused")
        #expect(RefusalReasons.decline(code: nil, reason: "CVC declined").code == "24")
    }
}
