import AdapterKit
import Domain
import Logging
import SQL
import Storage
import Synchronization

/// Pushes devices whose orders have changed, at least once for each change, and at most once a second.
///
/// A push names no order and has nothing in it: the device asks what changed. What is owed was written down in the transaction
/// that changed the order, and stays so until Apple has taken a push, so that it survives whoever sends it; sent twice, a push
/// does no harm. Any number of instances may push from one database: a device is leased while it is pushed.
final class WalletPusher: Sendable {
    /// Apple's address for production, which devices of developers are pushed at too.
    static let address = "https://api.push.apple.com"

    /// How many devices are pushed at once.
    private static let placeLimit = 16
    /// How often to look whether something is due, without being woken, in milliseconds.
    private static let pollMilliseconds: Int64 = 1000
    /// How long one call may take, and for how long a device is leased for it.
    private static let (callMilliseconds, leaseMilliseconds): (Int64, Int64) = (10_000, 30_000)

    private let database: any Database
    private let clock: any GatewayClock
    private let ports: WalletPorts
    private let signers: WalletSigners
    private let attention: WalletAttention
    private let instance: String
    private let logger: Logger
    private let claims = Atomic<UInt64>(0)
    private let (wakeUps, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(
        database: any Database,
        clock: any GatewayClock,
        ports: WalletPorts,
        signers: WalletSigners,
        attention: WalletAttention,
        instance: String,
        logger: Logger
    ) {
        self.database = database
        self.clock = clock
        self.ports = ports
        self.signers = signers
        self.attention = attention
        self.instance = instance
        self.logger = logger
    }

    /// Tells it that pushes were just written down; never blocks.
    func wake() { signal.yield() }

    /// Pushes what is due until the task is canceled.
    func run() async {
        let ticker = Task { [signal] in
            while !Task.isCancelled {
                signal.yield()
                try? await Task.sleep(for: .milliseconds(Self.pollMilliseconds))
            }
        }
        defer { ticker.cancel() }
        for await _ in wakeUps {
            guard !Task.isCancelled else { return }
            // What was owed a moment ago may be due a second later, which is for the next look.
            while await push(), !Task.isCancelled {}
        }
    }

    /// Pushes devices that are due now, as many as there are places for; answers whether more may be due that can be taken in hand.
    private func push() async -> Bool {
        let now = clock.now()
        do {
            let due = try await database.read { session in
                try WalletPushQueue.due(at: now, limit: Self.placeLimit, in: session)
            }
            let isAnyTaken = await withTaskGroup { group in
                for device in due { group.addTask { await self.push(device) } }
                return await group.reduce(false) { $0 || $1 }
            }
            return isAnyTaken && due.count == Self.placeLimit
        } catch {
            if !(error is CancellationError) {
                logger.info("devices are looked for again in a second", metadata: ["error": "\(error)"])
            }
            return false
        }
    }

    /// Pushes one device; answers whether it was taken in hand.
    private func push(_ due: WalletPushQueue.Due) async -> Bool {
        let number = claims.add(1, ordering: .relaxed).newValue
        let now = clock.now()
        var isClaimed = false
        do {
            let claimed = try await database.write { [instance] session in
                let until = now.adding(milliseconds: Self.leaseMilliseconds)
                return try WalletPushQueue.claim(due, as: "\(instance)/\(number)", at: now, until: until, in: session)
                    .map { claim in
                        let rows = try session.rows(MarketplaceTable.named(claim.marketplace))
                        return (claim, try MarketplaceTable.read(rows).first)
                    }
            }
            guard let (claim, marketplace) = claimed else { return false }
            isClaimed = true
            let verdict = await verdict(on: claim, marketplace)
            if let problem = verdict.problem {
                await attention.raise(verdict.kind, problem, of: claim.marketplace)
            } else if verdict.isTaken {
                await attention.end(.push, of: claim.marketplace)
            }
            // Written down even if this side ends meanwhile, so that nobody waits for the lease.
            let (database, clock) = (database, clock)
            _ = try await Task {
                let end = clock.now()
                return try await database.write { session in
                    try WalletPushQueue.finish(claim, verdict.outcome, at: end, in: session)
                }
            }.value
        } catch {
            logger.info("a device is pushed again once its lease is over", metadata: ["error": "\(error)"])
        }
        return isClaimed
    }

    private func verdict(
        on claim: WalletPushQueue.Claim,
        _ marketplace: MarketplaceTable.Marketplace?
    ) async -> WalletPushVerdict {
        let now = clock.now()
        do throws(UnusableWallet) {
            guard let marketplace else { throw UnusableWallet("wallet_orders: there is no such marketplace") }
            let (access, identity) = try signers.identity(of: marketplace, at: now)
            guard access.type == claim.type else {
                let reason = "wallet_orders: the order type \(claim.type) is not declared any more"
                return WalletPushVerdict(unusable: reason, forAll: false, at: now)
            }
            let request = WireRequest(
                .post,
                "\(access.pushURL ?? Self.address)/3/device/\(claim.pushToken)",
                headers: [
                    Header("apns-topic", claim.type), Header("apns-push-type", "background"),
                    Header("apns-priority", "5"), Header("Content-Type", "application/json"),
                ],
                body: Array("{}".utf8),
                canMoveMoney: false
            )
            let result = await ports.askApple(request, identity.pushIdentity, Self.callMilliseconds)
            return WalletPushVerdict(result, after: claim.failures, at: clock.now())
        } catch {
            return WalletPushVerdict(unusable: error.description, forAll: true, at: now)
        }
    }
}
