import Crypto
import FoundationEssentials
import StrictJSON
import WireFormats

/// Verifies callbacks, as Standard Webhooks 1.0 says.
///
/// Takes several secrets, so that one can be replaced without a callback being lost. Signatures are compared in a time
/// that does not depend on where they differ.
public struct CallbackVerifier: Sendable {
    /// A callback that was sent by whoever knows the secret, in time.
    public struct Callback: Hashable, Sendable {
        /// Its id, the same at each delivery: a callback may come more than once.
        public let id: String
        /// When this delivery was sent, in seconds since 1970.
        public let sentAt: Int64
        /// What happened, for example `order.paid`; nil if the body does not say.
        public let type: String?
        /// The body as it came.
        public let body: [UInt8]
    }

    /// Why a callback is not believed.
    public enum Refusal: Error, Hashable, Sendable {
        /// A secret is no base 64, with or without `whsec_`, of at least 16 bytes.
        case malformedSecret
        /// This header is missing, there twice or cannot be read.
        case malformedHeader(String)
        /// It was sent too long ago, or will be sent.
        case outsideTolerance
        /// No signature is of this body by one of the secrets.
        case wrongSignature
    }

    private let keys: [SymmetricKey]
    private let toleranceSeconds: Int64

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - secrets: the endpoint's secrets as they were shown, `whsec_…`.
    ///   - toleranceSeconds: how far the sender's clock and this one may be apart, in seconds; below zero counts as zero.
    /// - Throws: ``Refusal/malformedSecret``.
    public init(secrets: [String], toleranceSeconds: Int64 = 300) throws(Refusal) {
        var keys: [SymmetricKey] = []
        for secret in secrets {
            let text = secret.hasPrefix("whsec_") ? secret.dropFirst("whsec_".count) : Substring(secret)
            guard let bytes = Base64.decode(text), bytes.count >= 16 else { throw .malformedSecret }
            keys.append(SymmetricKey(data: bytes))
        }
        guard !keys.isEmpty else { throw .malformedSecret }
        self.keys = keys
        self.toleranceSeconds = max(0, toleranceSeconds)
    }

    /// Verifies a callback.
    ///
    /// - Parameters:
    ///   - body: the body as it came, byte for byte.
    ///   - headers: every header field of the request, in any case.
    ///   - now: the time in seconds since 1970; nil for the machine's.
    /// - Returns: the callback.
    /// - Throws: ``Refusal``.
    public func verify(
        body: [UInt8],
        headers: [(name: String, value: String)],
        now: Int64? = nil
    ) throws(Refusal) -> Callback {
        let id = try Self.value("webhook-id", headers)
        let stamp = try Self.value("webhook-timestamp", headers)
        let signatures = try Self.value("webhook-signature", headers)
        guard let sentAt = Int64(stamp), String(sentAt) == stamp else { throw .malformedHeader("webhook-timestamp") }
        let now = now ?? Int64(Date().timeIntervalSince1970)
        let (distance, overflow) = now.subtractingReportingOverflow(sentAt)
        guard !overflow, distance.magnitude <= UInt64(toleranceSeconds) else { throw .outsideTolerance }
        guard isSigned(Array("\(id).\(stamp).".utf8) + body, signatures) else { throw .wrongSignature }
        let type = (try? JSON.parse(body))?["type"]?.stringValue
        return Callback(id: id, sentAt: sentAt, type: type, body: body)
    }

    /// Whether one of the signatures, apart by spaces, is of the content; each is compared with each secret's.
    private func isSigned(_ content: [UInt8], _ signatures: String) -> Bool {
        var isFound = false
        for entry in signatures.split(separator: " ") where entry.hasPrefix("v1,") {
            guard let code = Base64.decode(entry.dropFirst("v1,".count)) else { continue }
            for key in keys where HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: content, using: key) {
                isFound = true
            }
        }
        return isFound
    }

    private static func value(_ name: String, _ headers: [(name: String, value: String)]) throws(Refusal) -> String {
        let found = headers.filter { $0.name.lowercased() == name }
        guard found.count == 1, let value = found.first?.value, !value.isEmpty else { throw .malformedHeader(name) }
        return value
    }
}
