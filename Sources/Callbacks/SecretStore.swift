import AdapterKit
package import Domain
package import Storage

/// Keeps the secrets that callbacks are signed with, and gives them out to sign.
package struct SecretStore: Sendable {
    /// Encrypts a secret for an endpoint.
    package let seal: @Sendable (_ secret: Secret, _ endpoint: EndpointID) throws -> CallbackSecrets.Kept
    /// Reads a secret, wherever it is kept.
    package let open: @Sendable (_ kept: CallbackSecrets.Kept, _ endpoint: EndpointID) throws -> Secret

    /// Makes a store of two functions.
    package init(
        seal: @escaping @Sendable (Secret, EndpointID) throws -> CallbackSecrets.Kept,
        open: @escaping @Sendable (CallbackSecrets.Kept, EndpointID) throws -> Secret
    ) {
        self.seal = seal
        self.open = open
    }
}

extension SecretStore {
    /// The keys that sign for an endpoint at `now`, the current secret's first.
    ///
    /// A secret that was replaced and cannot be read any more is left out; whoever receives has the current one.
    ///
    /// - Throws: ``UnusableSecret`` if the current one cannot be used.
    func keys(of endpoint: CallbackEndpoint, at now: Timestamp) throws(UnusableSecret) -> [SigningKey] {
        var keys: [SigningKey] = []
        for (index, kept) in endpoint.secrets.valid(at: now).enumerated() {
            if let key = try? key(kept, of: endpoint.id) {
                keys.append(key)
            } else if index == 0 {
                throw .signing
            }
        }
        return keys
    }

    /// What to show an endpoint that asks for a client certificate; nil for one that is shown nothing.
    ///
    /// - Throws: ``UnusableSecret`` if it cannot be read.
    package func identity(of endpoint: CallbackEndpoint) throws(UnusableSecret) -> EndpointIdentity? {
        guard let kept = endpoint.identity else { return nil }
        guard let certificate = try? open(.reference(kept.certificate), endpoint.id),
            let key = try? open(.reference(kept.key), endpoint.id)
        else { throw .identity }
        return EndpointIdentity(certificate: certificate, key: key)
    }

    private func key(_ kept: CallbackSecrets.Kept, of endpoint: EndpointID) throws -> SigningKey {
        guard let key = StandardWebhooks.key(try open(kept, endpoint)) else { throw UnusableSecret.signing }
        return key
    }
}

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

/// What is shown to an endpoint that asks for a client certificate, as it was read.
package struct EndpointIdentity: Hashable, Sendable {
    /// The certificate in PEM, its intermediates behind it.
    package let certificate: Secret
    /// Its private key in PEM, not encrypted.
    package let key: Secret

    /// Pairs a certificate with its key.
    package init(certificate: Secret, key: Secret) {
        self.certificate = certificate
        self.key = key
    }
}

/// Why nothing can be sent to an endpoint: what that needs on this side cannot be had.
package enum UnusableSecret: Error, Hashable, Sendable, CustomStringConvertible {
    /// The secret that callbacks are to be signed with cannot be read, or is none.
    case signing
    /// The client certificate or its key cannot be read.
    case identity

    /// The reason in words, without the secret.
    package var description: String {
        switch self {
        case .signing: "the signing secret cannot be read or is not base 64"
        case .identity: "the client certificate or its key cannot be read"
        }
    }
}
