import Logging
import ServiceLifecycle
import UnixSignals

/// Runs services together until one ends or the process is asked to.
enum Services {
    /// How long requests under way may take once the process was asked to end.
    private static let patience = Duration.seconds(30)

    /// Runs services until one of them returns, or SIGTERM or SIGINT comes; then shuts the others down in the reverse
    /// order, each with time to finish what it has begun.
    ///
    /// - Throws: the error of the service that failed first.
    static func run(_ services: [any Service], logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: $0,
                    successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .cancelGroup
                )
            },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = patience
        try await ServiceGroup(configuration: configuration).run()
    }
}
