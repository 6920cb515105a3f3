import AdapterKit
package import Callbacks
package import Domain
package import Gateway
package import Keyring
import Storage
import WireFormats

extension Vault {
    /// A vault whose keys are on a ring.
    package init(_ keyring: Keyring) {
        self.init(
            seal: { bytes, context in
                let sealed = try keyring.seal(bytes, context: context)
                return CredentialTable.Sealed(keyID: sealed.keyID, bytes: sealed.bytes)
            },
            open: { sealed, context in try keyring.open(sealed.bytes, keyID: sealed.keyID, context: context) },
            makeKey: Keyring.makeKey,
            single: { key, name in Vault(try Keyring(current: name, keys: [name: key])) }
        )
    }
}

extension RingKeys {
    /// The keys of a ring.
    package init(_ keyring: Keyring) {
        let secrets = SecretStore(keyring) { reference in throw KeyringError.unknownKey(reference) }
        self.init(
            current: keyring.current,
            names: keyring.ids,
            seal: { bytes, name, context in
                let sealed = try keyring.seal(bytes, with: name, context: context)
                return CredentialTable.Sealed(keyID: sealed.keyID, bytes: sealed.bytes)
            },
            open: { sealed, context in try keyring.open(sealed.bytes, keyID: sealed.keyID, context: context) },
            resealSecret: { kept, endpoint in
                guard case .sealed(let key, _) = kept, key != keyring.current else { return kept }
                return try secrets.seal(try secrets.open(kept, endpoint), endpoint)
            },
            makeKey: Keyring.makeKey
        )
    }
}

extension SecretStore {
    /// A store whose keys are on a ring, and which reads elsewhere what is only referred to.
    package init(_ keyring: Keyring, resolve: @escaping @Sendable (_ reference: String) throws -> Secret) {
        self.init(
            seal: { secret, endpoint in
                let sealed = try keyring.seal(Array(secret.reveal().utf8), context: Self.context(endpoint))
                return .sealed(keyID: sealed.keyID, hexadecimal: Hexadecimal.encode(sealed.bytes))
            },
            open: { kept, endpoint in
                switch kept {
                case .reference(let reference): return try resolve(reference)
                case .sealed(let key, let hexadecimal):
                    guard let bytes = Hexadecimal.decode(hexadecimal) else { throw KeyringError.cannotOpen }
                    let opened = try keyring.open(bytes, keyID: key, context: Self.context(endpoint))
                    return Secret(String(decoding: opened, as: UTF8.self))
                }
            }
        )
    }

    /// What a sealed secret is bound to: nobody can move it to another endpoint.
    private static func context(_ endpoint: EndpointID) -> String { "callback/" + endpoint.text }
}
