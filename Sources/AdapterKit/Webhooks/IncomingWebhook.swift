import Crypto
public import Domain
import WireFormats

/// A webhook as it came.
///
/// Its description says only how long it is; bodies and signatures are nobody else's business.
public struct IncomingWebhook: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The longest body any adapter reads, in bytes; see `WebhookListener.webhookBodyLimitBytes` for what each takes.
    public static let bodyLimitBytes = 524_288

    /// The body, byte for byte.
    public var body: [UInt8]
    /// Header fields as they came.
    public var headers: [Header]
    /// The URL that is registered at the PSP, which some schemes sign; not the one a proxy made of it.
    public var url: String
    /// When it came, by our clock.
    public var receivedAt: Timestamp

    /// Makes a webhook.
    public init(body: [UInt8], headers: [Header], url: String, receivedAt: Timestamp) {
        self.body = body
        self.headers = headers
        self.url = url
        self.receivedAt = receivedAt
    }

    /// Checks what stands before any signature: that there is a key to verify it with, and that it is not too long.
    ///
    /// - Throws: ``WebhookRefusal/notConfigured`` or ``WebhookRefusal/tooLarge``.
    public func requireVerifiable<Key>(with keys: [Key]) throws(WebhookRefusal) {
        guard !keys.isEmpty else { throw .notConfigured }
        guard body.count <= Self.bodyLimitBytes else { throw .tooLarge }
    }

    /// The value of the field with that name, compared without regard to case; nil if there is none or more than one,
    /// or if its value is not ASCII, as all are that PSPs send.
    public func header(_ name: String) -> String? {
        let found = headers.filter { $0.isNamed(name) }
        return found.count == 1 && found[0].isASCII ? found[0].value : nil
    }

    /// Whether the moment lies within `seconds` of the receipt, before or after.
    public func isWithin(seconds: Int64, ofEpochSecond moment: Int64) -> Bool {
        let (microseconds, overflowed) = moment.multipliedReportingOverflow(by: 1_000_000)
        guard !overflowed else { return false }
        let age = receivedAt.milliseconds(since: Timestamp(microseconds: microseconds))
        return age >= -seconds * 1000 && age <= seconds * 1000
    }

    /// The body's SHA-256, in lower-case hexadecimal.
    ///
    /// It tells one body from another where the body itself, which may hold personal data, is not kept.
    public var bodyHash: String { Hexadecimal.encode(SHA256.hash(data: body)) }

    /// How long it is.
    public var description: String { "webhook of \(body.count) bytes" }
    /// No children: the body may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why a webhook is refused.
public enum WebhookRefusal: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The account has no secret to verify it with.
    case notConfigured = "not_configured"
    /// It is longer than ``IncomingWebhook/bodyLimitBytes``.
    case tooLarge = "too_large"
    /// It has no signature, or not one in the PSP's form.
    case unsigned
    /// No secret of the account makes the signature.
    case wrongSignature = "wrong_signature"
    /// It was signed too long ago, or in the future.
    case outsideTolerance = "outside_tolerance"
    /// It is signed but is not what the PSP's documents describe.
    case malformed
    /// Several marketplaces have an account of the name, and its secret, so that nobody knows for whom it is.
    case ambiguous

    /// The HTTP status of the answer.
    ///
    /// Each is a failure to every PSP, which sends the webhook again; 503 says that it is worth it.
    public var status: Int {
        switch self {
        case .notConfigured, .ambiguous: 503
        case .tooLarge: 413
        case .unsigned, .malformed: 400
        case .wrongSignature, .outsideTolerance: 401
        }
    }

    /// A sentence for the log and for the PSP's dashboard.
    public var description: String {
        switch self {
        case .notConfigured: "The account has no webhook secret."
        case .tooLarge: "The body is too large."
        case .unsigned: "The webhook is not signed, or not in the PSP's form."
        case .wrongSignature: "The signature does not match."
        case .outsideTolerance: "The signature's time is too far from now."
        case .malformed: "The webhook is not what the PSP documents."
        case .ambiguous: "Several accounts of this name share the secret: name the marketplace in the URL."
        }
    }
}
