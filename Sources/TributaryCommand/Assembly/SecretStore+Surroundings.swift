import Callbacks
import Domain
import Keyring
import Settings
import Wiring

extension SecretStore {
    /// A store whose keys are on a ring, and whose references are looked up around this process.
    init(_ keyring: Keyring, surroundings: Surroundings) {
        self.init(keyring) { text in
            guard let reference = SecretReference(text) else { throw GatewayStack.UnreadableReference() }
            return try reference.resolve(in: surroundings)
        }
    }
}
