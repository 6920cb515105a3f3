import AdapterKit
import Domain
import Logging
import SQL
import Storage
import StrictJSON

/// Has PSPs forget the methods of agreements that ended, or that have another method: each is tried until it is done, and only
/// then is the secret erased.
///
/// Any number of instances may do so from one database: a removal is leased while it is tried, and tried again by whoever is
/// next if that instance ends. Asked twice, a PSP forgets no more than once.
final class MethodRemover: Sendable {
    /// How long a removal is leased beyond the calls that it may take, in milliseconds.
    private static let leaseMarginMilliseconds: Int64 = 30_000
    /// The most calls that one removal takes.
    private static let callLimit = 8
    /// How long to wait after the first failure and at most, in milliseconds; it doubles in between.
    private static let (firstPause, longestPause): (Int64, Int64) = (5000, 6 * 3_600_000)

    private let ports: Gateway.Ports
    private let timeoutMilliseconds: Int64
    private let instance: String
    private let writer: AgreementWriter

    init(_ ports: Gateway.Ports, _ settings: GatewaySettings, instance: String) {
        self.ports = ports
        timeoutMilliseconds = settings.pspTimeoutMilliseconds
        self.instance = instance
        writer = AgreementWriter(presentation: ports.presentation, random: ports.random)
    }

    /// Removes what is due until the task is canceled.
    func run() async { await rounds.run() }

    /// Removes what is due now, as much as there is place for; answers how many were tried.
    func remove() async -> Int { await rounds.round() }

    private var rounds: LeasedRounds<AgreementMethodTable.Entry> {
        LeasedRounds(clock: ports.clock, logger: ports.logger, subject: "methods to be removed") { [self] now, limit in
            // Nothing is written where nothing is due.
            guard try await ports.database.read({ try AgreementMethodTable.isDue(at: now, in: $0) }) else { return [] }
            let lease = timeoutMilliseconds * Int64(Self.callLimit) + Self.leaseMarginMilliseconds
            return try await ports.database.write { [instance] session in
                try AgreementMethodTable.claim(
                    by: instance,
                    at: now,
                    until: now.adding(milliseconds: lease),
                    limit: limit,
                    in: session
                )
            }
        } work: { [self] entry in
            await remove(entry)
        }
    }

    private func remove(_ entry: AgreementMethodTable.Entry) async {
        var (obstacle, isAsked): (String?, Bool) = (nil, false)
        do {
            // A payment that came since may have left the same method once more: it is in use, and stays.
            let twin = try await ports.database.read { [self] session in try twinMethod(of: entry, in: session) }
            if twin == nil {
                isAsked = true
                obstacle = await self.obstacle(to: entry)
            }
            try await ports.database.write { [self, obstacle, isAsked] session in
                let now = ports.clock.now()
                let agreement = try AgreementTable.lock(entry.agreement, of: entry.marketplace, in: session)
                guard let agreement else { return }
                let clock = try TestClockTable.clock(of: entry.marketplace, in: session) ?? .live
                if let row = try AgreementMethodTable.find(entry.id, in: session), row.removeAt == nil {
                    // It was taken into use after the lease had ended.
                    guard isAsked else { return }
                    try writer.apply([.methodGone(entry.id)], to: agreement, by: clock, at: now, in: session)
                    return
                }
                let twin = try twinMethod(of: entry, in: session)
                if let obstacle, twin == nil {
                    let pause = min(Self.longestPause, Self.firstPause << min(entry.failures, 16))
                    try AgreementMethodTable.postpone(
                        entry.id,
                        until: now.adding(milliseconds: pause),
                        because: String(obstacle.prefix(300)),
                        in: session
                    )
                    return
                }
                try AgreementMethodTable.erase([entry.id], in: session)
                // What came while the PSP was asked is gone with it, or may be.
                let gone = (isAsked ? twin : nil).map { AgreementInput.methodGone($0) }
                try writer.apply(
                    [.methodErased(entry.id)] + [gone].compactMap(\.self),
                    to: agreement,
                    by: clock,
                    at: now,
                    in: session
                )
            }
        } catch {
            ports.logger.info(
                "what became of a removal could not be written down; it is tried again",
                metadata: ["agreement": "\(entry.agreement)", "error": "\(error)"]
            )
        }
        if let obstacle {
            ports.logger.warning(
                "a PSP has not forgotten the method of an agreement; it is asked again",
                metadata: ["agreement": "\(entry.agreement)", "reason": "\(obstacle)"]
            )
        }
    }

    /// The method with the same secret that the agreement has in use; nil if there is none.
    private func twinMethod(of entry: AgreementMethodTable.Entry, in session: any Session) throws -> StoredMethodID? {
        // What cannot be opened here is told by who asks the PSP.
        guard entry.kind == .pspToken, let secret = try? open(entry) else { return nil }
        return try AgreementMethodTable.all(of: entry.agreement, in: session).first { other in
            other.removeAt == nil && other.id != entry.id && (try? open(other)) == secret
        }?.id
    }

    private func open(_ entry: AgreementMethodTable.Entry) throws -> [UInt8] {
        try ports.vault.open(entry.sealed, AgreementMethodTable.context(of: entry.id, entry.agreement))
    }

    /// Asks the PSP; answers why the method may not be forgotten yet, and nil if it is.
    private func obstacle(to entry: AgreementMethodTable.Entry) async -> String? {
        let adapter: any PaymentAdapter
        let removal: MethodRemoval
        do {
            guard case .pspToken(let token, let customer)? = Credential(try JSON.parse(try open(entry))) else {
                return nil
            }
            adapter = try await ports.directory.adapter(for: entry.pspAccount, of: entry.marketplace)
            removal = MethodRemoval(
                agreement: entry.agreement,
                token: token,
                customer: customer,
                merchantAccount: entry.merchantAccount
            )
        } catch {
            return "the PSP account or the method cannot be used here (\(type(of: error)))"
        }
        switch await outcome(of: removal, entry, adapter) {
        case .succeeded: return nil
        case .rejected(let rejection) where [.notFound, .unsupported].contains(rejection.reason): return nil
        case .rejected(let rejection): return "the PSP refused it: \(rejection.code)"
        case .declined(let decline): return "the PSP declined it: \(decline.code)"
        case .pending, .actionRequired: return "the PSP works on it"
        case .notSent(let reason), .unknown(let reason): return reason
        }
    }

    private func outcome(
        of removal: MethodRemoval,
        _ entry: AgreementMethodTable.Entry,
        _ adapter: any PaymentAdapter
    ) async -> Outcome {
        var exchanges: [Exchange] = []
        for _ in 0..<Self.callLimit {
            switch adapter.next(forRemoval: removal, after: exchanges) {
            case .outcome(let outcome): return outcome
            case .send(let request):
                let terms = SendTerms(
                    account: "\(entry.marketplace)/\(entry.pspAccount)",
                    freshConnection: false,
                    timeoutMilliseconds: timeoutMilliseconds
                )
                switch await ports.sender.send(request, terms) {
                case .reply(let reply): exchanges.append(Exchange(reply: reply))
                case .failure(let reason, _), .held(let reason): return .unknown(reason: reason)
                }
            }
        }
        return .unknown(reason: "the PSP needs more than \(Self.callLimit) calls")
    }
}
