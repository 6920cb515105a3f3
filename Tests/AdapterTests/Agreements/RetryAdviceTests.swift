import AdapterKit
import Domain
import Testing

@Suite("Whether and when a declined charge may be tried again")
struct RetryAdviceTests {
    private static let hour: Int64 = 3_600_000

    @Test(
        "follows Mastercard's merchant advice codes, with or without their text",
        arguments: [
            ("01", .never), ("02", .after(milliseconds: 72 * hour)), ("03", .never), ("04", nil), ("21", .revoked),
            ("24", .after(milliseconds: hour)), ("25", .after(milliseconds: 24 * hour)),
            ("26", .after(milliseconds: 48 * hour)), ("27", .after(milliseconds: 96 * hour)),
            ("28", .after(milliseconds: 144 * hour)), ("29", .after(milliseconds: 192 * hour)),
            ("30", .after(milliseconds: 240 * hour)), ("40", nil), ("", nil), ("3", nil), ("030", nil), ("x03", nil),
        ] as [(String, Decline.RetryAdvice?)]
    )
    func mastercard(code: String, advice: Decline.RetryAdvice?) {
        #expect(Decline.RetryAdvice(mastercard: code) == advice)
        #expect(Decline.RetryAdvice(mastercard: code + " : What to do") == advice)
    }

    @Test(
        "follows the issuer's codes that forbid it",
        arguments: [("R0", .revoked), ("R1", .revoked), ("R3", .revoked), ("41", .never), ("51", nil), ("05", nil)]
            as [(String, Decline.RetryAdvice?)]
    )
    func issuer(code: String, advice: Decline.RetryAdvice?) {
        #expect(Decline.RetryAdvice(issuer: code) == advice)
    }

    private static func stripe(_ members: String) -> String {
        """
        {"error":{"type":"card_error","code":"card_declined",\(members),"payment_intent":{"object":"payment_intent",
        "id":"pi_1","status":"requires_payment_method","amount":10000,"currency":"usd",
        "metadata":{"attempt":"\(AgreementReplies.attempt)"}}}}
        """
    }

    private static func adyen(_ members: String) -> String {
        #"{"pspReference":"993617895199574A","resultCode":"Refused","merchantReference":"\#(AgreementReplies.attempt)",\#(members)}"#
    }

    private static func checkout(_ code: String, _ processing: String) -> String {
        """
        {"id":"pay_y3oqhf46pyzuxjbcn2giaqnb44","status":"Declined","approved":false,"response_code":"\(code)",
        "amount":10000,"currency":"USD","reference":"\(AgreementReplies.attempt)","processing":{\(processing)}}
        """
    }

    private static func worldpay(_ code: String, _ advice: String) -> String {
        """
        {"outcome":"refused","transactionReference":"\(AgreementReplies.attempt)","refusalCode":"\(code)",
        "advice":{"code":"\(advice)"}}
        """
    }

    private static func braintree(_ event: String) -> String {
        """
        {"data":{"\(AgreementReplies.operation)":{"clientMutationId":"\(AgreementReplies.operation)","transaction":
        {"id":"dHJh","legacyId":"p4mq7kzr","orderId":"\(AgreementReplies.attempt)","status":"PROCESSOR_DECLINED",
        "amount":{"value":"100.00","currencyCode":"USD"},"statusHistory":[{"status":"PROCESSOR_DECLINED",\(event)}]}}}}
        """
    }

    static let replies: [(psp: String, status: Int, body: String, advice: Decline.RetryAdvice?)] = [
        ("stripe", 402, stripe(#""decline_code":"revocation_of_authorization""#), .revoked),
        ("stripe", 402, stripe(#""decline_code":"stop_payment_order","network_advice_code":"24""#), .revoked),
        (
            "stripe", 402, stripe(#""decline_code":"insufficient_funds","network_advice_code":"24""#),
            .after(milliseconds: hour)
        ),
        ("stripe", 402, stripe(#""decline_code":"generic_decline","network_decline_code":"R1""#), .revoked),
        ("stripe", 402, stripe(#""decline_code":"lost_card","advice_code":"do_not_try_again""#), .never),
        ("stripe", 402, stripe(#""decline_code":"insufficient_funds","advice_code":"try_again_later""#), nil),
        ("adyen", 200, adyen(#""refusalReasonCode":"26","refusalReason":"Revocation Of Auth""#), .revoked),
        ("adyen", 200, adyen(#""refusalReasonCode":"50","refusalReason":"Token revoked""#), .revoked),
        (
            "adyen", 200,
            adyen(#""refusalReasonCode":"12","additionalData":{"merchantAdviceCode":"25 : Retry after 24 hours"}"#),
            .after(milliseconds: 24 * hour)
        ),
        ("adyen", 200, adyen(#""refusalReasonCode":"12","refusalReason":"Not enough balance""#), nil),
        ("checkout", 201, checkout("20051", #""partner_merchant_advice_code":"30""#), .after(milliseconds: 240 * hour)),
        ("checkout", 201, checkout("20005", #""recommendation_code":"03""#), .never),
        ("checkout", 201, checkout("200R1", #""recommendation_code":"03""#), .revoked),
        ("checkout", 201, checkout("20051", #""recommendation_code":"02""#), nil),
        ("worldpay", 201, worldpay("51", "26"), .after(milliseconds: 48 * hour)),
        ("worldpay", 201, worldpay("5", "21"), .revoked), ("worldpay", 201, worldpay("51", "99"), nil),
        (
            "braintree", 200,
            braintree(
                #""declineType":"SOFT","processorResponse":{"legacyCode":"2001"},"merchantAdviceCodeResponse":{"code":"24"}"#
            ),
            .after(milliseconds: hour)
        ),
        ("braintree", 200, braintree(#""declineType":"HARD","processorResponse":{"legacyCode":"2004"}"#), .never),
        ("braintree", 200, braintree(#""declineType":"HARD","processorResponse":{"legacyCode":"2108"}"#), .revoked),
        ("braintree", 200, braintree(#""declineType":"SOFT","processorResponse":{"legacyCode":"2001"}"#), nil),
    ]

    @Test("is told as the PSP passes it on", arguments: replies.indices)
    func told(index: Int) throws {
        let (psp, status, body, advice) = Self.replies[index]
        let call = try AgreementSample.charge(try AgreementSample.credentials(psp).later)
        let hasKey = psp == "stripe" || psp == "adyen"
        let key = hasKey ? [Header("Idempotency-Key", "\(AgreementReplies.operation).0")] : []
        let outcome = try AgreementSample.outcome(psp, call, after: [AgreementSample.reply(status, body, key)])
        guard case .declined(let decline) = outcome else {
            Issue.record("\(psp) has not declined: \(outcome)")
            return
        }
        #expect(decline.advice == advice)
    }
}
