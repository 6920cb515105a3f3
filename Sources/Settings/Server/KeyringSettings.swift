import StrictJSON

/// The key-encrypting keys: one in use, older ones kept for what they once encrypted.
package struct KeyringSettings: Hashable, Sendable {
    /// The name of the key that encrypts from now on; one of ``keys``.
    package var current: String
    /// Where each key is kept, by its name.
    package var keys: [String: SecretReference]

    /// Makes settings.
    package init(current: String, keys: [String: SecretReference]) {
        self.current = current
        self.keys = keys
    }

    init?(_ body: ObjectReader, file: String) {
        let current = body.slug("current")
        let keys = body.object("keys") { body in
            var keys: [String: SecretReference] = [:]
            for name in body.keys {
                keys[name] = body.secretReference(name, relativeTo: file)
                guard !Slug.isValid(name) else { continue }
                body.refuse(name, "not_allowed", "A key's name is 1 to 64 of a-z, 0-9, '.', '-' and '_'.")
            }
            if let current, !body.contains(current) {
                body.refuse(current, "missing_field", "The current key must be among the keys.")
            }
            return keys
        }
        guard let current, let keys else { return nil }
        self.init(current: current, keys: keys)
    }
}
