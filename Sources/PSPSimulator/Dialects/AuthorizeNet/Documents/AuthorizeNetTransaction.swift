/// A transaction as Authorize.Net's reports show it: a payment, whose captures and voids are the same transaction, or
/// a refund.
struct AuthorizeNetTransaction: Sendable {
    let transId: String
    /// The payment that a refund gives back.
    var refTransId: String?
    let type: String
    let status: AuthorizeNetStatus
    let reason: AuthorizeNetReason
    /// When it was sent, in milliseconds since 1970.
    let submittedAt: Int64
    /// When its batch was settled, in milliseconds since 1970; nil if it has not been.
    let settledAt: Int64?
    /// What was asked, if less was approved.
    var requestedAmount: Int64?
    /// What was approved, in minor units.
    let authAmount: Int64
    /// What moves, in minor units.
    let settleAmount: Int64
    let authCode: String
    let method: PaymentMethod
    /// What the caller said of it.
    let details: [String: String]

    /// A payment and its refunds, as of `now`.
    static func all(of authorization: Authorization, at now: Int64) -> [Self] {
        let refunds = authorization.operations.filter { $0.kind == .refund }
        return [Self(authorization, at: now)] + refunds.map { Self(refund: $0, of: authorization, at: now) }
    }

    /// The batch that it was settled in: everything of the account in the same hour.
    var batchId: String? { settledAt.map { "\($0 / 3_600_000)" } }

    private init(_ authorization: Authorization, at now: Int64) {
        transId = AuthorizeNetNumbers.text(of: authorization)
        type = authorization.command.capture ? "authCaptureTransaction" : "authOnlyTransaction"
        reason = AuthorizeNetReason(of: authorization)
        let settlement = authorization.settlement.flatMap { $0 < now ? $0 : nil }
        status = Self.status(of: authorization, reason, isSettled: settlement != nil)
        settledAt = status == .settled ? settlement : nil
        submittedAt = authorization.createdAt
        let isHeldBack = [.pending, .requiresAction, .declined].contains(authorization.status)
        authAmount = isHeldBack ? authorization.command.amount : authorization.authorized
        settleAmount = authorization.captured > 0 ? authorization.captured : authAmount
        requestedAmount = reason == .partial ? authorization.command.amount : nil
        authCode = AuthorizeNetNumbers.authorizationCode(authorization)
        method = authorization.command.method
        details = authorization.command.details
    }

    private init(refund: Operation, of authorization: Authorization, at now: Int64) {
        transId = AuthorizeNetNumbers.text(of: refund, in: authorization)
        refTransId = AuthorizeNetNumbers.text(of: authorization)
        type = "refundTransaction"
        let isDeclinedAtOnce = refund.status == .failed && authorization.script.effect(of: .refund).failsLate == nil
        reason = isDeclinedAtOnce ? AuthorizeNetReason(refund.decline ?? .generic) : .approved
        var settlement = refund.at
        if case .finish(let milliseconds) = authorization.script.effect(of: .refund) { settlement += milliseconds }
        switch refund.status {
        case .pending: status = .refundPending
        case .succeeded, .reversed: status = settlement < now ? .refunded : .refundPending
        case .failed: status = isDeclinedAtOnce ? AuthorizeNetStatus(refused: reason) : .settlementError
        case .failedLater: status = .settlementError
        }
        settledAt = status == .refunded ? settlement : nil
        submittedAt = refund.at
        authAmount = refund.amount
        settleAmount = refund.amount
        authCode = ""
        method = authorization.command.method
        details = refund.details
    }

    private static func status(
        of authorization: Authorization,
        _ reason: AuthorizeNetReason,
        isSettled: Bool
    ) -> AuthorizeNetStatus {
        let captures = authorization.operations.filter { $0.kind == .capture }
        if captures.contains(where: { $0.status == .failedLater }), authorization.captured == 0 {
            return .settlementError
        }
        switch authorization.status {
        case .pending, .requiresAction: return .held
        case .declined: return AuthorizeNetStatus(refused: reason)
        case .voided, .canceled: return .voided
        case .expired: return .expired
        case .captured: return isSettled ? .settled : .captured
        case .authorized:
            guard let last = captures.last else { return .authorized }
            if last.status == .pending { return .captured }
            let failsLate = authorization.script.effect(of: .capture).failsLate
            return last.status == .failed && failsLate != nil ? .settlementError : .authorized
        }
    }
}

extension Authorization {
    /// When what is captured is settled, in milliseconds since 1970: at once, unless a trigger says later.
    fileprivate var settlement: Int64? {
        guard case .settle(let milliseconds) = script.effect(of: .refund) else { return capturedAt }
        return capturedAt.map { $0 + milliseconds }
    }
}

extension Effect {
    /// After how many milliseconds an operation that was taken fails; nil if it does not.
    fileprivate var failsLate: Int64? { if case .fail(let milliseconds) = self { milliseconds } else { nil } }
}
