import Callbacks
import Gateway
import HTTPAPI
import Settings
import StrictJSON

extension OperatorPorts {
    /// What operators' acts over HTTP need, as the command line has it.
    ///
    /// - Parameters:
    ///   - sender: the way to endpoints.
    ///   - secrets: keeps what callbacks are signed with.
    ///   - allowsLoopback: whether callbacks may go to this machine.
    ///   - references: which references declarations may have.
    ///   - surroundings: where secrets are.
    init(
        _ sender: any CallbackSender,
        _ secrets: SecretStore,
        allowsLoopback: Bool,
        references: AllowedReferences,
        surroundings: Surroundings
    ) {
        self.init(
            test: { endpoint, now in
                let (id, reply) = await TestDelivery(sender, secrets: secrets).send(to: endpoint, at: now)
                return switch reply {
                case .status(let status, _): TestResult(callback: id, status: status, error: nil)
                case .silence(let reason): TestResult(callback: id, status: nil, error: reason)
                case .interrupted: TestResult(callback: id, status: nil, error: "interrupted")
                }
            },
            secrets: secrets.making,
            refusal: sender.refusal,
            declaration: { json, marketplace in
                let refused = references.refusals(in: json, of: marketplace)
                guard refused.isEmpty else { return ReadDeclaration(nil, problems: refused) }
                do throws(InvalidConfiguration) {
                    let declaration = try Declaration.parse(json.text, file: "declaration")
                    let check = DeclarationCheck(
                        declaration,
                        allowsLoopback: allowsLoopback,
                        surroundings: surroundings
                    )
                    return ReadDeclaration(
                        declaration.document,
                        problems: check.problems,
                        warnings: check.absences + check.warnings
                    )
                } catch {
                    return ReadDeclaration(nil, problems: error.problems.map(\.description))
                }
            }
        )
    }
}
