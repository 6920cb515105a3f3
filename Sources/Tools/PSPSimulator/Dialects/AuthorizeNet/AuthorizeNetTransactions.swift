import StrictJSON
import WireFormats

/// `createTransactionRequest`.
struct AuthorizeNetTransactions: Sendable {
    let clock: @Sendable () -> Int64
    private let numbers = AuthorizeNetNumbers()
    private let duplicates = AuthorizeNetDuplicates()
    let profiles = AuthorizeNetProfiles()

    init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }

    /// What a request asks.
    ///
    /// - Throws: ``Refusal``.
    func ask(_ request: AuthorizeNetRequest) throws(Refusal) -> Reply {
        switch request.transaction.filled("transactionType") {
        case "authOnlyTransaction": try pay(request, capture: false)
        case "authCaptureTransaction": try pay(request, capture: true)
        case "priorAuthCaptureTransaction":
            try change(.capture, request, amount: try AuthorizeNetAmount.minorUnits(request.transaction))
        case "voidTransaction": try change(.void, request, amount: nil)
        case "refundTransaction": try refund(request)
        default: throw Refusal(400, "174", "The transaction type is invalid. Please contact the merchant.")
        }
    }

    /// Authorizes with what the transaction says, or with a payment profile if it names one.
    private func pay(_ request: AuthorizeNetRequest, capture: Bool) throws(Refusal) -> Reply {
        guard let first = try profiles.firstPayment(request.transaction) else {
            let method = try AuthorizeNetPayment.method(in: request.transaction)
            return try authorize(request, capture: capture, method)
        }
        return .given(first, account: request.account) { [self] payment throws(Refusal) in
            guard profiles.methods.keeps(methodOf: payment) else { throw AuthorizeNetProfiles.unknown }
            return try authorize(request, capture: capture, StoredMethods.method)
        }
    }

    private func authorize(
        _ request: AuthorizeNetRequest,
        capture: Bool,
        _ method: PaymentMethod
    ) throws(Refusal) -> Reply {
        let transaction = request.transaction
        guard let amount = try AuthorizeNetAmount.minorUnits(transaction) else { throw AuthorizeNetAmount.invalid }
        let currency = try AuthorizeNetAmount.currency(transaction)
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
            details: request.details.merging(try AuthorizeNetProfiles.details(transaction)) { _, own in own },
            identifier: numbers.draw(last4: method.last4, at: now)
        )
        return .authorize(command, by: request.requester) { [duplicates] authorization in
            duplicates.record(mark, at: authorization.createdAt)
            return AuthorizeNetDocument.reply(authorization, echoing: request.refId)
        }
    }

    /// A refund names the card by its last four digits, or by all of them.
    private func refund(_ request: AuthorizeNetRequest) throws(Refusal) -> Reply {
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
    ) throws(Refusal) -> Reply {
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

/// What pays, as `payment` says it.
enum AuthorizeNetPayment {
    /// Reads what pays for a new transaction.
    ///
    /// - Throws: ``Refusal`` that repeats nothing secret.
    static func method(in transaction: JSON) throws(Refusal) -> PaymentMethod {
        guard let payment = transaction["payment"], let kind = payment.objectValue?.first else {
            throw Refusal(400, "33", "Credit card number is required.")
        }
        switch kind.key {
        case "creditCard": return .networkToken(try card(kind.value))
        case "opaqueData": return try opaqueData(kind.value)
        case "bankAccount": throw Refusal(400, "18", "ACH transactions are not accepted by this merchant.")
        case "payPal": throw Refusal(400, "2001", "PayPal transactions are not accepted by this merchant.")
        default: throw Refusal(400, "87", "Transactions of this market type cannot be processed on this system.")
        }
    }

    /// What of `payment` tells one payment from another; a new cryptogram makes no new one.
    static func identity(_ transaction: JSON) -> JSON {
        guard let payment = transaction["payment"] else { return .null }
        let card = payment["creditCard"]
        return [
            .optional(card?.filled("cardNumber")), .optional(card?.filled("expirationDate")),
            .optional(payment["opaqueData"]?.filled("dataValue")),
        ]
    }

    /// A nonce of Accept, or a wallet's data in base 64.
    private static func opaqueData(_ data: JSON) throws(Refusal) -> PaymentMethod {
        let value = data.filled("dataValue") ?? ""
        switch data.filled("dataDescriptor") {
        case "COMMON.ACCEPT.INAPP.PAYMENT": return .token(value)
        case "COMMON.APPLE.INAPP.PAYMENT", "COMMON.GOOGLE.INAPP.PAYMENT":
            guard let bytes = Base64.decode(value), let wallet = try? JSON.parse(bytes),
                let method = WalletData.method(wallet)
            else { throw unusable }
            return method
        default: throw unusable
        }
    }

    /// A card's number, or a network token's with its cryptogram.
    private static func card(_ card: JSON) throws(Refusal) -> NetworkTokenDigest {
        guard card.isTrue("isPaymentToken") == (card.filled("cryptogram") != nil) else { throw unusable }
        guard let (month, year) = expiry(card.filled("expirationDate") ?? "") else {
            throw Refusal(400, "7", "Credit card expiration date is invalid.")
        }
        let number = card.filled("cardNumber") ?? ""
        guard number.utf8.count >= 13,
            let digest = NetworkTokenDigest(number: number, expiryMonth: month, expiryYear: year)
        else { throw Refusal(400, "6", "The credit card number is invalid.") }
        return digest
    }

    /// Month and year of `YYYY-MM`, `MM/YYYY`, `MM/YY` and the like, or without the sign between them.
    private static func expiry(_ text: String) -> (month: Int64, year: Int64)? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
        let isYearFirst = parts.count == 2 && parts[0].utf8.count == 4
        let month: Substring
        let year: Substring
        switch (parts.count, isYearFirst) {
        case (2, true): (year, month) = (parts[0], parts[1])
        case (2, false): (month, year) = (parts[0], parts[1])
        case (1, _) where text.utf8.count == 4 || text.utf8.count == 6:
            (month, year) = (text.prefix(2), text.dropFirst(2))
        default: return nil
        }
        guard (month + year).utf8.allSatisfy({ (0x30...0x39).contains($0) }), let monthNumber = Int64(month),
            1...12 ~= monthNumber, let yearNumber = Int64(year)
        else { return nil }
        switch year.utf8.count {
        case 2: return (monthNumber, 2000 + yearNumber)
        case 4 where 2000...2100 ~= yearNumber: return (monthNumber, yearNumber)
        default: return nil
        }
    }

    private static let unusable = Refusal(400, "153", "There was an error processing the payment data.")
}

extension JSON {
    /// Whether a boolean element is there and true.
    func isTrue(_ name: String) -> Bool { ["true", "1"].contains(self[name]?.elementText) }
}

/// What became of transactions.
enum AuthorizeNetInquiries {
    /// The longest range of batches, in milliseconds: 31 days.
    private static let longestRange: Int64 = 31 * 86_400_000
    /// The range of batches that a request without dates asks for, in milliseconds.
    private static let usualRange: Int64 = 86_400_000

    /// `getTransactionDetailsRequest`.
    static func details(_ request: AuthorizeNetRequest) -> Reply {
        let id = request.json.filled("transId") ?? ""
        return .inquire(account: request.account) { view throws(Refusal) in
            let now = view.now
            for name in [id] + AuthorizeNetNumbers.candidates(refund: id) {
                guard let found = view.authorization(name),
                    let transaction = AuthorizeNetTransaction.all(of: found, at: now).first(where: { $0.transId == id })
                else { continue }
                return AuthorizeNetAnswer.success(AuthorizeNetReport.details(transaction), echoing: request.refId)
            }
            throw .notFound
        }
    }

    /// `getUnsettledTransactionListRequest`.
    static func unsettled(_ request: AuthorizeNetRequest) -> Reply {
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
    static func batch(_ request: AuthorizeNetRequest) throws(Refusal) -> Reply {
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
    static func batches(_ request: AuthorizeNetRequest) throws(Refusal) -> Reply {
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
