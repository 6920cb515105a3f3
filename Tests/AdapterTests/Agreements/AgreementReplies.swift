import AdapterKit
import Domain
import StrictJSON
import Testing

/// Replies to the first payment of an agreement, written by hand after each PSP's documented shapes.
enum AgreementReplies {
    static let attempt = "att_01ka5xxqkfbf5kznwj47tan9zt"
    static let operation = "op_01ka524mnpzx45hy43kwjrp1xp"
    static let agreement = "agr_01ka5m9s346q3d25vt4f5v37e3"
    static let transaction = AgreementSample.transaction

    static let intent = """
        {"object":"payment_intent","id":"pi_1","status":"requires_capture","amount":10000,"amount_capturable":10000,
        "amount_received":0,"currency":"usd","metadata":{"attempt":"\(attempt)"},"customer":"cus_1sample",
        "payment_method":"pm_1sample","setup_future_usage":"off_session","latest_charge":{"object":"charge","id":"ch_1",
        "amount":10000,"payment_method_details":{"card":{"network":"visa","last4":"4242","exp_month":12,
        "exp_year":2031,"network_transaction_id":"\(transaction)"}}}}
        """

    static let checkout = """
        {"id":"pay_y3oqhf46pyzuxjbcn2giaqnb44","status":"Authorized","approved":true,"response_code":"10000",
        "amount":10000,"currency":"USD","reference":"\(attempt)","source":{"id":"src_wmlfc3zyhqzehihu7giusaaawu",
        "scheme":"Visa","last4":"4242","expiry_month":12,"expiry_year":2031},
        "customer":{"id":"cus_y3oqhf46pyzuxjbcn2giaqnb44"},"scheme_id":"\(transaction)"}
        """

    static let transactionOfBraintree = """
        {"id":"dHJhbnNhY3Rpb25fcDRtcTdrenI","legacyId":"p4mq7kzr","orderId":"\(attempt)","status":"AUTHORIZED",
        "amount":{"value":"100.00","currencyCode":"USD"},"statusHistory":[{"status":"AUTHORIZED",
        "amount":{"value":"100.00","currencyCode":"USD"}}],"paymentMethodSnapshot":{"networkTransactionId":
        "\(transaction)","creditCard":{"brandCode":"VISA","last4":"4242","expirationMonth":"12",
        "expirationYear":"2031"}},"paymentMethod":{"id":"cGF5bWVudG1ldGhvZF9jY19x","usage":"MULTI_USE"}}
        """

    private static let cardOfSquare = """
        {"card":{"id":"ccof:GaJGNaZa8x4OgDJn4GB","customer_id":"W92WH6P11H4Z77CTET0RNTGFW8",
        "reference_id":"\(agreement)","enabled":true,"card_brand":"VISA","last_4":"4242","exp_month":12,
        "exp_year":2031}}
        """

    /// The bodies of the replies to a first payment, with their statuses, in their order.
    static let bodies: [String: [(status: Int, body: String)]] = [
        "adyen": [
            (
                200,
                """
                {"pspReference":"993617895199574A","resultCode":"Authorised","merchantReference":"\(attempt)",
                "paymentMethod":{"brand":"visa"},"additionalData":{"cardSummary":"4242","expiryDate":"12/2031",
                "tokenization.shopperReference":"\(agreement)","tokenization.storedPaymentMethodId":
                "M5N7TQ4TG5PFWR50","networkTxReference":"\(transaction)"}}
                """
            )
        ],
        "authorize-net": [
            (
                200,
                """
                {"transactionResponse":{"responseCode":"1","transId":"60198765432","accountNumber":"XXXX4242",
                "accountType":"Visa","networkTransId":"\(transaction)","messages":[{"code":"1"}]},
                "profileResponse":{"messages":{"resultCode":"Ok","message":[{"code":"I00001"}]},
                "customerProfileId":"900135","customerPaymentProfileIdList":["1929020"]},
                "refId":"zmnpzx45hy43kwjrp1xp","messages":{"resultCode":"Ok","message":[{"code":"I00001"}]}}
                """
            )
        ],
        "braintree": [
            (
                200,
                """
                {"data":{"\(operation)":{"clientMutationId":"\(operation)","transaction":\(transactionOfBraintree)}}}
                """
            )
        ],
        "checkout": [(201, checkout)],
        "square": [
            (200, #"{"customer":{"id":"W92WH6P11H4Z77CTET0RNTGFW8","reference_id":"\#(agreement)"}}"#),
            (
                200,
                """
                {"payment":{"id":"bP9mAsEMYPUGjjGNaNO5ZDVyLhSZY","status":"APPROVED","reference_id":"\(attempt)",
                "amount_money":{"amount":10000,"currency":"USD"},"approved_money":{"amount":10000,"currency":"USD"},
                "card_details":{"card":{"card_brand":"VISA","last_4":"4242"}}}}
                """
            ), (200, cardOfSquare),
        ],
        "stripe": [(200, #"{"object":"customer","id":"cus_1sample"}"#), (200, intent)],
        "worldpay": [
            (
                201,
                """
                {"outcome":"authorized","paymentId":"pay1","transactionReference":"\(attempt)",
                "schemeReference":"\(transaction)","paymentInstrument":{"cardBrand":"visa","lastFour":"4242"}}
                """
            )
        ],
    ]

    /// The replies to a first payment, the last one with a change in its body.
    static func replies(_ psp: String, replacing old: String = "", by new: String = "") throws -> [WireReply] {
        let all = try #require(bodies[psp])
        return try all.enumerated().map { index, reply in
            let isLast = index == all.count - 1
            if isLast, !old.isEmpty { try #require(reply.body.contains(old)) }
            let body = isLast && !old.isEmpty ? reply.body.replacing(old, with: new) : reply.body
            let hasKey = psp == "stripe" || psp == "adyen"
            let headers = hasKey ? [Header("Idempotency-Key", "\(operation).\(index)")] : []
            return AgreementSample.reply(reply.status, body, headers)
        }
    }
}
