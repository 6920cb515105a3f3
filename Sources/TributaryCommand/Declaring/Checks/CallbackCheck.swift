import Callbacks
import Domain
import Settings
import Wiring

/// Checks declared endpoints: their addresses by the rules of sending, their secrets and certificates by reading them.
struct CallbackCheck {
    /// What makes an endpoint unusable, in sentences.
    private(set) var problems: [String] = []
    /// What cannot be had in this shell, though the server will need it, in sentences.
    private(set) var absences: [String] = []
    /// What will need a look soon, in sentences.
    private(set) var warnings: [String] = []

    private let allowsLoopback: Bool
    private let now: Timestamp
    private let surroundings: Surroundings

    /// Checks the marketplace's endpoint and those of merchants, certificates by `now`.
    init(_ declaration: Declaration, allowsLoopback: Bool, at now: Timestamp, surroundings: Surroundings) {
        self.allowsLoopback = allowsLoopback
        self.now = now
        self.surroundings = surroundings
        let owners =
            [("marketplace \(declaration.marketplace.id)", declaration.marketplace.callback)]
            + declaration.merchants.map { ("merchant \($0.externalIdentifier)", $0.callback) }
        for case (let owner, let callback?) in owners { check(callback, of: owner.harmless) }
    }

    private mutating func check(_ callback: CallbackDeclaration, of owner: String) {
        if let rule = CurlCallbackSender.refusal(of: callback.url, allowsLoopback: allowsLoopback) {
            problems.append("\(owner): callback.url: \(rule)\(allowsLoopback ? "" : Self.hint(callback.url))")
        }
        if let identity = callback.clientIdentity {
            let found = ClientIdentityCheck(
                certificate: identity.certificate,
                key: identity.key,
                at: now,
                surroundings: surroundings
            )
            problems += found.problems.map { "\(owner): callback.\($0)" }
            absences += found.absences.map { "\(owner): callback.\($0)" }
            warnings += found.warnings.map { "\(owner): callback.\($0)" }
        }
        guard let reference = callback.secret else { return }
        do throws(SecretRefusal) {
            guard let problem = SigningSecret.problem(with: try reference.resolve(in: surroundings)) else { return }
            problems.append("\(owner): callback.secret: the secret at \(reference) will not do: \(problem)")
        } catch {
            absences.append("\(owner): callback.secret: \(error) The server will need it.")
        }
    }

    private static func hint(_ url: String) -> String {
        CurlCallbackSender.refusal(of: url, allowsLoopback: true) == nil
            ? "; for development set TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK=true" : ""
    }
}
