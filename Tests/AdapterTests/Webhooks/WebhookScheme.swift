import AdapterKit
import Domain
import Testing

/// How a PSP signs its webhooks, as its documents say; written apart from the adapter.
struct WebhookScheme: Sendable {
    /// A webhook as the PSP would send it.
    struct Sealed: Sendable {
        var body: [UInt8]
        var headers: [Header]
    }

    /// Another secret of the scheme's form, which the samples are not signed with.
    let otherSecret: String
    /// Signs a payload (and the webhook's name, where it is signed along) with ``Sample/webhookSecret``, or with the
    /// settings' own `webhook_secret` where the scheme wants another form.
    let seal: @Sendable (_ payload: [UInt8], _ id: String) throws -> Sealed
    /// Whether the scheme signs the time, so that an old signature is refused.
    var isTimed = true
    /// Whether it signs the whole body as it came; some sign chosen fields, or a part of a form.
    var signsWholeBody = true
    /// Whether events say when they happened: then samples say three seconds before ``Sample/signedAt``.
    var tellsTime = true
    /// What names of payments other than the adapter's `pspReference` begin with in the samples.
    var paymentPrefix: String?
    /// Whether every notice carries the PSP's name of the payment; some name it by our reference, or themselves only.
    var alwaysNamesPayment = true
    /// Whether every event about a payment states an amount, and so a currency.
    var statesAmounts = true
    /// Whether every header field but Content-Type belongs to the scheme.
    var needsEveryHeader = true

    /// Makes a scheme.
    init(
        otherSecret: String,
        seal: @escaping @Sendable (_ payload: [UInt8], _ id: String) throws -> Sealed
    ) {
        self.otherSecret = otherSecret
        self.seal = seal
    }

    /// A webhook with this payload and a good signature, received when it was signed.
    func signed(_ payload: [UInt8], id: String = "evt_forged") throws -> IncomingWebhook {
        let sealed = try seal(payload, id)
        return IncomingWebhook(
            body: sealed.body,
            headers: sealed.headers,
            url: "https://tributary.example",
            receivedAt: WebhookSample.moment(Sample.signedAt)
        )
    }
}
