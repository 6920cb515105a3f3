import AdapterKit
import Domain
import Logging
import SQL
import Storage
import StrictJSON
import Synchronization
import WalletTokens

/// Fetches announced events of merchant tokens from Apple, and tells the agreements with the token.
///
/// Any number of instances may do so from one database: an event is leased while it is fetched, and told to every agreement in
/// one transaction that settles it, too; so that whoever dies in between leaves nothing half told, and what is fetched twice is
/// told once. Apple keeps an event for seven days.
final class MerchantTokenPuller: Sendable {
    /// How long Apple keeps an event, in milliseconds.
    static let lifeMilliseconds: Int64 = 7 * 86_400_000
    /// How long after its announcement an event is fetched again whose token no agreement has, in milliseconds: the order that
    /// brings the token may still be on its way.
    static let unrelatedMilliseconds: Int64 = 3_600_000
    /// How long an event is leased, in milliseconds.
    private static let leaseMilliseconds = MerchantTokenService.callMilliseconds + 30_000
    /// How long to wait after the first failure and at most, in milliseconds; it doubles in between.
    private static let (firstPause, longestPause): (Int64, Int64) = (5000, 3_600_000)
    /// The same for an event whose token no agreement has.
    private static let firstUnrelatedPause: Int64 = 60_000

    private let ports: Gateway.Ports
    private let service: MerchantTokenService
    private let catalog: WalletCatalog
    private let writer: AgreementWriter
    private let instance: String
    private let claims = Atomic<UInt64>(0)

    init(_ ports: Gateway.Ports, instance: String) {
        self.ports = ports
        self.instance = instance
        service = MerchantTokenService(ports: ports.wallets, random: ports.random)
        catalog = WalletCatalog(ports.wallets, clock: ports.clock)
        writer = AgreementWriter(presentation: ports.presentation, random: ports.random)
    }

    /// Fetches what is due until the task is canceled.
    func run() async { await rounds.run() }

    /// Fetches what is due now, as much as there is place for; answers how many were tried.
    func pull() async -> Int { await rounds.round() }

    private var rounds: LeasedRounds<MerchantTokenNotice> {
        LeasedRounds(
            clock: ports.clock,
            logger: ports.logger,
            subject: "events of merchant tokens"
        ) { [self] now, limit in
            // Nothing is written where nothing is due.
            guard try await ports.database.read({ try MerchantTokenNoticeTable.isDue(at: now, in: $0) }) else {
                return []
            }
            let until = now.adding(milliseconds: Self.leaseMilliseconds)
            let holder = "\(instance)/\(claims.add(1, ordering: .relaxed).newValue)"
            return try await ports.database.write { session in
                try MerchantTokenNoticeTable.claim(as: holder, at: now, until: until, limit: limit, in: session)
            }
        } work: { [self] notice in
            await pull(notice)
        }
    }

    /// What was fetched of an event.
    private enum Fetched: Sendable {
        case event(MerchantTokenEvent, MerchantTokenMetadata?)
        case refused
        case failed(String)
    }

    private func pull(_ notice: MerchantTokenNotice) async {
        do {
            guard !isOver(notice) else { return try await giveUp(notice) }
            switch try await fetch(notice) {
            case .event(let event, let number): try await tell(event, number, of: notice)
            case .refused: try await settle(notice, .refused)
            case .failed(let reason): try await postpone(notice, because: reason)
            }
        } catch {
            ports.logger.info(
                "an event of a merchant token is fetched again once its lease is over",
                metadata: ["event": "\(notice.event)", "error": "\(error)"]
            )
        }
    }

    private func isOver(_ notice: MerchantTokenNotice) -> Bool {
        ports.clock.now() >= notice.announcedAt.adding(milliseconds: Self.lifeMilliseconds)
    }

    private func fetch(_ notice: MerchantTokenNotice) async throws -> Fetched {
        let access = try await ports.database.read { session in
            try MerchantTokenService.Access(to: notice.merchant, of: notice.marketplace, in: session)
        }
        guard let access else { return .failed("the marketplace declares no apple_pay.merchant_identity") }
        switch MerchantTokenVerdict(await service.event(notice.event, access)) {
        case .event(let event):
            do {
                return .event(event, try await number(told: event, of: notice))
            } catch let unusable as UnusableWallet {
                // What is wrong here is mended here, and the event is read again then.
                return .failed(unusable.description)
            }
        case .refused: return .refused
        case .again(let reason): return .failed(reason)
        }
    }

    /// What is told of the number, opened; nil where nothing is told of it, or nothing that can be believed.
    ///
    /// - Throws: ``UnusableWallet`` if what opens it cannot be read now, or `SQLError`.
    private func number(
        told event: MerchantTokenEvent,
        of notice: MerchantTokenNotice
    ) async throws -> MerchantTokenMetadata? {
        guard event.kind == .updatedMetadata, let encrypted = event.encrypted else { return nil }
        let tenants = try await ports.database.read { session in
            try MarketplaceTable.read(session.rows(MarketplaceTable.named(notice.marketplace)))
        }
        // Before, since keys that are declared and cannot be read now are no word of the number's.
        let openers = try tenants.first.map(catalog.openers)
        do {
            guard let opener = openers?.apple else {
                throw UnusableWallet("the marketplace declares no apple_pay.processing_certificates")
            }
            return try opener.openTokenMetadata(encrypted, at: ports.clock.now())
        } catch {
            ports.logger.warning(
                "what Apple tells of a merchant token's number cannot be opened, and is left",
                metadata: [
                    "marketplace": "\(notice.marketplace)", "event": "\(notice.event)", "reason": "\(error)",
                ]
            )
            return nil
        }
    }

    // MARK: What became of it

    /// Tells the agreements with the token, and settles the event in the same transaction.
    private func tell(
        _ event: MerchantTokenEvent,
        _ number: MerchantTokenMetadata?,
        of notice: MerchantTokenNotice
    ) async throws {
        let state = try await ports.database.write { [self] session -> MerchantTokenNotice.State? in
            // What is told carries a moment of the transaction that writes it.
            let now = ports.clock.now()
            let isLate = now >= notice.announcedAt.adding(milliseconds: Self.unrelatedMilliseconds)
            let agreements = try MerchantTokenTable.agreements(
                with: event.token,
                of: notice.marketplace,
                in: session
            )
            if try !isGivenUpTold(of: notice.marketplace, in: session) {
                try WalletProblemTable.end(.tokenNotices, of: notice.marketplace, in: session)
            }
            guard !agreements.isEmpty || isLate else {
                let pause = Self.pause(notice.failures, from: Self.firstUnrelatedPause)
                let isOurs = try MerchantTokenNoticeTable.postpone(
                    notice,
                    until: now.adding(milliseconds: pause),
                    because: "no agreement has the token",
                    in: session
                )
                return isOurs ? .announced : nil
            }
            let state: MerchantTokenNotice.State =
                agreements.isEmpty ? .unrelated : event.changesNothing ? .ignored : .applied
            // First, so that who has lost the event tells nobody.
            guard try MerchantTokenNoticeTable.settle(notice, state, type: event.type, at: now, in: session) else {
                return nil
            }
            for id in agreements {
                try tell(event, number, by: notice.announcement, to: id, of: notice.marketplace, at: now, in: session)
            }
            return state
        }
        note(state, of: notice)
    }

    private func tell(
        _ event: MerchantTokenEvent,
        _ number: MerchantTokenMetadata?,
        by announcement: TokenAnnouncement,
        to id: AgreementID,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws {
        guard let agreement = try AgreementTable.lock(id, of: marketplace, in: session) else { return }
        var inputs = event.inputs(by: announcement)
        if let number, agreement.isNews(announcement, aboutNumberOf: event.token) {
            for method in [agreement.method, agreement.candidate].compactMap(\.self) where method.kind == .networkToken
            {
                try keep(number, as: method.id, of: id, in: session)
            }
            inputs.append(.tokenRenumbered(event.token, name: number.identifier, toldBy: announcement))
        }
        try writer.apply(
            inputs,
            to: agreement,
            by: try TestClockTable.clock(of: marketplace, in: session) ?? .live,
            at: now,
            in: session
        )
    }

    /// Has charges made with another number from now on.
    private func keep(
        _ number: MerchantTokenMetadata,
        as id: StoredMethodID,
        of agreement: AgreementID,
        in session: any Session
    ) throws {
        let token = StoredNetworkToken(
            number: number.number,
            expiryMonth: number.expiration.month,
            expiryYear: number.expiration.year,
            source: .applePay
        )
        let context = AgreementMethodTable.context(of: id, agreement)
        let sealed = try ports.vault.seal(Credential.storedNetworkToken(token).json.bytes, context)
        try AgreementMethodTable.replace(id, with: sealed, in: session)
    }

    private func settle(_ notice: MerchantTokenNotice, _ state: MerchantTokenNotice.State) async throws {
        let isOurs = try await ports.database.write { [now = ports.clock.now()] session in
            try MerchantTokenNoticeTable.settle(notice, state, at: now, in: session)
        }
        note(isOurs ? state : nil, of: notice)
    }

    private func giveUp(_ notice: MerchantTokenNotice) async throws {
        let isOurs = try await ports.database.write { [now = ports.clock.now()] session in
            guard try MerchantTokenNoticeTable.settle(notice, .givenUp, at: now, in: session) else { return false }
            let finding = "the event \(notice.event) could not be fetched within seven days: \(notice.failure ?? "")"
            try WalletProblemTable.save(Self.problem(finding, notice, at: now, about: notice.event), in: session)
            return true
        }
        note(isOurs ? .givenUp : nil, of: notice)
    }

    /// Whether a person is told of an event that was given up, which goes on for as long as that is stored.
    private func isGivenUpTold(of marketplace: String, in session: any Session) throws(SQLError) -> Bool {
        let problem = try WalletProblemTable.all(of: marketplace, in: session).first { $0.kind == .tokenNotices }
        guard let event = problem?.subject else { return false }
        return try MerchantTokenNoticeTable.hasGivenUp(event, of: marketplace, in: session)
    }

    private func postpone(_ notice: MerchantTokenNotice, because reason: String) async throws {
        let reason = String(reason.prefix(300))
        let isOurs = try await ports.database.write { [self, now = ports.clock.now()] session in
            let isOurs = try MerchantTokenNoticeTable.postpone(
                notice,
                until: now.adding(milliseconds: Self.pause(notice.failures, from: Self.firstPause)),
                because: reason,
                in: session
            )
            // One bad moment of Apple's is nobody's business.
            if isOurs, notice.failures >= 3, try !isGivenUpTold(of: notice.marketplace, in: session) {
                try WalletProblemTable.save(Self.problem(reason, notice, at: now), in: session)
            }
            return isOurs
        }
        guard isOurs else { return note(nil, of: notice) }
        ports.metrics.merchantTokenNotices.increment(.failed)
        ports.logger.warning(
            "an event of a merchant token could not be fetched; it is fetched again",
            metadata: [
                "marketplace": "\(notice.marketplace)", "event": "\(notice.event)", "reason": "\(reason)",
            ]
        )
    }

    private static func problem(
        _ finding: String,
        _ notice: MerchantTokenNotice,
        at now: Timestamp,
        about event: String? = nil
    ) -> WalletProblem {
        WalletProblem(
            marketplace: notice.marketplace,
            kind: .tokenNotices,
            subject: event,
            since: now,
            seenAt: now,
            finding: finding
        )
    }

    private static func pause(_ failures: Int64, from first: Int64) -> Int64 {
        min(longestPause, first << min(failures, 16))
    }

    /// Counts what became of an event, and tells it; nothing if somebody else has it in hand.
    private func note(_ state: MerchantTokenNotice.State?, of notice: MerchantTokenNotice) {
        guard let state, let outcome = NoticeLabels(state) else { return }
        ports.metrics.merchantTokenNotices.increment(outcome)
        ports.logger.log(
            level: state == .givenUp ? .error : state == .refused ? .notice : .info,
            "an event of a merchant token is settled",
            metadata: [
                "marketplace": "\(notice.marketplace)", "merchant": "\(notice.merchant)", "event": "\(notice.event)",
                "outcome": "\(outcome.rawValue)",
            ]
        )
    }
}

extension MerchantTokenEvent {
    /// Whether it tells nothing that an agreement has.
    fileprivate var changesNothing: Bool {
        switch kind {
        case .unlinked: false
        case .updatedMetadata: card == nil && encrypted == nil
        case .updatedCardArt, .updatedPublicKey, nil: true
        }
    }
}

extension NoticeLabels {
    fileprivate init?(_ state: MerchantTokenNotice.State) {
        switch state {
        case .announced: return nil
        case .applied: self = .applied
        case .ignored: self = .ignored
        case .unrelated: self = .unrelated
        case .refused: self = .refused
        case .givenUp: self = .givenUp
        }
    }
}
