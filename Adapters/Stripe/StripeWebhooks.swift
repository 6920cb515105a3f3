package import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// What Stripe says on its own.
extension StripeAdapter: WebhookListener {
    /// Verifies the signature and reads the event.
    ///
    /// An event of test money at a live account, or the other way round, says nothing: Stripe sends both to the live
    /// endpoint of a platform ("Connect webhooks", read in November 2026).
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try StripeSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = StripeEvent(json) else { throw .malformed }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    /// Reads an event, told or listed.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - listed: the connected account that it was listed of; what is told of one always names it.
    /// - Returns: what it says.
    func read(_ event: StripeEvent, of listed: String? = nil) -> WebhookEvent {
        let account = (event.account ?? listed).map(NoticeAccount.merchant) ?? .platform()
        var result = WebhookEvent(id: event.id, type: event.type, merchantAccount: account)
        if let isLive, let eventIsLive = event.isLive, isLive != eventIsLive { return result }
        result.add(StripeEventReader(event: event).news)
        return result
    }
}

/// The envelope of an event.
struct StripeEvent {
    var id: String
    var type: String
    /// When Stripe made it.
    var at: Timestamp?
    /// The connected account it happened on; nil for the account of the key.
    var account: String?
    /// Whether it is of live money; nil if it does not say.
    var isLive: Bool?
    /// Our operation whose request caused it, from the idempotency key that Stripe repeats.
    var cause: OperationID?
    /// The object as it was when the event was made.
    var object: JSON?

    /// Reads the body; nil if it is no event.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue, let type = json["type"]?.stringValue,
            ProtocolText.isPrintable(id, limit: 255), ProtocolText.isPrintable(type, limit: 100)
        else { return nil }
        self.id = id
        self.type = type
        at = json["created"]?.integerValue.flatMap(LatestCharge.timestamp)
        account = json["account"]?.stringValue
        isLive = json["livemode"]?.boolValue
        cause = json["request"]?["idempotency_key"]?.stringValue.flatMap(Self.operation)
        object = json["data"]?["object"]
    }

    /// The operation of a key that `Call.key(exchange:)` made.
    private static func operation(ofKey key: String) -> OperationID? {
        key.firstIndex(of: ".").flatMap { OperationID(String(key[..<$0])) }
    }
}

/// The header `Stripe-Signature`: `t=` seconds since 1970, and `v1=` HMAC-SHA256 codes in hexadecimal.
///
/// Source: "Receive Stripe events in your webhook endpoint", read in November 2026. There are several codes while a
/// secret is rotated; other schemes, such as `v0` of test events, are ignored.
private struct StripeSignature {
    /// How far the timestamp may be from the receipt, in seconds; the default of Stripe's libraries.
    static let toleranceSeconds: Int64 = 300

    /// The timestamp as it is written, which is what is signed.
    private let time: Substring
    private let seconds: Int64
    private let codes: [[UInt8]]

    /// Reads the header; nil if it lacks a timestamp or a code, or has more than one timestamp.
    init?(_ header: String) {
        var times: [Substring] = []
        var codes: [[UInt8]] = []
        for part in header.split(separator: ",") {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return nil }
            switch pair[0] {
            case "t": times.append(pair[1])
            case "v1": if let code = Hexadecimal.decode(pair[1]), !code.isEmpty { codes.append(code) }
            default: break
            }
        }
        guard times.count == 1, let seconds = Int64(times[0]), !codes.isEmpty else { return nil }
        time = times[0]
        self.seconds = seconds
        self.codes = codes
    }

    /// Verifies a webhook on its raw bytes.
    ///
    /// - Throws: ``WebhookRefusal``, never `malformed`.
    static func verify(_ incoming: IncomingWebhook, with keys: [SigningKey]) throws(WebhookRefusal) {
        try incoming.requireVerifiable(with: keys)
        guard let header = incoming.header("Stripe-Signature"), let signature = StripeSignature(header) else {
            throw .unsigned
        }
        let message = Array("\(signature.time).".utf8) + incoming.body
        guard keys.authenticate(anyOf: signature.codes, of: message) else { throw .wrongSignature }
        guard incoming.isWithin(seconds: toleranceSeconds, ofEpochSecond: signature.seconds) else {
            throw .outsideTolerance
        }
    }
}
