import Domain
import Keyring
import Settings

extension Keyring {
    /// The key that is used where no key ring is configured: `k1`, from this variable.
    private static let defaultKey = (name: "k1", reference: SecretReference.variable("TRIBUTARY_KEY"))

    /// Reads the keys that the settings refer to; without a key ring there, `TRIBUTARY_KEY` is the only key.
    ///
    /// - Throws: ``CommandFailure`` that says how to make a key.
    init(_ settings: ServerSettings, surroundings: Surroundings = .process) throws(CommandFailure) {
        let (name, reference) = Self.defaultKey
        let configured = settings.keyring ?? KeyringSettings(current: name, keys: [name: reference])
        var keys: [String: Secret] = [:]
        do {
            for (name, reference) in configured.keys { keys[name] = try reference.resolve(in: surroundings) }
        } catch {
            throw .unusable(
                "there is no key to encrypt what is stored. \(error) Make one with `openssl rand -hex 32`, keep it, "
                    + "and set TRIBUTARY_KEY to it, or name a file with keyring: in the settings"
            )
        }
        do {
            try self.init(current: configured.current, keys: keys)
        } catch {
            throw .unusable(
                "the key \(configured.current) cannot be used: a key is 64 hexadecimal digits, as "
                    + "`openssl rand -hex 32` makes them"
            )
        }
    }
}
