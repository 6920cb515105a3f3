import Logging
import Storage

/// Says in the log how a round went: endpoint, callback and reason, never a body or a secret.
struct RoundLog {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    func tell(_ result: RoundResult, of claim: CallbackQueue.Claim, isOurs: Bool) {
        let endpoint = "\(claim.endpoint.id)"
        for report in result.reports {
            let metadata: Logger.Metadata = [
                "endpoint": "\(endpoint)", "callback": "\(report.callback)", "reason": "\(report.error ?? "-")",
            ]
            switch report.outcome {
            case .delivered: logger.debug("a callback was delivered", metadata: metadata)
            case .again: logger.notice("a callback was not taken", metadata: metadata)
            case .dead: logger.warning("a callback was given up", metadata: metadata)
            case .untouched: logger.notice("a callback is not wanted", metadata: metadata)
            }
        }
        if result.reports.isEmpty, let error = result.health.lastError, result.health.failures > 0 {
            logger.warning(
                "nothing can be sent to an endpoint",
                metadata: ["endpoint": "\(endpoint)", "reason": "\(error)"]
            )
        }
        if result.isGone { logger.warning("an endpoint was disabled", metadata: ["endpoint": "\(endpoint)"]) }
        if !isOurs {
            logger.warning(
                "a round outlived its claim; its endpoint is served anew",
                metadata: ["endpoint": "\(endpoint)"]
            )
        }
    }
}
