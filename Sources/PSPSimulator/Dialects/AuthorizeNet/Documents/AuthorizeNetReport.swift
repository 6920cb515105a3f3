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
        return AuthorizeNetReply.success(members, echoing: refId)
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
        return AuthorizeNetReply.success([JSON.Member("batchList", .array(batches))], echoing: refId)
    }

    private static func nothing(_ refId: String?) -> PSPReply {
        AuthorizeNetReply.success([], echoing: refId, "I00004", "No records found.")
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
