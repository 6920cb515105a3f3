import CProcess
import Foundation
import HTTPAPI
import HTTPTransport
import Logging
import Settings
import Wiring

/// The descriptors that a serving process may have, and the settings as far as they reach.
struct Descriptors {
    /// More than any instance needs.
    private static let mostDescriptors = 65_536

    /// Who gets how many.
    let budget: DescriptorBudget

    /// Raises the process's limit as far as it may, and divides what there is.
    init(for settings: ServerSettings, logger: Logger) {
        let limit = cprocess_raise_descriptor_limit(Self.mostDescriptors)
        let isEmbedded = if case .sqlite = settings.database { true } else { false }
        let processors = ProcessInfo.processInfo.activeProcessorCount
        budget = DescriptorBudget(
            limit,
            for: DescriptorBudget.Wishes(
                incoming: ConnectionLimits(connections: settings.limits.maxConnections).openConnections,
                psp: settings.psp.connections,
                callbacks: CurlCallbackSender.transportLimits.requestsInTotal,
                // One more listens for steps that others take.
                database: isEmbedded ? 0 : settings.databaseConnections(processors: processors) + 1
            ),
            processors: processors
        )
        guard budget.isShort else { return }
        logger.warning(
            "the process may have too few descriptors for its settings; raise the limit (ulimit -n)",
            metadata: [
                "descriptors": "\(limit)", "connections": "\(budget.incoming)", "psp_connections": "\(budget.psp)",
                "callback_connections": "\(budget.callbacks)",
            ]
        )
    }

    /// The settings with no more connections from outside and to PSPs than there are descriptors for.
    func fitted(_ settings: ServerSettings) -> ServerSettings {
        var fitted = settings
        fitted.limits.maxConnections = min(
            settings.limits.maxConnections,
            ConnectionLimits.connections(within: budget.incoming)
        )
        fitted.psp.connections = budget.psp
        fitted.psp.connectionsPerHost = min(settings.psp.connectionsPerHost, budget.psp)
        fitted.psp.connectionsPerAccount = min(settings.psp.connectionsPerAccount, max(1, budget.psp / 2))
        return fitted
    }
}
