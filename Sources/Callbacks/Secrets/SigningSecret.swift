import AdapterKit
package import Domain

/// Makes secrets for endpoints whose owner brings none.
package enum SigningSecret {
    /// 256 random bits, as Standard Webhooks writes them.
    package static func make() -> Secret {
        StandardWebhooks.secret(of: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// What is wrong with a secret, as a sentence; nil if callbacks can be signed with it.
    package static func problem(with secret: Secret) -> String? {
        StandardWebhooks.isSound(secret)
            ? nil : "it must be 24 to 64 bytes in base 64, with or without whsec_ before them (Standard Webhooks 1.0)"
    }
}
