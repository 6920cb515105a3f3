import StrictJSON

/// What became of transactions.
enum AuthorizeNetInquiries {
    /// The longest range of batches, in milliseconds: 31 days.
    private static let longestRange: Int64 = 31 * 86_400_000
    /// The range of batches that a request without dates asks for, in milliseconds.
    private static let usualRange: Int64 = 86_400_000

    /// `getTransactionDetailsRequest`.
    static func details(_ request: AuthorizeNetRequest) -> Ask {
        let id = request.json.filled("transId") ?? ""
        return .inquire(account: request.account) { view throws(Refusal) in
            let now = view.now
            for name in [id] + AuthorizeNetNumbers.candidates(refund: id) {
                guard let found = view.authorization(name),
                    let transaction = AuthorizeNetTransaction.all(of: found, at: now).first(where: { $0.transId == id })
                else { continue }
                return AuthorizeNetReply.success(AuthorizeNetReport.details(transaction), echoing: request.refId)
            }
            throw .notFound
        }
    }

    /// `getUnsettledTransactionListRequest`.
    static func unsettled(_ request: AuthorizeNetRequest) -> Ask {
        .inquire(account: request.account) { view in
            let onlyHeld = request.json.filled("status") == "pendingApproval"
            let found = transactions(&view).filter { transaction in
                transaction.settledAt == nil && (!onlyHeld || transaction.status == .held)
            }
            return AuthorizeNetReport.list(found, AuthorizeNetPage(request.json), echoing: request.refId)
        }
    }

    /// `getTransactionListRequest` of a batch.
    ///
    /// - Throws: ``Refusal`` if no batch is named.
    static func batch(_ request: AuthorizeNetRequest) throws(Refusal) -> Ask {
        guard let batch = request.json.filled("batchId") else {
            throw Refusal(400, "E00014", "A required field is not present: batchId.")
        }
        return .inquire(account: request.account) { view in
            let found = transactions(&view).filter { $0.batchId == batch }
            return AuthorizeNetReport.list(found, AuthorizeNetPage(request.json), echoing: request.refId)
        }
    }

    /// `getSettledBatchListRequest`.
    ///
    /// - Throws: ``Refusal`` if the dates are more than 31 days apart.
    static func batches(_ request: AuthorizeNetRequest) throws(Refusal) -> Ask {
        let first = request.json.filled("firstSettlementDate").flatMap(AuthorizeNetDate.milliseconds)
        let last = request.json.filled("lastSettlementDate").flatMap(AuthorizeNetDate.milliseconds)
        if let first, let last, !(0...longestRange ~= last - first) {
            throw Refusal(400, "E00013", "The field is invalid: the dates must be 31 days apart at most.")
        }
        let wantsStatistics = request.json.isTrue("includeStatistics")
        return .inquire(account: request.account) { view in
            let end = last ?? view.now
            let range = min(first ?? end - usualRange, end)...end
            let settled = transactions(&view).filter { $0.settledAt.map(range.contains) ?? false }
            let batches = Dictionary(grouping: settled) { $0.batchId ?? "" }.sorted { $0.key < $1.key }
            return AuthorizeNetReport.batches(
                batches.map(\.value),
                withStatistics: wantsStatistics,
                echoing: request.refId
            )
        }
    }

    private static func transactions(_ view: inout BooksView) -> [AuthorizeNetTransaction] {
        let now = view.now
        return view.authorizations { _ in true }.flatMap { AuthorizeNetTransaction.all(of: $0, at: now) }
    }
}
