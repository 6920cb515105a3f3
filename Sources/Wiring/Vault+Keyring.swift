package import Gateway
package import Keyring
import Storage

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
