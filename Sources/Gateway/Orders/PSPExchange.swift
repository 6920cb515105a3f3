import AdapterKit
import Domain

/// What was heard of a call.
struct PSPAnswer: Hashable, Sendable {
    /// What became of the operation.
    var outcome: Outcome
    /// Whether the PSP answered a sending without saying what became of it.
    var isAnswered = false
    /// How often the operation had been begun anew when it was sent, if it was.
    var retries: Int64?
}

/// One call to a PSP account: requests and replies, until the adapter knows the outcome.
struct PSPExchange: Sendable {
    /// No PSP needs more requests than this for one call: adapters go through at most twenty pages of a list, and
    /// make a handful of requests besides.
    private static let requestLimit = 28

    /// Answers that say that a request was not carried out yet, which no PSP keeps under its key: a clash with the same
    /// request under way, too early, too many.
    private static let passingStatuses: Set<Int> = [409, 425, 429]

    let call: Call
    let adapter: any PaymentAdapter
    /// The PSP account's name over all marketplaces.
    let account: String
    /// When it is too late to begin; nil for never.
    let launchBy: Timestamp?
    let sender: any Sender
    let clock: any GatewayClock
    let health: AccountHealth
    let lines: CallLines

    /// Alternates between the adapter and the wire until the adapter knows the outcome.
    ///
    /// All requests together take no longer than one may, so that they end well within the lease.
    func answer(withinMilliseconds time: Int64) async -> PSPAnswer {
        let end = clock.now().adding(milliseconds: time)
        var exchanges: [Exchange] = []
        var mayHaveMovedMoney = false
        for _ in 0..<Self.requestLimit {
            switch adapter.next(for: call, after: exchanges) {
            case .outcome(let outcome):
                let isKept = exchanges.last.map { !Self.passingStatuses.contains($0.reply.status) } ?? false
                let isAnswered = outcome.isUnknown && call.purpose == .perform && mayHaveMovedMoney && isKept
                return PSPAnswer(outcome: outcome, isAnswered: isAnswered)
            case .send(let request):
                switch await send(request, until: end) {
                case .reply(let reply):
                    exchanges.append(Exchange(reply: reply))
                    mayHaveMovedMoney = mayHaveMovedMoney || request.canMoveMoney
                case .held(let reason):
                    let isNotSent = !mayHaveMovedMoney && call.purpose == .perform
                    return PSPAnswer(outcome: isNotSent ? .notSent(reason: reason) : .unknown(reason: reason))
                case .failure(let reason, let mayHaveArrived):
                    let isHarmless = !mayHaveMovedMoney && (!mayHaveArrived || !request.canMoveMoney)
                    let isNotSent = isHarmless && call.purpose == .perform
                    return PSPAnswer(outcome: isNotSent ? .notSent(reason: reason) : .unknown(reason: reason))
                }
            }
        }
        return PSPAnswer(
            outcome: .unknown(reason: "the PSP asked for more than \(Self.requestLimit) calls"),
            isAnswered: mayHaveMovedMoney
        )
    }

    private func send(_ request: WireRequest, until end: Timestamp) async -> SendResult {
        // Replies to these have nothing of ours on them; see `SendTerms.freshConnection`.
        let isAlone = adapter.capabilities.idempotency == .none || !request.canMoveMoney
        return await lines.counting(call.operation, at: account, clock) {
            await send(request, until: end, alone: isAlone)
        }
    }

    /// Sends a request, again and again while there is no room for it on our own side and it is not too late.
    ///
    /// That we have no room is no failure of the PSP's, and nothing that anybody has to be told.
    private func send(_ request: WireRequest, until end: Timestamp, alone: Bool) async -> SendResult {
        while true {
            let now = clock.now()
            let left = end.milliseconds(since: now)
            guard left > 0 else { return .failure(reason: "no time is left", mayHaveArrived: false) }
            let terms = SendTerms(
                account: account,
                freshConnection: alone,
                timeoutMilliseconds: left,
                launchMilliseconds: launchBy.map { max(0, $0.milliseconds(since: now)) }
            )
            let result = await sender.send(request, terms)
            guard case .held(let reason) = result else {
                health.note(account, didAnswer: result.isHealthy, at: clock.now())
                return result
            }
            let next = clock.now().adding(milliseconds: .random(in: 50...250))
            guard next < end, next < launchBy ?? end, (try? await clock.sleep(until: next)) != nil else {
                return .held(reason: reason)
            }
        }
    }
}

extension Outcome {
    fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

extension SendResult {
    /// Whether the PSP answered, and did not say that it is broken or overrun.
    fileprivate var isHealthy: Bool {
        if case .reply(let reply) = self { reply.status < 500 && reply.status != 429 } else { false }
    }
}

extension Order {
    /// Whether its payments are authorized and captured in one call: only where the policy can never need
    /// compensation, the PSP offers it, and no deadline cuts the waiting short.
    ///
    /// It never changes, so that a webhook that comes long afterwards is read as the call was written.
    func isSale(with capabilities: Capabilities) -> Bool {
        let needsNoCompensation = payments.count == 1 || terms.policy == .bestEffort
        return capabilities.saleInOneCall && needsNoCompensation && terms.capture == .automatic
            && terms.onDeadline == .continue
    }
}

extension Call {
    /// Writes an operation of an order as a call to its PSP.
    ///
    /// The same operation always gives the same call.
    init(
        _ operation: Operation,
        of attempt: Attempt,
        _ payment: Payment,
        in order: Order,
        details: AuthorizationDetails?,
        capabilities: Capabilities,
        purpose: Purpose
    ) throws(MoneyError) {
        let fee = payment.applicationFee(of: operation, on: attempt.route)
        let kind: Kind =
            switch operation.kind {
            case .authorize:
                .authorize(
                    Authorization(
                        credential: details?.credential,
                        capture: order.isSale(with: capabilities),
                        applicationFee: fee,
                        returnURL: order.terms.returnURL.map { ReturnURL.addressing($0, payment.id, of: order.id) },
                        description: payment.reference,
                        buyer: details?.buyer,
                        statementDescriptor: details?.statementDescriptor,
                        lineItems: details?.lineItems ?? []
                    )
                )
            case .capture:
                .capture(
                    applicationFee: attempt.route.takesApplicationFee ? operation.commission : nil,
                    isFinal: operation.isFinal
                )
            case .void, .reverse: .void
            case .refund: .refund(applicationFee: fee)
            }
        self.init(
            order: order.id,
            payment: payment.id,
            attempt: attempt.id,
            operation: operation.id,
            reference: payment.reference,
            money: try Money(minorUnits: operation.amount, currency: order.amount.currency),
            merchantAccount: attempt.route.merchantAccount,
            settlesToMerchant: attempt.route.settlesTo == .merchant,
            pspReference: attempt.pspReference,
            pspState: attempt.pspState,
            kind: kind,
            purpose: purpose,
            retries: operation.retries
        )
    }
}

extension Payment {
    /// The part of an operation's amount that the PSP keeps for the marketplace, if the route says so.
    fileprivate func applicationFee(of operation: Operation, on route: RouteSnapshot) -> Int64? {
        guard route.takesApplicationFee else { return nil }
        let fee = operation.kind == .authorize ? allocation.commission : operation.commission ?? 0
        return fee > 0 ? fee : nil
    }
}
