import Gateway
import Logging
import Settings

/// Gives back what the previous owner of an embedded database had in hand when it ended.
///
/// A lease keeps two instances from working on one operation at once. An embedded database has one owner, whose lock
/// the system drops only with the process; so whoever holds the lock knows that nobody else has anything in hand, and
/// need not wait until leases run out. From there on everything goes the usual way: what was ever in hand counts as
/// perhaps sent. With PostgreSQL nobody can know that, and leases run out by themselves.
struct LeaseRecovery {
    private let gateway: Gateway
    private let logger: Logger

    init(_ gateway: Gateway, logger: Logger) {
        self.gateway = gateway
        self.logger = logger
    }

    /// Makes everything due that somebody had in hand, endpoints of callbacks too.
    ///
    /// - Throws: `SQLError`.
    func run(on location: DatabaseLocation) async throws {
        guard case .sqlite = location else { return }
        let count = try await gateway.releaseLeases()
        guard count > 0 else { return }
        logger.info("looking after what was under way", metadata: ["operations": "\(count)"])
    }
}
