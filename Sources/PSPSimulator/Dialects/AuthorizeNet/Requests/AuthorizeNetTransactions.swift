import StrictJSON

/// `createTransactionRequest`.
struct AuthorizeNetTransactions: Sendable {
    let clock: @Sendable () -> Int64
    private let numbers = AuthorizeNetNumbers()
    private let duplicates = AuthorizeNetDuplicates()

    init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }

    /// What a request asks.
    ///
    /// - Throws: ``Refusal``.
    func ask(_ request: AuthorizeNetRequest) throws(Refusal) -> Ask {
        switch request.transaction.filled("transactionType") {
        case "authOnlyTransaction": try authorize(request, capture: false)
        case "authCaptureTransaction": try authorize(request, capture: true)
        case "priorAuthCaptureTransaction":
            try change(.capture, request, amount: try AuthorizeNetAmount.minorUnits(request.transaction))
        case "voidTransaction": try change(.void, request, amount: nil)
        case "refundTransaction": try refund(request)
        default: throw Refusal(400, "174", "The transaction type is invalid. Please contact the merchant.")
        }
    }

    private func authorize(_ request: AuthorizeNetRequest, capture: Bool) throws(Refusal) -> Ask {
        let transaction = request.transaction
        guard let amount = try AuthorizeNetAmount.minorUnits(transaction) else { throw AuthorizeNetAmount.invalid }
        let currency = try AuthorizeNetAmount.currency(transaction)
        let method = try AuthorizeNetPayment.method(in: transaction)
        let now = clock()
        let mark = duplicates.mark(of: transaction, amount: amount, account: request.account)
        if duplicates.contains(mark, within: try Self.window(transaction), at: now) { throw .alreadyNamed }
        let command = AuthorizeCommand(
            reference: request.reference,
            amount: amount,
            currency: currency,
            method: method,
            capture: capture,
            metadata: Self.userFields(transaction),
            details: request.details,
            identifier: numbers.draw(last4: method.last4, at: now)
        )
        return .authorize(command, by: request.requester) { [duplicates] authorization in
            duplicates.record(mark, at: authorization.createdAt)
            return AuthorizeNetDocument.reply(authorization, echoing: request.refId)
        }
    }

    /// A refund names the card by its last four digits, or by all of them.
    private func refund(_ request: AuthorizeNetRequest) throws(Refusal) -> Ask {
        guard let amount = try AuthorizeNetAmount.minorUnits(request.transaction) else {
            throw AuthorizeNetAmount.invalid
        }
        guard let card = request.transaction["payment"]?["creditCard"]?.filled("cardNumber") else {
            throw Refusal(400, "33", "Credit card number is required.")
        }
        let original = try Self.original(request)
        guard original.hasSuffix(card.suffix(4)) else {
            throw Refusal(400, "54", AuthorizeNetReason.noCredit)
        }
        return try change(.refund, request, amount: amount)
    }

    private func change(
        _ kind: OperationKind,
        _ request: AuthorizeNetRequest,
        amount: Int64?
    ) throws(Refusal) -> Ask {
        var change = ChangeCommand(
            kind,
            of: .id(try Self.original(request)),
            reference: request.reference,
            amount: amount
        )
        change.details = request.details
        return .change(change, by: request.requester) { operation, authorization in
            AuthorizeNetDocument.reply(operation, of: authorization, echoing: request.refId)
        }
    }

    private static func original(_ request: AuthorizeNetRequest) throws(Refusal) -> String {
        guard let id = request.transaction.filled("refTransId"), id.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw Refusal(400, "15", "The transaction ID is invalid or not present.") }
        return id
    }

    /// How long the same transaction is refused, in milliseconds.
    private static func window(_ transaction: JSON) throws(Refusal) -> Int64 {
        let settings = transaction["transactionSettings"]?["setting"]?.elements ?? []
        guard let setting = settings.first(where: { $0.filled("settingName") == "duplicateWindow" }) else {
            return AuthorizeNetDuplicates.usualWindow
        }
        guard let seconds = setting.filled("settingValue").flatMap({ Int64($0) }), 0...28_800 ~= seconds else {
            throw Refusal(400, "E00013", "The field is invalid: duplicateWindow.")
        }
        return seconds * 1000
    }

    private static func userFields(_ transaction: JSON) -> [String: String] {
        let fields = transaction["userFields"]?["userField"]?.elements ?? []
        let pairs = fields.compactMap { field in field.filled("name").map { ($0, field.filled("value") ?? "") } }
        return Dictionary(pairs) { first, _ in first }
    }
}
