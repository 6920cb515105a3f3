import AdapterKit
import Domain
import Logging
import SQL
import Storage

/// Has Apple unlink the merchant tokens of agreements that are over, or that are paid otherwise now: each is tried until it is
/// done.
///
/// Any number of instances may do so from one database, as with ``MethodRemover``. A token that another agreement is paid with
/// stays. Apple gives nothing back to the buyer for it.
final class MerchantTokenUnlinker: Sendable {
    /// How long a token is leased, in milliseconds.
    private static let leaseMilliseconds = MerchantTokenService.callMilliseconds + 30_000
    /// How long to wait after the first failure and at most, in milliseconds; it doubles in between.
    private static let (firstPause, longestPause): (Int64, Int64) = (5000, 6 * 3_600_000)

    private let ports: Gateway.Ports
    private let service: MerchantTokenService
    private let writer: AgreementWriter
    private let instance: String

    init(_ ports: Gateway.Ports, instance: String) {
        self.ports = ports
        self.instance = instance
        service = MerchantTokenService(ports: ports.wallets, random: ports.random)
        writer = AgreementWriter(presentation: ports.presentation, random: ports.random)
    }

    /// Unlinks what is due until the task is canceled.
    func run() async { await rounds.run() }

    /// Unlinks what is due now, as much as there is place for; answers how many were tried.
    func unlink() async -> Int { await rounds.round() }

    private var rounds: LeasedRounds<MerchantTokenTable.Entry> {
        LeasedRounds(
            clock: ports.clock,
            logger: ports.logger,
            subject: "merchant tokens to unlink"
        ) { [self] now, limit in
            // Nothing is written where nothing is due.
            guard try await ports.database.read({ try MerchantTokenTable.isDue(at: now, in: $0) }) else { return [] }
            let until = now.adding(milliseconds: Self.leaseMilliseconds)
            return try await ports.database.write { [instance] session in
                try MerchantTokenTable.claim(by: instance, at: now, until: until, limit: limit, in: session)
            }
        } work: { [self] entry in
            await unlink(entry)
        }
    }

    private func unlink(_ entry: MerchantTokenTable.Entry) async {
        do {
            let obstacle = try await obstacle(to: entry)
            try await ports.database.write { [self] session in
                let now = ports.clock.now()
                if let obstacle {
                    let pause = min(Self.longestPause, Self.firstPause << min(entry.failures, 16))
                    try MerchantTokenTable.postpone(
                        entry,
                        until: now.adding(milliseconds: pause),
                        because: String(obstacle.prefix(300)),
                        in: session
                    )
                    return
                }
                guard
                    let agreement = try AgreementTable.lock(entry.agreement, of: entry.marketplace, in: session)
                else { return }
                try MerchantTokenTable.finish(entry, in: session)
                try writer.apply(
                    [.tokenForgotten(entry.identifier)],
                    to: agreement,
                    by: try TestClockTable.clock(of: entry.marketplace, in: session) ?? .live,
                    at: now,
                    in: session
                )
            }
            guard let obstacle else { return }
            ports.logger.warning(
                "Apple has not unlinked the merchant token of an agreement; it is asked again",
                metadata: ["agreement": "\(entry.agreement)", "reason": "\(obstacle)"]
            )
        } catch {
            ports.logger.info(
                "a merchant token is unlinked once its lease is over",
                metadata: ["agreement": "\(entry.agreement)", "error": "\(error)"]
            )
        }
    }

    /// Asks Apple; answers why the token is not unlinked yet, and nil if there is nothing left to do.
    private func obstacle(to entry: MerchantTokenTable.Entry) async throws -> String? {
        let (isShared, access) = try await ports.database.read { session in
            (
                try MerchantTokenTable.isShared(entry, in: session),
                try MerchantTokenService.Access(to: entry.merchant, of: entry.marketplace, in: session)
            )
        }
        guard !isShared else { return nil }
        guard let access else {
            note(entry, "the marketplace declares nothing that Apple would take it from")
            return nil
        }
        switch await service.unlink(entry.identifier, access) {
        case .failure(let reason, _), .held(let reason): return reason
        case .reply(let reply) where (200...299).contains(reply.status): return nil
        case .reply(let reply) where reply.status == 400:
            note(entry, "Apple knows no such token of the merchant")
            return nil
        case .reply(let reply): return "Apple answers \(reply.status)"
        }
    }

    /// Tells of a token that stays as it is at Apple for good.
    private func note(_ entry: MerchantTokenTable.Entry, _ reason: String) {
        ports.logger.warning(
            "the merchant token of an agreement is not unlinked at Apple",
            metadata: ["agreement": "\(entry.agreement)", "reason": "\(reason)"]
        )
    }
}
