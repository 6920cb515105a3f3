import AdapterKit
import BraintreeAdapter
import Domain
import Testing

@Suite("Braintree's processor codes")
struct BraintreeDeclineTests {
    /// The codes that Braintree's table calls soft declines.
    static let soft: Set<Int> = [
        2000, 2001, 2002, 2003, 2016, 2025, 2026, 2034, 2035, 2038, 2040, 2042, 2046, 2048, 2057, 2062, 2078, 2080,
        2092,
        2099, 2101, 2102, 2103, 2104, 2105, 2106, 3000,
    ]

    @Test("are retryable where Braintree calls them soft, and not where it calls them hard", arguments: 2000...3000)
    func everyCode(code: Int) throws {
        let category = try #require(BraintreeDeclines.category("\(code)"))
        #expect(category.isRetryableDecline == (Self.soft.contains(code) || (2109...2999).contains(code)))
    }

    @Test(
        "fall into the category a checkout would show",
        arguments: [
            ("2000", .generic), ("2001", .insufficientFunds), ("2002", .limitExceeded), ("2003", .limitExceeded),
            ("2004", .expiredCard), ("2005", .invalidCard), ("2006", .invalidCard), ("2007", .invalidCard),
            ("2010", .invalidCard), ("2012", .lostOrStolen), ("2013", .lostOrStolen), ("2014", .suspectedFraud),
            ("2015", .notPermitted), ("2024", .notPermitted), ("2038", .generic), ("2041", .notPermitted),
            ("2044", .notPermitted), ("2046", .generic), ("2047", .lostOrStolen), ("2053", .lostOrStolen),
            ("2057", .generic), ("2059", .invalidCard), ("2060", .invalidCard), ("2077", .suspectedFraud),
            ("2099", .authenticationRequired), ("2101", .authenticationRequired), ("2103", .limitExceeded),
            ("2105", .temporary), ("2106", .generic), ("2107", .notPermitted), ("2108", .invalidCard),
            ("2500", .generic), ("3000", .temporary),
        ] as [(String, Decline.Category)]
    )
    func categories(code: String, category: Decline.Category) {
        #expect(BraintreeDeclines.category(code) == category)
    }

    @Test(
        "are codes of declines only",
        arguments: ["1000", "1004", "4001", "", "20001", "2x01", "-200", "+200", "91564"]
    )
    func others(code: String) { #expect(BraintreeDeclines.category(code) == nil) }

    @Test("reach the outcome with the raw code", arguments: ["2000", "2001", "2014", "2107", "2999"])
    func outcomes(code: String) throws {
        let reply = try BraintreeOutcomeTests.reply("authorize/declined-generic", replacing: "2000", with: code)
        let call = try AdapterUnderTest.braintree.shortCall(.authorize)
        guard case .declined(let decline) = try BraintreeOutcomeTests.outcome(of: call, after: [reply]) else {
            Issue.record("no decline")
            return
        }
        #expect(decline.code == code)
        #expect(decline.category == BraintreeDeclines.category(code))
        #expect(decline.message == "Braintree answered PROCESSOR_DECLINED (code \(code), decline SOFT).")
    }

    /// `GatewayRejectionReason` of the schema, without `DUPLICATE`.
    @Test(
        "and the gateway's own reasons are read, but for those that concern the account",
        arguments: [
            ("APPLICATION_INCOMPLETE", .rejected(.configuration)), ("AVS", .declined(.invalidCard)),
            ("AVS_AND_CVV", .declined(.invalidCard)), ("CVV", .declined(.invalidCard)),
            ("EXCESSIVE_RETRY", .declined(.notPermitted)), ("FRAUD", .declined(.suspectedFraud)),
            ("MANUAL_TRANSACTIONS_DISABLED", .rejected(.configuration)),
            ("PAYMENT_METHOD_BLOCKED", .declined(.suspectedFraud)), ("RISK_THRESHOLD", .declined(.suspectedFraud)),
            ("THREE_D_SECURE", .declined(.authenticationRequired)), ("TOKEN_ISSUANCE", .declined(.generic)),
            ("TOO_MANY_CONFIRMATION_ATTEMPTS", .declined(.notPermitted)),
            ("UNION_PAY_ENROLLMENT_REQUIRED", .declined(.notPermitted)), ("OF_NEXT_YEAR", .declined(.generic)),
        ] as [(String, Expectation)]
    )
    func rejections(reason: String, expectation: Expectation) throws {
        let path = "authorize/declined-suspected-fraud-gateway"
        let reply = try BraintreeOutcomeTests.reply(path, replacing: "RISK_THRESHOLD", with: reason)
        let call = try AdapterUnderTest.braintree.shortCall(.authorize)
        #expect(Expectation(try BraintreeOutcomeTests.outcome(of: call, after: [reply])) == expectation)
    }
}
