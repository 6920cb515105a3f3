import StrictJSON

/// Authorize.Net's reports.
enum AuthorizeNetReport {
    /// The answer to `getTransactionDetailsRequest`.
    static func details(_ transaction: AuthorizeNetTransaction) -> [JSON.Member] {
        var members = [JSON.Member("transaction", json(transaction))]
        if let refId = transaction.details["refId"] { members.append(JSON.Member("transrefId", .string(refId))) }
        return members
    }

    /// A page of transactions; the number is of all that were found.
    static func list(
        _ found: [AuthorizeNetTransaction],
        _ page: AuthorizeNetPage,
        echoing refId: String?
    ) -> PSPReply {
        guard !found.isEmpty else { return nothing(refId) }
        let members = [
            JSON.Member("transactions", .array(page.part(of: found).map(summary))),
            JSON.Member("totalNumInResultSet", .integer(Int64(found.count))),
        ]
        return AuthorizeNetAnswer.success(members, echoing: refId)
    }

    /// Batches, each a group of transactions; the last of them that was settled is when the batch was.
    static func batches(
        _ groups: [[AuthorizeNetTransaction]],
        withStatistics: Bool,
        echoing refId: String?
    ) -> PSPReply {
        guard !groups.isEmpty else { return nothing(refId) }
        let batches = groups.compactMap { group -> JSON? in
            let last = group.max { ($0.settledAt ?? 0) < ($1.settledAt ?? 0) }
            guard let batch = last.flatMap(batch), let members = batch.objectValue else { return nil }
            let statistics = JSON.Member("statistics", .array(statistics(group)))
            return .object(members + (withStatistics ? [statistics] : []))
        }
        return AuthorizeNetAnswer.success([JSON.Member("batchList", .array(batches))], echoing: refId)
    }

    private static func nothing(_ refId: String?) -> PSPReply {
        AuthorizeNetAnswer.success([], echoing: refId, "I00004", "No records found.")
    }

    private static func json(_ transaction: AuthorizeNetTransaction) -> JSON {
        .object(omittingAbsent: [
            "transId": .string(transaction.transId),
            "refTransId": transaction.refTransId.map(JSON.string),
            "submitTimeUTC": .string(AuthorizeNetDate.text(transaction.submittedAt)),
            "submitTimeLocal": .string(AuthorizeNetDate.local(transaction.submittedAt)),
            "transactionType": .string(transaction.type),
            "transactionStatus": .string(transaction.status.rawValue),
            "responseCode": .integer(transaction.reason.responseCode),
            "responseReasonCode": .integer(Int64(transaction.reason.code) ?? 0),
            "responseReasonDescription": .string(
                transaction.reason == .approved ? "Approval" : transaction.reason.text
            ),
            "authCode": transaction.authCode.isEmpty ? .none : .string(transaction.authCode),
            "AVSResponse": "P",
            "batch": batch(transaction),
            "order": order(transaction.details),
            "requestedAmount": transaction.requestedAmount.map(AuthorizeNetAmount.json),
            "authAmount": AuthorizeNetAmount.json(transaction.authAmount),
            "settleAmount": AuthorizeNetAmount.json(transaction.settleAmount),
            "taxExempt": false,
            "payment": [
                "creditCard": [
                    "cardNumber": .string("XXXX\(transaction.method.last4)"), "expirationDate": "XXXX",
                    "cardType": .string(AuthorizeNetDocument.accountType(transaction.method)),
                ]
            ],
            "recurringBilling": false,
            "product": "Card Not Present",
            "marketType": "eCommerce",
        ])
    }

    private static func order(_ details: [String: String]) -> JSON? {
        guard details["invoiceNumber"] != nil || details["description"] != nil else { return nil }
        return .object(omittingAbsent: [
            "invoiceNumber": details["invoiceNumber"].map(JSON.string),
            "description": details["description"].map(JSON.string),
        ])
    }

    private static func summary(_ transaction: AuthorizeNetTransaction) -> JSON {
        .object(omittingAbsent: [
            "transId": .string(transaction.transId),
            "submitTimeUTC": .string(AuthorizeNetDate.text(transaction.submittedAt)),
            "submitTimeLocal": .string(AuthorizeNetDate.local(transaction.submittedAt)),
            "transactionStatus": .string(transaction.status.rawValue),
            "invoiceNumber": transaction.details["invoiceNumber"].map(JSON.string),
            "accountType": .string(AuthorizeNetDocument.accountType(transaction.method)),
            "accountNumber": .string("XXXX\(transaction.method.last4)"),
            "settleAmount": AuthorizeNetAmount.json(transaction.settleAmount),
            "marketType": "eCommerce",
            "product": "Card Not Present",
        ])
    }

    private static func batch(_ transaction: AuthorizeNetTransaction) -> JSON? {
        guard let id = transaction.batchId, let settledAt = transaction.settledAt else { return nil }
        return [
            "batchId": .string(id), "settlementTimeUTC": .string(AuthorizeNetDate.text(settledAt)),
            "settlementTimeLocal": .string(AuthorizeNetDate.local(settledAt)),
            "settlementState": "settledSuccessfully", "paymentMethod": "creditCard", "marketType": "eCommerce",
            "product": "Card Not Present",
        ]
    }

    /// What a batch moved, by card network.
    private static func statistics(_ transactions: [AuthorizeNetTransaction]) -> [JSON] {
        let groups = Dictionary(grouping: transactions) { AuthorizeNetDocument.accountType($0.method) }
        return groups.sorted { $0.key < $1.key }.map { type, group in
            let charges = group.filter { $0.status == .settled }
            let refunds = group.filter { $0.status == .refunded }
            return [
                "accountType": .string(type),
                "chargeAmount": AuthorizeNetAmount.json(charges.reduce(0) { $0 + $1.settleAmount }),
                "chargeCount": .integer(Int64(charges.count)),
                "refundAmount": AuthorizeNetAmount.json(refunds.reduce(0) { $0 + $1.settleAmount }),
                "refundCount": .integer(Int64(refunds.count)), "voidCount": 0, "declineCount": 0, "errorCount": 0,
            ]
        }
    }
}

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

    private init(refund: BookedOperation, of authorization: Authorization, at now: Int64) {
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
