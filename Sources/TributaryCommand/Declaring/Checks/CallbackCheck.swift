import Callbacks
import Domain
import Settings
import Wiring

/// Checks declared endpoints: their addresses by the rules of sending, their secrets by reading them.
struct CallbackCheck {
    /// What makes an endpoint unusable, in sentences.
    private(set) var problems: [String] = []
    /// What cannot be had in this shell, though the server will need it, in sentences.
    private(set) var absences: [String] = []

    /// Checks the marketplace's endpoint and those of merchants.
    init(_ declaration: Declaration, allowsLoopback: Bool, surroundings: Surroundings) {
        let owners =
            [("marketplace \(declaration.marketplace.id)", declaration.marketplace.callback)]
            + declaration.merchants.map { ("merchant \($0.externalIdentifier)", $0.callback) }
        for case (let owner, let callback?) in owners {
            if let rule = CurlCallbackSender.refusal(of: callback.url, allowsLoopback: allowsLoopback) {
                let hint = allowsLoopback ? "" : Self.hint(callback.url)
                problems.append("\(owner.harmless): callback.url: \(rule)\(hint)")
            }
            guard let reference = callback.secret else { continue }
            do throws(SecretRefusal) {
                guard let problem = SigningSecret.problem(with: try reference.resolve(in: surroundings)) else {
                    continue
                }
                problems.append(
                    "\(owner.harmless): callback.secret: the secret at \(reference) will not do: \(problem)"
                )
            } catch {
                absences.append("\(owner.harmless): callback.secret: \(error) The server will need it.")
            }
        }
    }

    private static func hint(_ url: String) -> String {
        CurlCallbackSender.refusal(of: url, allowsLoopback: true) == nil
            ? "; for development set TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK=true" : ""
    }
}
