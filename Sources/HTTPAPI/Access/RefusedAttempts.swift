import Domain
import Gateway
import HTTPTypes
import Hummingbird
import Logging

/// Attempts that were refused for who made them: each is one line of the log, and counted (PCI DSS 10.2.1.4).
final class RefusedAttempts: Sendable {
    /// Why an attempt was refused.
    enum Reason: String, MetricLabels, CaseIterable {
        /// No valid API key came with it.
        case unauthenticated
        /// The key does not open this.
        case forbidden
        /// A webhook without its PSP's signature, with a wrong one, or with one of another time.
        case webhookSignature = "webhook_signature"

        static let names = ["reason"]

        var values: [String] { [rawValue] }

        /// The reason of a problem; nil for one that is about something else.
        init?(_ problem: Problem) {
            switch problem.code {
            case "webhook_unsigned", "webhook_wrong_signature", "webhook_outside_tolerance": self = .webhookSignature
            default:
                switch problem.status {
                case .unauthorized: self = .unauthenticated
                case .forbidden: self = .forbidden
                default: return nil
                }
            }
        }
    }

    /// The most of a path that stands in the log, in characters.
    private static let pathLimit = 200

    /// How many there were since the process began.
    let counts = CounterFamily<Reason>(
        "tributary_refused_attempts_total",
        "Requests refused for want of a valid key, of a scope, or of a webhook's right signature.",
        startingWith: Reason.allCases
    )

    /// Records a problem if it refuses somebody; never what was shown as a key.
    func record(_ problem: Problem, of request: Request, _ context: APIContext, to logger: Logger) {
        guard let reason = Reason(problem) else { return }
        counts.increment(reason)
        let path = request.uri.path.unicodeScalars.prefix(Self.pathLimit).map { scalar in
            (0x21...0x7E).contains(scalar.value) ? Character(scalar) : "?"
        }
        logger.notice(
            "an attempt was refused",
            metadata: [
                "reason": "\(reason.rawValue)", "code": "\(problem.code)", "status": "\(problem.status.code)",
                "method": "\(request.method.rawValue)", "path": "\(String(path))",
                "key": "\(problem.key?.text ?? "unknown")", "peer": "\(context.peer ?? "unknown")",
                "request_id": "\(context.requestID)",
            ]
        )
    }
}
