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
            // First what is nothing to the agreement: what a PSP lists for it is then of one payment.
            if let leftover = agreement.leftovers.first { return try await clear(leftover, of: agreement) }
            let order = try await order(agreement.firstOrder)
            guard let order, let attempt = order.payments.first?.attempt else { return }
            // Before, the PSP may still show what an earlier payment left.
            let isClear = agreement.unerased.allSatisfy { $0 == agreement.method?.id } && attempt.isApproved
            let outcome =
                isClear
                ? await runner.storedMethod(of: attempt, in: order, orNames: true) : .unknown(reason: "too early")
            try await ports.database.write { [self] session in
                guard let locked = try AgreementTable.lock(agreement.id, of: order.marketplace, in: session),
                    let asks = locked.asks, locked.firstOrder == order.id
                else { return }
                let now = ports.clock.now()
                // Where a method is kept, only the names are asked after.
                let isNamed = locked.method != nil && outcome.isNamed
                let inputs: [AgreementInput] =
                    switch Finding(outcome, after: isNamed ? Self.certainty : asks) {
                    case .method(let success):
                        try steps.found(success, madeAt: attempt.route, for: locked, at: now, in: session) ?? []
                    case .nothing: [.methodAbsent]
                    case .silence: [.methodNotTold]
                    }
                let names = outcome.names(at: attempt.route)
                try tell([names].compactMap(\.self) + inputs, to: locked, in: session)
            }
        } catch {
            ports.logger.info(
                "what a PSP said of a method could not be written down; it is asked again",
                metadata: ["agreement": "\(agreement.id)", "error": "\(error)"]
            )
        }
    }

    /// Asks after the attempts of a payment that is nothing to the agreement; what was kept of them is to be forgotten.
    private func clear(_ leftover: Leftover, of agreement: Agreement) async throws {
        guard let order = try await order(leftover.order) else { return }
        let unwanted = order.unwantedAttempts(isAccepted: agreement.firstOrder == order.id)
        var findings: [(finding: Finding, route: RouteSnapshot)] = []
        for attempt in unwanted {
            let outcome =
                attempt.isApproved
                ? await runner.storedMethod(of: attempt, in: order, orNames: false)
                : .unknown(reason: "it is not known to be approved")
            findings.append((Finding(outcome, after: leftover.asks), attempt.route))
        }
        try await ports.database.write { [self, findings] session in
            guard let locked = try AgreementTable.lock(agreement.id, of: order.marketplace, in: session),
                locked.leftovers.contains(where: { $0.order == order.id })
            else { return }
            let now = ports.clock.now()
            var inputs: [AgreementInput] = []
            var isOpen = false
            for (finding, route) in findings {
                switch finding {
                case .method(let success):
                    guard let stored = success.stored else { continue }
                    let left = try steps.leftBehind(stored, madeAt: route, for: locked, at: now, in: session)
                    if let left { inputs.append(left) }
                case .nothing: continue
                case .silence: isOpen = true
                }
            }
            try tell(inputs + [isOpen ? .leftoverNotTold(order.id) : .leftoverDone(order.id)], to: locked, in: session)
        }
    }

    private func order(_ id: OrderID?) async throws -> Order? {
        try await ports.database.read { session in try id.flatMap { id in try OrderReader.load(id, in: session) } }
    }

    private func tell(_ inputs: [AgreementInput], to locked: Agreement, in session: any Session) throws {
        try steps.writer.apply(
            inputs,
            to: locked,
            by: try TestClockTable.clock(of: locked.marketplace, in: session) ?? .live,
            at: ports.clock.now(),
            in: session
        )
    }

    /// What an answer says of the method.
    private enum Finding {
        /// The PSP has one.
        case method(Success)
        /// It has none.
        case nothing
        /// It is to be asked again.
        case silence

        init(_ outcome: Outcome, after asks: Int64) {
            self =
                switch outcome {
                case .succeeded(let success) where success.stored != nil: .method(success)
                case .succeeded: asks + 1 >= MethodFinder.certainty ? .nothing : .silence
                case .rejected(let rejection) where rejection.reason == .unsupported: .nothing
                case .rejected, .declined, .pending, .actionRequired, .notSent, .unknown: .silence
                }
        }
    }
}

extension Outcome {
    /// What it says of the names of a first payment; nil if nothing.
    fileprivate func names(at route: RouteSnapshot) -> AgreementInput? {
        guard case .succeeded(let success) = self else { return nil }
        return .firstPaymentNamed(
            reference: success.reference,
            networkTransactionIDs: success.networkTransactionIDs,
            at: route
        )
    }

    /// Whether it says what the card scheme calls the payment.
    fileprivate var isNamed: Bool {
        if case .succeeded(let success) = self { !success.networkTransactionIDs.isEmpty } else { false }
    }
}

extension OperationRunner {
    /// What the PSP says that it stored of a payment that has succeeded; in doubt if it cannot be asked just now.
    ///
    /// One that stores nothing is asked only for what the card scheme calls the payment, if that is wanted.
    fileprivate func storedMethod(of attempt: Attempt, in order: Order, orNames wantsNames: Bool) async -> Outcome {
        guard let payment = order.payments.first(where: { $0.attempts.contains { $0.id == attempt.id } }),
            let adapter = try? await directory.adapter(for: attempt.route.pspAccount, of: order.marketplace)
        else {
            return .unknown(reason: "the PSP account cannot be used here")
        }
        guard wantsNames || !adapter.capabilities.agreements.storesCredentials.isEmpty else {
            return .rejected(Rejection(.unsupported, code: "", message: "The PSP stores nothing."))
        }
        let found = Order.Found(payment: payment, attempt: attempt, operation: attempt.authorization)
        // Nothing of it is written down as of an operation that is in hand.
        defer { lines.forget(attempt.authorization.id) }
        let job = Job(found: found, order: order, details: nil, adapter: adapter)
        return await call(job, .storedMethod)?.outcome ?? .unknown(reason: "nothing was sent")
    }
}
