package import Domain
import Logging
import SQL
import Storage

/// Takes announcements of events of merchant tokens.
///
/// Anybody may make one, because Apple's calls show nothing that proves them. So nothing is believed: an event's name is written
/// down, each once and a bounded number of them, and what the event says is fetched from Apple, which is asked with the
/// merchant's certificate.
package struct MerchantTokenInbox: Sendable {
    /// How many events of one merchant may wait to be fetched.
    package static let waitingLimit = 1000

    /// What became of an announcement.
    package enum Receipt: Hashable, Sendable {
        /// It is written down.
        case stored
        /// It was written down before.
        case known
        /// There is no such merchant, or its marketplace declares nothing to fetch an event with.
        case ignored
    }

    private let database: any Database
    private let clock: any GatewayClock
    private let logger: Logger

    init(_ ports: Gateway.Ports) {
        database = ports.database
        clock = ports.clock
        logger = ports.logger
    }

    /// Takes an announcement.
    ///
    /// - Parameters:
    ///   - event: Apple's name of the event; at most 128 letters, digits, dots, dashes and underscores.
    ///   - merchant: the merchant that the address names.
    /// - Returns: what became of it.
    /// - Throws: `Overload` if too many of the merchant's wait, or `SQLError`; then Apple may announce it again.
    package func take(_ event: String, to merchant: MerchantID) async throws -> Receipt {
        // Nothing is written for a merchant that is not there.
        let found = try await database.read { session -> (marketplace: String, isKnown: Bool, waiting: Int)? in
            guard let marketplace = try MerchantTable.marketplace(of: merchant, in: session),
                try MerchantTokenService.Access(to: merchant, of: marketplace, in: session) != nil
            else { return nil }
            let known = try MerchantTokenNoticeTable.find(event, to: merchant, in: session)
            let waiting = try MerchantTokenNoticeTable.countWaiting(
                of: merchant,
                limit: Self.waitingLimit,
                in: session
            )
            return (marketplace, known != nil, waiting)
        }
        guard let found else {
            logger.info("an event of a merchant token is ignored", metadata: ["merchant": "\(merchant)"])
            return .ignored
        }
        guard !found.isKnown else { return .known }
        guard found.waiting < Self.waitingLimit else {
            logger.warning("too many events of merchant tokens wait", metadata: ["merchant": "\(merchant)"])
            throw Overload(retryMilliseconds: 30_000)
        }
        let isNew = try await database.write { [now = clock.now()] session in
            try MerchantTokenNoticeTable.insert(event, to: merchant, of: found.marketplace, at: now, in: session)
        }
        return isNew ? .stored : .known
    }
}
