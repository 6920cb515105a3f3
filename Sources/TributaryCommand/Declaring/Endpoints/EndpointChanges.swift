import Callbacks
import Domain
import SQL
import Storage

/// Carries out what applying a declaration comes to for endpoints.
struct EndpointChanges {
    /// How long the secret before goes on signing when a declaration changes it, in milliseconds: a day.
    private static let overlapMilliseconds: Int64 = 86_400_000

    let marketplace: String
    let secrets: SecretStore?
    let now: Timestamp

    /// Writes endpoints, and answers the secrets that were made for them.
    ///
    /// - Throws: `KeyringError`, or `SQLError`.
    func write(_ changes: [EndpointPlan.Change], in session: any Session) throws -> [MadeSecret] {
        var made: [MadeSecret] = []
        for change in changes {
            if let secret = try save(change, in: session) { made.append(MadeSecret(change.step, change.id, secret)) }
            switch change.becomes {
            case .enabled: _ = try CallbackEndpointTable.enable(change.id, in: session)
            case .disabled: _ = try CallbackEndpointTable.disable(change.id, because: .undeclared, in: session)
            case nil: continue
            }
        }
        return made
    }

    private func save(_ change: EndpointPlan.Change, in session: any Session) throws -> Secret? {
        var made: Secret?
        let kept: CallbackSecrets.Kept?
        switch change.signing {
        case .asBefore: kept = nil
        case .reference(let reference): kept = .reference(reference)
        case .generated:
            guard let secrets else { throw CommandFailure.unusable("there is no key to encrypt a secret with") }
            let secret = SigningSecret.make()
            kept = try secrets.seal(secret, change.id)
            made = secret
        }
        if var endpoint = change.known {
            endpoint.url = change.url
            endpoint.identity = change.identity
            if let kept {
                let until = now.adding(milliseconds: Self.overlapMilliseconds)
                endpoint.secrets.rotate(to: kept, until: until, at: now)
            }
            try CallbackEndpointTable.save(endpoint, in: session)
        } else if let kept {
            let endpoint = CallbackEndpoint(
                id: change.id,
                marketplace: marketplace,
                merchant: change.merchant,
                url: change.url,
                secrets: CallbackSecrets(kept),
                identity: change.identity,
                createdAt: now
            )
            try CallbackEndpointTable.save(endpoint, in: session)
        }
        return made
    }
}
