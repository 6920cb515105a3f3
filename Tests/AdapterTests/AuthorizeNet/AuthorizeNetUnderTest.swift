import AdapterKit
import AuthorizeNetAdapter
import Domain
import Testing
import WireFormats

extension AdapterUnderTest {
    /// Authorize.Net.
    static var authorizeNet: AdapterUnderTest {
        get throws {
            var subject = try AdapterUnderTest(
                AuthorizeNetAdapter.self,
                settings: AuthorizeNetSample.settings,
                pspReference: AuthorizeNetSample.payment
            )
            subject.pspState = "1111"
            subject.bareReplies = authorizeNetBareReplies
            // Nothing here asks a buyer to act; disputes and lapses are not told; signatures have no time.
            subject.lacks = [
                "webhook/authorize-action-required", "webhook/refund-reversed", "webhook/lapsed",
                "webhook/dispute-opened", "webhook/dispute-won", "webhook/dispute-lost",
                "webhook/refused-outside-tolerance",
            ]
            var scheme = WebhookScheme(otherSecret: String(repeating: "0A", count: 64)) { body, _ in
                let key = try #require(SHA512SigningKey(bytes: Array(Sample.webhookSecret.utf8)))
                let digits = Hexadecimal.encode(key.code(of: body)).uppercased()
                return WebhookScheme.Sealed(body: body, headers: [Header("X-ANET-Signature", "sha512=\(digits)")])
            }
            scheme.isTimed = false
            scheme.alwaysNamesPayment = false
            subject.webhooks = scheme
            return subject
        }
    }
}

/// What samples of Authorize.Net are about, and the short way to ask the adapter.
enum AuthorizeNetSample {
    static let payment = "60198765432"
    static let transactionKey = "4TxnKeyOfSample7"
    /// The short names of the attempt and the operation of ``Sample``.
    static let attempt = "zqkfbf5kznwj47tan9zt"
    static let operation = "zmnpzx45hy43kwjrp1xp"

    static let settings = AdapterSettings(
        account: "sample",
        baseURL: "https://psp.example",
        credentials: [
            "api_login_id": Secret("SampleLogin"), "transaction_key": Secret(transactionKey),
            "webhook_secret": Secret(Sample.webhookSecret),
        ]
    )

    static func step(_ call: Call, after replies: [WireReply] = []) throws -> Step {
        try AuthorizeNetAdapter(settings: settings).next(for: call, after: replies.map { Exchange(reply: $0) })
    }

    static func request(_ call: Call, after replies: [WireReply] = []) throws -> WireRequest {
        guard case .send(let request) = try step(call, after: replies) else {
            Issue.record("nothing is sent")
            throw SettingsError.missingCredential("request")
        }
        return request
    }

    static func outcome(of call: Call, after replies: [WireReply]) throws -> Outcome {
        guard case .outcome(let outcome) = try step(call, after: replies) else {
            Issue.record("another request is sent")
            return .unknown(reason: "another request is sent")
        }
        return outcome
    }

    /// A conversation's reply, `<operation>/<name>[.n]`.
    static func reply(_ path: String) throws -> WireReply {
        try Conversation.reply("authorize-net/\(path)")
    }

    /// A call whose payment is known, with the digits that a refund needs.
    static func call(
        _ operation: SampleOperation,
        amount: Int64 = 10_000,
        currency: String = "USD"
    ) throws -> Call {
        var call = try Sample.call(operation, reference: payment, amount: amount, currency: currency)
        call.pspState = "1111"
        return call
    }
}

extension AdapterUnderTest {
    /// What Authorize.Net could not read far enough to find `refId`.
    fileprivate static let authorizeNetBareReplies: [String: Set<String>] = [
        "E00003: the request could not be read, its refId neither; sent once, on a fresh connection.": [
            "authorize/rejected-configuration-order"
        ]
    ]
}
