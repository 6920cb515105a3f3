import AdapterKit
import CheckoutAdapter
import Domain
import StrictJSON
import Testing

@Suite("Checkout.com's response codes")
struct CheckoutDeclineTests {
    /// Every code of a decline that its page lists, by what we make of it.
    static let table: [(Decline.Category, String)] = [
        (.insufficientFunds, "20051"), (.expiredCard, "20054 20100 30033"),
        (.invalidCard, "20014 20039 20044 20052 20053 20056 20083 20087 20101 20108 20114 20179 200N7 30015 30046"),
        (.lostOrStolen, "20067 30004 30007 30035 30037 30041 30043"),
        (.suspectedFraud, "20059 20063 20066 20105 20183 30034 40101 40201 40202 40203 40204 40205"),
        (.authenticationRequired, "20055 20075 20082 20112 20150 20151 20153 20154 20155 200O5 2006P"),
        (.notPermitted, "20012 20017 20018 20038 20040 20057 20058 20062 20064 20078 20093 20103 20106 20182 200R1"),
        (.notPermitted, "200R3 200T3 200T5 30016 30017 30018 30019 30020 30036 30038 30044 30045"),
        (.limitExceeded, "20061 20065 20121 200P1 200P9 30021 30022"),
        (.temporary, "20009 20019 20022 20028 20068 20090 20091 20092 20096 20104 20118 200N0"),
        (.partialApproval, "20010 20032"), (.actionExpired, "20152"),
        (.generic, "20001 20002 20003 20005 20006 20013 20020 20021 20023 20024 20025 20026 20027 20029 20030 20031"),
        (.generic, "20042 20046 20060 20084 20085 20086 20088 20089 20094 20095 20097 20098 20099 20102 20107 20109"),
        (.generic, "20110 20111 20113 20115 20116 20117 20119 20120 20123 20124 20156 20157 20158 20193 200S4 200T2"),
    ]
    static let rows = table.flatMap { category, codes in codes.split(separator: " ").map { (String($0), category) } }

    static func decline(_ code: String, processing: JSON = [:]) throws -> Outcome {
        let body: JSON = [
            "id": .string(CheckoutSample.payment), "amount": 10_000, "currency": "USD", "approved": false,
            "status": "Declined", "response_code": .string(code), "processing": processing,
            "reference": "att_01ka5xxqkfbf5kznwj47tan9zt",
        ]
        let call = try Sample.call(.authorize, credential: Sample.credential(.pspToken))
        return try CheckoutSample.outcome(of: call, after: [CheckoutSample.reply(201, body)])
    }

    @Test("reach the outcome with their category and as they came", arguments: rows)
    func outcomes(code: String, category: Decline.Category) throws {
        guard case .declined(let decline) = try Self.decline(code) else {
            Issue.record("\(code) is no decline")
            return
        }
        #expect(decline.code == code)
        #expect(decline.category == category)
    }

    @Test("are all listed, each once")
    func complete() {
        #expect(CheckoutDeclines.codes == Self.rows.map(\.0).sorted())
        #expect(Set(Self.rows.map(\.0)).count == Self.rows.count)
    }

    @Test("that are hard are not retryable", arguments: rows.map(\.0).filter { !$0.hasPrefix("2") })
    func hard(code: String) throws {
        guard !["30021", "30022"].contains(code) else { return }
        #expect(try !#require(CheckoutDeclines.category(code)).isRetryableDecline)
    }

    @Test(
        "that are not listed go by their range, and outside of it are no declines",
        arguments: [
            ("20777", .generic), ("30777", .notPermitted), ("40777", .suspectedFraud), ("10000", nil), ("10010", nil),
            ("50100", nil), ("2005", nil), ("200511", nil), ("", nil), ("approved", nil),
        ] as [(String, Decline.Category?)]
    )
    func ranges(code: String, category: Decline.Category?) throws {
        #expect(CheckoutDeclines.category(code) == category)
        let expectation = category.map { Expectation.declined($0) } ?? .unknown
        #expect(Expectation(try Self.decline(code)) == expectation)
    }

    @Test(
        "without a reason take the recommendation, and with one do not",
        arguments: [
            ("20005", "01", .generic), ("20005", "02", .temporary), ("20005", "03", .notPermitted),
            ("20005", "99", .generic), ("20051", "03", .insufficientFunds), ("20777", "03", .notPermitted),
        ] as [(String, String, Decline.Category)]
    )
    func recommendation(code: String, recommendation: String, category: Decline.Category) throws {
        let outcome = try Self.decline(code, processing: ["recommendation_code": .string(recommendation)])
        #expect(Expectation(outcome) == .declined(category))
    }
}
