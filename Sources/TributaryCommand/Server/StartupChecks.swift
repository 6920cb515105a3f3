import Domain
import Gateway
import Logging
import SQL
import Settings
import Storage

/// What is logged at the start of what will not work, or is not safe, as it is set up.
struct StartupWarnings {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    /// Warns of what the operating system or the database lets others do, or this process, that it need not.
    ///
    /// - Throws: `SQLError`.
    func warnOfRights(on location: DatabaseLocation, _ database: any Database) async throws {
        for finding in try await RightsCheck(location).findings(database) {
            logger.warning("rights on the database are not as they should be", metadata: ["why": "\(finding.sentence)"])
        }
    }

    /// Warns of PSP accounts that do not work as they are set up, so that a payment need not be the first to find out, and of
    /// marketplaces that take tokens that Apple did not make.
    ///
    /// - Throws: `SQLError`.
    func warnOfAccounts(of gateway: Gateway) async throws {
        let (marketplaces, accounts) = try await gateway.database.read { session in
            let marketplaces = try MarketplaceTable.all(in: session)
            let accounts = try marketplaces.flatMap { marketplace in
                try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace.id)))
            }
            return (marketplaces, accounts)
        }
        for account in accounts {
            do {
                _ = try gateway.directory.adapter(for: account)
            } catch {
                logger.warning(
                    "a PSP account cannot be used as it is set up",
                    metadata: [
                        "marketplace": "\(account.marketplace)", "psp_account": "\(account.id)", "reason": "\(error)",
                    ]
                )
            }
        }
        for marketplace in marketplaces where marketplace.wallets.applePay?.root != nil {
            logger.warning(
                "a marketplace trusts another root than Apple's: for tests only",
                metadata: ["marketplace": "\(marketplace.id)"]
            )
        }
    }
}

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
        logger.info("looking after what was under way", metadata: ["orders": "\(count)"])
    }
}
