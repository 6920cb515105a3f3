import Domain
import Gateway
import Logging
import SQL
import Storage

/// Says at the start which PSP accounts do not work as they are set up, so that a payment need not be the first to
/// find out.
struct AccountNotice {
    private let gateway: Gateway
    private let logger: Logger

    init(_ gateway: Gateway, logger: Logger) {
        self.gateway = gateway
        self.logger = logger
    }

    /// Makes the adapter of every account, and logs those that cannot be made.
    ///
    /// - Throws: `SQLError`.
    func give() async throws {
        let accounts = try await gateway.database.read { session in
            try MarketplaceTable.all(in: session).flatMap { marketplace in
                try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace.id)))
            }
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
    }
}
