package import Domain
package import Gateway
import Hummingbird
import Logging
package import Storage
package import StrictJSON

/// What operators' acts need of the outside: the way to endpoints, secrets, and the reader of declarations.
package struct OperatorPorts: Sendable {
    /// What came of a test of an endpoint.
    package struct TestResult: Hashable, Sendable {
        /// The identifier that it was sent under.
        package let callback: CallbackID
        /// The status that the endpoint answered; nil if it did not.
        package let status: Int?
        /// Why it did not, in words.
        package let error: String?

        /// Says what came of it.
        package init(callback: CallbackID, status: Int?, error: String?) {
            self.callback = callback
            self.status = status
            self.error = error
        }
    }

    /// A declaration as it was read, and what there is to say about it.
    package struct ReadDeclaration: Sendable {
        /// What is declared; nil if it cannot be read.
        package let document: MarketplaceDocument?
        /// What makes it unusable, in sentences.
        package let problems: [String]
        /// What may be amiss, in sentences.
        package let warnings: [String]

        /// Says what was read.
        package init(_ document: MarketplaceDocument?, problems: [String] = [], warnings: [String] = []) {
            self.document = document
            self.problems = problems
            self.warnings = warnings
        }
    }

    /// Sends an endpoint `endpoint.test` once; nothing is stored.
    package var test: @Sendable (_ endpoint: CallbackEndpoint, _ now: Timestamp) async -> TestResult
    /// Makes a signing secret for an endpoint, and seals it as it is kept.
    package var secrets: SecretMaking
    /// Why nothing may be sent to an address, in words; nil if it may.
    package var refusal: @Sendable (_ url: String) -> String?
    /// Reads a declaration for a marketplace and loads what it refers to.
    package var declaration: @Sendable (_ json: JSON, _ marketplace: String) -> ReadDeclaration

    /// Gathers the ports.
    package init(
        test: @escaping @Sendable (CallbackEndpoint, Timestamp) async -> TestResult,
        secrets: @escaping SecretMaking,
        refusal: @escaping @Sendable (String) -> String?,
        declaration: @escaping @Sendable (JSON, String) -> ReadDeclaration
    ) {
        self.test = test
        self.secrets = secrets
        self.refusal = refusal
        self.declaration = declaration
    }

    /// A server without a way out: it tests nothing, makes no secrets and reads no declarations.
    package static let none = OperatorPorts(
        test: { _, now in
            var ids = IdentifierSource()
            return TestResult(callback: ids.make(at: now), status: nil, error: "nothing can be sent from here")
        },
        secrets: { _ in throw DirectoryRefusal.noSealingKey },
        refusal: { _ in "nothing can be sent from here" },
        declaration: { _, _ in ReadDeclaration(nil, problems: ["no declaration can be read here"]) }
    )
}

/// Writes down who did what by hand where no use case does: one line of the log each.
struct ActLog: Sendable {
    let logger: Logger

    /// Notes an act that was done, by the word that the audit trail has for it.
    func note(_ act: AuditAct, _ subject: String, by principal: Principal) {
        logger.notice(
            "an operator acted",
            metadata: [
                "act": "\(act.rawValue)", "subject": "\(subject)", "key": "\(principal.key)",
                "peer": "\(principal.peer ?? "unknown")", "request_id": "\(principal.requestID)",
            ]
        )
    }
}
