package import AdapterKit
import Crypto
package import Domain
import Foundation

/// Signs webhooks as the simulator does (Standard Webhooks 1.0), written apart from what verifies them.
package struct WebhookSigner: Sendable {
    /// What a PSP account's credential `webhook_secret` refers to.
    package let reference: String
    private let key: String

    /// Who signs for ``TestMarketplace/travel``.
    package static let usual = WebhookSigner("env:WEBHOOK_SECRET", key: "webhooks of a test, 32 bytes ...")
    /// Somebody else.
    package static let stranger = WebhookSigner("env:OTHER_SECRET", key: "webhooks of another, 32 bytes ..")

    private init(_ reference: String, key: String) {
        self.reference = reference
        self.key = key
    }

    /// What is behind a reference of a test: a signer's secret, or else an API key.
    package static func resolve(_ reference: String) -> Secret {
        [usual, stranger].first { $0.reference == reference }?.secret ?? Secret("key_test")
    }

    /// The credential by which its webhooks are verified.
    package var secret: Secret { Secret("whsec_" + Data(key.utf8).base64EncodedString()) }

    /// The header fields that a webhook carries.
    package func headers(id: String, at time: Timestamp, body: [UInt8]) -> [Header] {
        let seconds = time.microseconds / 1_000_000
        let message = Array("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: Data(key.utf8)))
        return [
            Header("webhook-id", id), Header("webhook-timestamp", "\(seconds)"),
            Header("webhook-signature", "v1," + Data(code).base64EncodedString()),
        ]
    }
}
