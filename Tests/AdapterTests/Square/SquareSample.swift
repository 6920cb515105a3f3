import AdapterKit
import Domain
import SquareAdapter
import StrictJSON
import Testing

/// What Square's suites talk about, and how they talk to the adapter.
enum SquareSample {
    static let payment = "SqPay7n3vKsampleQ2mXcWlZY"
    static let refund = "SqPay7n3vKsampleQ2mXcWlZY_sampleRefundAt1wqkL"
    static let location = "L88917AVBK2S5"
    /// A location of a submerchant's, which a route names.
    static let branch = "LSUBMERCHANT1"
    static let version = "kSampleVersion1"
    static let state = #"{"amount":10000,"fee":0,"version":"kSampleVersion1"}"#

    static func adapter() throws -> SquareAdapter { try SquareAdapter(settings: AdapterUnderTest.square.settings) }

    /// The call that knows the payment and its state.
    static func call(
        _ operation: SampleOperation,
        amount: Int64 = 10_000,
        currency: String = "USD",
        location: String? = nil,
        fee: Int64? = nil,
        state: String? = SquareSample.state,
        token: String = "cnon:card-nonce-ok"
    ) throws -> Call {
        let isFirst = operation == .authorize
        var call = try Sample.call(
            operation,
            credential: .pspToken(Secret(token)),
            reference: isFirst ? nil : payment,
            amount: amount,
            currency: currency,
            merchantAccount: location,
            applicationFee: fee
        )
        call.pspState = isFirst ? nil : state
        return call
    }

    static func request(_ call: Call, after replies: [WireReply] = []) throws -> WireRequest {
        guard case .send(let request) = try step(call, after: replies) else {
            Issue.record("nothing is sent: \(try step(call, after: replies))")
            throw SettingsError.missingCredential("request")
        }
        return request
    }

    static func outcome(_ call: Call, after replies: [WireReply] = []) throws -> Outcome {
        guard case .outcome(let outcome) = try step(call, after: replies) else {
            Issue.record("another request is sent: \(try step(call, after: replies))")
            return .unknown(reason: "another request is sent")
        }
        return outcome
    }

    private static func step(_ call: Call, after replies: [WireReply]) throws -> Step {
        try adapter().next(for: call, after: replies.map { Exchange(reply: $0) })
    }

    /// A conversation's reply, `<operation>/<name>[.n]`.
    static func sample(_ path: String) throws -> WireReply {
        try Conversation.reply("square/\(path)")
    }

    static func reply(_ status: Int, _ json: JSON) -> WireReply {
        WireReply(status: status, headers: [Header("Content-Type", "application/json")], body: json.bytes)
    }

    /// A reply with one error.
    static func refusal(_ status: Int, _ category: String, _ code: String) -> WireReply {
        reply(status, ["errors": [["category": .string(category), "code": .string(code), "detail": "Sample."]]])
    }

    /// A reply with the payment.
    static func shown(
        _ status: String,
        amount: Int64 = 10_000,
        fee: Int64? = nil,
        version: String = version,
        currency: String = "USD"
    ) -> WireReply {
        var payment: [JSON.Member] = [
            .init("id", .string(Self.payment)), .init("status", .string(status)),
            .init("reference_id", "att_01ka5xxqkfbf5kznwj47tan9zt"),
            .init("amount_money", ["amount": .integer(amount), "currency": .string(currency)]),
            .init("version_token", .string(version)),
        ]
        if let fee { payment.append(.init("app_fee_money", ["amount": .integer(fee), "currency": .string(currency)])) }
        return answer(["payment": .object(payment)])
    }

    /// A reply with HTTP 200.
    static func answer(_ json: JSON) -> WireReply { reply(200, json) }

    static func body(_ request: WireRequest) throws -> JSON {
        request.body.isEmpty ? .null : try JSON.parse(request.body)
    }
}
