import Domain
import Logging
import SQL
import Storage
import WalletOrders

/// Looks every minute whether orders can be signed, and for how long still: so that somebody is told before a buyer asks, and
/// what was mended ends by itself.
struct WalletWatch: Sendable {
    private static let pauseMilliseconds: Int64 = 60_000

    let database: any Database
    let clock: any GatewayClock
    let service: WalletOrderService
    let logger: Logger

    private var attention: WalletAttention { service.attention }

    /// Looks at once, and again and again until the task is canceled.
    func run() async {
        while !Task.isCancelled {
            await look()
            guard (try? await clock.sleep(until: clock.now().adding(milliseconds: Self.pauseMilliseconds))) != nil
            else {
                return
            }
        }
    }

    /// Looks at every marketplace once.
    func look() async {
        do {
            let (marketplaces, problems) = try await database.read { session in
                (try MarketplaceTable.all(in: session), try WalletProblemTable.all(in: session))
            }
            for marketplace in marketplaces {
                await look(at: marketplace, problems.filter { $0.marketplace == marketplace.id })
            }
        } catch {
            if !(error is CancellationError) {
                logger.info("orders in Wallet are looked at again in a minute", metadata: ["error": "\(error)"])
            }
        }
    }

    private func look(at marketplace: MarketplaceTable.Marketplace, _ problems: [WalletProblem]) async {
        var standing: Set<WalletProblem.Kind> = []
        if marketplace.wallets.orders != nil {
            do throws(UnusableWallet) {
                let (access, identity) = try service.builder.signers.identity(of: marketplace, at: clock.now())
                let findings = identity.signer.findings(orderTypeIdentifier: access.type, at: clock.now())
                if let finding = findings.first {
                    standing.insert(.expiring)
                    let sentence = "wallet_orders: \(access.identity.certificate): \(finding)"
                    await attention.raise(.expiring, sentence, of: marketplace.id)
                }
            } catch {
                standing.insert(.unsigned)
                await attention.raise(.unsigned, error.description, of: marketplace.id)
            }
        }
        for problem in problems where problem.kind.isAboutOrders && !standing.contains(problem.kind) {
            let isMended = marketplace.wallets.orders == nil ? true : (try? await isOver(problem)) ?? false
            if isMended { await attention.end(problem) }
        }
    }

    /// Whether what was wrong is mended, where it is not seen by looking at the certificate.
    private func isOver(_ problem: WalletProblem) async throws -> Bool {
        switch problem.kind {
        case .unsigned, .expiring: return true
        case .tokenNotices: return false
        case .package:
            guard let subject = problem.subject else { return true }
            return try await service.canBeMade(subject)
        case .push:
            let last = try await database.read { session in
                try WalletDeviceTable.lastPushed(of: problem.marketplace, in: session)
            }
            return last.map { $0 > problem.seenAt } ?? false
        }
    }
}
