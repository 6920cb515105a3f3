import AdapterKit
import Domain
import Logging
import SQL
import Storage

/// Asks PSPs what they stored of first payments whose success no reply told with a method: a webhook or an inquiry did, or
/// the reply was lost.
///
/// It asks until the PSP knows; any number of instances may do so from one database. Asked twice, nothing is stored twice.
final class MethodFinder: Sendable {
    /// How long a question is leased beyond what one call may take, in milliseconds.
    private static let leaseMarginMilliseconds: Int64 = 30_000
    /// How many times a PSP has to say that it stored nothing: what it says of a payment may be ahead of what it stores.
    private static let certainty: Int64 = 3

    private let ports: Gateway.Ports
    private let runner: OperationRunner
    private let steps: AgreementSteps

    init(_ ports: Gateway.Ports, _ runner: OperationRunner) {
        self.ports = ports
        self.runner = runner
        steps = AgreementSteps(
            writer: AgreementWriter(presentation: ports.presentation, random: ports.random),
            vault: ports.vault,
            random: ports.random
        )
    }

    /// Asks what is due until the task is canceled.
    func run() async { await rounds.run() }

    /// Asks what is due now, as much as there is place for; answers how much was asked.
    func ask() async -> Int { await rounds.round() }

    private var rounds: LeasedRounds<Agreement> {
        LeasedRounds(clock: ports.clock, logger: ports.logger, subject: "methods to be asked after") {
            [self] now, limit in
            // Nothing is written where nothing is due.
            guard try await ports.database.read({ try AgreementTable.isAskDue(at: now, in: $0) }) else { return [] }
            let lease = runner.settings.pspTimeoutMilliseconds + Self.leaseMarginMilliseconds
            return try await ports.database.write { session in
                try AgreementTable.claimAsks(
                    at: now,
                    until: now.adding(milliseconds: lease),
                    limit: limit,
                    in: session
                )
            }
        } work: { [self] agreement in
            await ask(after: agreement)
        }
    }

    private func ask(after agreement: Agreement) async {
        do {
            let order = try await ports.database.read { session in
                try agreement.firstOrder.flatMap { id in try OrderReader.load(id, in: session) }
            }
            guard let order, let found = order.approvedFirst else { return }
            let outcome = await runner.storedMethod(of: found, in: order)
            try await ports.database.write { [self] session in
                try write(outcome, found.attempt.route, of: order, agreement.id, in: session)
            }
        } catch {
            ports.logger.info(
                "what a PSP said of a method could not be written down; it is asked again",
                metadata: ["agreement": "\(agreement.id)", "error": "\(error)"]
            )
        }
    }

    /// Tells the agreement what the PSP said, unless a reply told of the method meanwhile.
    private func write(
        _ outcome: Outcome,
        _ route: RouteSnapshot,
        of order: Order,
        _ id: AgreementID,
        in session: any Session
    ) throws {
        guard let agreement = try AgreementTable.lock(id, of: order.marketplace, in: session),
            let asks = agreement.asks, agreement.firstOrder == order.id
        else { return }
        let now = ports.clock.now()
        let inputs: [AgreementInput] =
            switch outcome {
            case .succeeded(let success):
                try steps.found(success, madeAt: route, for: agreement, at: now, in: session)
                    ?? [asks + 1 >= Self.certainty ? .methodAbsent : .methodNotTold]
            case .rejected(let rejection) where rejection.reason == .unsupported: [.methodAbsent]
            case .rejected, .declined, .pending, .actionRequired, .notSent, .unknown: [.methodNotTold]
            }
        try steps.writer.apply(
            inputs,
            to: agreement,
            by: try TestClockTable.clock(of: order.marketplace, in: session) ?? .live,
            at: now,
            in: session
        )
    }
}

extension Order {
    /// The authorization of a first payment that has succeeded.
    fileprivate var approvedFirst: Found? {
        guard let payment = payments.first, let attempt = payment.attempts.first(where: \.isApproved) else {
            return nil
        }
        return Found(payment: payment, attempt: attempt, operation: attempt.authorization)
    }
}

extension OperationRunner {
    /// What the PSP says that it stored of a payment that has succeeded; in doubt if it cannot be asked just now.
    fileprivate func storedMethod(of found: Order.Found, in order: Order) async -> Outcome {
        guard let adapter = try? await directory.adapter(for: found.attempt.route.pspAccount, of: order.marketplace)
        else {
            return .unknown(reason: "the PSP account cannot be used here")
        }
        let job = Job(found: found, order: order, details: nil, adapter: adapter)
        return await call(job, .inquire, asksForMethod: true)?.outcome ?? .unknown(reason: "nothing was sent")
    }
}
