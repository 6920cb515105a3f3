import AdapterKit
import Domain
import Testing
import WorldpayAdapter

/// What the samples of Worldpay say, and an account that they fit.
enum WorldpaySample {
    static let payment = "payVGX28GOT7iDY5qanttPWF0"
    static let webhookSecret = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    private static let link = "/api/payments/eyJrIjoic2FtcGxlIiwidiI6MX0%3D.sN%3Asample%2BpXcanB%2Fnk2z%3Al9"

    static let settings = AdapterSettings(
        account: "sample",
        baseURL: "https://psp.example",
        credentials: [
            "username": Secret("sample"), "password": Secret(Sample.secretKey), "entity": Secret("default"),
            "narrative": Secret("Sample Shop"), "webhook_secret": Secret(webhookSecret),
        ]
    )

    /// The provider state after an authorization and a first capture, as the adapter writes it.
    static let state = state(capture: "\(link)/partialSettlements", refund: "\(link)/partialRefunds")

    static func state(capture: String, refund: String, captures: Int = 0) -> String {
        #"{"capture":"\#(capture)","void":"\#(link)/cancellations","refund":"\#(refund)","captures":\#(captures)}"#
    }

    static func step(_ call: Call, after replies: [WireReply] = []) throws -> Step {
        try WorldpayAdapter(settings: settings).next(for: call, after: replies.map { Exchange(reply: $0) })
    }

    /// What is sent.
    static func request(_ call: Call, after replies: [WireReply] = []) throws -> WireRequest {
        let step = try step(call, after: replies)
        guard case .send(let request) = step else {
            Issue.record("\(step)")
            return WireRequest(.get, "", canMoveMoney: false)
        }
        return request
    }

    /// What it ends with.
    static func outcome(_ call: Call, after replies: [WireReply] = []) throws -> Outcome {
        let step = try step(call, after: replies)
        guard case .outcome(let outcome) = step else {
            Issue.record("\(step)")
            return .unknown(reason: "something is sent")
        }
        return outcome
    }

    /// A call on the payment, with the state that is kept for it.
    static func later(_ operation: SampleOperation, amount: Int64 = 10_000) throws -> Call {
        var call = try Sample.call(operation, reference: payment, amount: amount)
        call.pspState = state
        return call
    }

    static func reply(_ path: String) throws -> WireReply {
        try Conversation.reply("worldpay/\(path)")
    }
}
