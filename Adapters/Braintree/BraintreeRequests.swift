import AdapterKit
package import Domain
import StrictJSON
import WireFormats

/// Writes the requests of one Braintree account.
///
/// Source: "Making API calls" and "Transactions" of Braintree's GraphQL guides, read in November 2026.
struct BraintreeRequests: Sendable {
    /// The API version every request pins, as the guides give it.
    static let version = "2019-01-01"

    let baseURL: String
    let publicKey: Secret
    let privateKey: Secret

    /// Makes a single-use payment method of a device or network token; it lives three hours.
    func tokenize(_ token: NetworkToken, for call: Call) -> WireRequest {
        let month = String(token.expiryMonth)
        let networkToken = JSON.object(omittingAbsent: [
            "number": .string(token.number.reveal()),
            "expirationMonth": .string(month.utf8.count == 1 ? "0" + month : month),
            "expirationYear": .string(String(token.expiryYear)),
            "cryptogram": .string(token.cryptogram.reveal()),
            "eCommerceIndicator": token.eci.map { .string(Self.twoDigits($0)) },
            "originDetails": ["origin": .string(Self.origin(token.source))],
        ])
        return mutation(.tokenize, [JSON.Member("networkToken", networkToken)], call, canMoveMoney: false)
    }

    /// Holds (``Document/authorize``) or takes (``Document/charge``) the amount.
    ///
    /// The attempt is the order identifier: what an inquiry looks for, and what keeps Braintree's duplicate checking
    /// from taking two attempts for one.
    func create(
        _ document: Document,
        _ paymentMethod: String,
        of customer: Secret?,
        amount: String,
        account: String,
        terms: BraintreeTerms,
        buyer: BraintreeBuyer,
        for call: Call
    ) -> WireRequest {
        let transaction = JSON.object(omittingAbsent: [
            "amount": .string(amount),
            "merchantAccountId": .string(account),
            "orderId": .string(call.attempt.text),
            "customerId": customer.map { .string($0.reveal()) },
            "paymentInitiator": terms.initiator.map(JSON.string),
            "vaultPaymentMethodAfterTransacting": terms.isVaulted ? ["when": "ON_SUCCESSFUL_TRANSACTION"] : .none,
        ])
        let input = [
            JSON.Member("paymentMethodId", .string(paymentMethod)),
            JSON.Member("transaction", .object((transaction.objectValue ?? []) + buyer.members)),
        ]
        return mutation(document, input, call)
    }

    /// Deletes a payment method from the vault.
    func forget(_ paymentMethod: String, for agreement: AgreementID) -> WireRequest {
        let input: JSON = [
            "clientMutationId": .string(agreement.text), "paymentMethodId": .string(paymentMethod),
        ]
        return post(.forget, ["input": input], answeredAs: agreement.text, canMoveMoney: false)
    }

    /// Takes the amount; the rest of the hold is released.
    ///
    /// An order identifier here would replace the attempt's on the transaction, so there is none.
    func capture(_ transaction: String, amount: String, for call: Call) -> WireRequest {
        let input = [
            JSON.Member("transactionId", .string(transaction)),
            JSON.Member("transaction", ["amount": .string(amount)]),
        ]
        return mutation(.capture, input, call)
    }

    /// Releases the hold, or a capture that has not settled.
    ///
    /// The published schema has no other way. What has settled in between is refunded in full by it, under the
    /// attempt's name; the answer says which of the two it was.
    func void(_ transaction: String, for call: Call) -> WireRequest {
        mutation(.reverse, [JSON.Member("transactionId", .string(transaction))], call)
    }

    /// Gives back the amount; the operation is the refund's order identifier, by which it is found again.
    func refund(_ transaction: String, amount: String, for call: Call) -> WireRequest {
        let input = [
            JSON.Member("transactionId", .string(transaction)),
            JSON.Member("refund", ["amount": .string(amount), "orderId": .string(call.operation.text)]),
        ]
        return mutation(.refund, input, call)
    }

    /// Reads a transaction.
    func read(_ transaction: String, for call: Call) -> WireRequest {
        post(.read, ["id": .string(transaction)], call, canMoveMoney: false)
    }

    /// Looks for the attempt's transaction.
    func search(for call: Call) -> WireRequest {
        let input: JSON = ["orderId": ["is": .string(call.attempt.text)]]
        return post(.search, ["input": input, "first": 10], call, canMoveMoney: false)
    }

    /// The operation goes along as the mutation's identifier, which Braintree repeats in the reply.
    private func mutation(
        _ document: Document,
        _ input: [JSON.Member],
        _ call: Call,
        canMoveMoney: Bool = true
    ) -> WireRequest {
        let named = [JSON.Member("clientMutationId", .string(call.operation.text))] + input
        return post(document, ["input": .object(named)], call, canMoveMoney: canMoveMoney)
    }

    /// The name of the answer to a search for what happened.
    static let listName = "activity"
    /// As many as Braintree answers at once.
    private static let pageSize: Int64 = 50

    /// Searches for what happened since a moment, a page behind the other.
    func search(_ search: BraintreePlace.Search, since: Timestamp, behind cursor: String?) -> WireRequest {
        let variables: JSON = .object(omittingAbsent: [
            "input": search.criteria(since.description), "first": .integer(Self.pageSize),
            "after": cursor.map(JSON.string),
        ])
        return post(search == .refunds ? .listRefunds : .list, variables, answeredAs: Self.listName)
    }

    /// A request whose answer is given under the operation's name.
    private func post(_ document: Document, _ variables: JSON, _ call: Call, canMoveMoney: Bool) -> WireRequest {
        post(document, variables, answeredAs: call.operation.text, canMoveMoney: canMoveMoney)
    }

    private func post(
        _ document: Document,
        _ variables: JSON,
        answeredAs name: String,
        canMoveMoney: Bool = false
    ) -> WireRequest {
        let text = document.text(answeredAs: name)
        let body: JSON = ["query": .string(text), "variables": variables]
        let keys = Array("\(publicKey.reveal()):\(privateKey.reveal())".utf8)
        return WireRequest(
            .post,
            baseURL + "/graphql",
            headers: [
                Header("Authorization", "Basic \(Base64.encode(keys))"), Header("Braintree-Version", Self.version),
                Header("Content-Type", "application/json"),
            ],
            body: body.bytes,
            canMoveMoney: canMoveMoney
        )
    }

    private static func origin(_ source: NetworkToken.Source) -> String {
        switch source {
        case .applePay: "APPLE_PAY"
        case .googlePay: "GOOGLE_PAY"
        case .network: "NETWORK_TOKEN"
        }
    }

    /// Apple gives one digit for some networks; Braintree wants two.
    private static func twoDigits(_ eci: String) -> String { eci.utf8.count == 1 ? "0" + eci : eci }
}

/// What a transaction says of the agreement that it is made under; nothing without one.
struct BraintreeTerms {
    /// `paymentInitiator`; nil for what the buyer initiates, but for the first payment of a series.
    var initiator: String?
    /// Whether the payment method goes into the vault, once it has paid.
    var isVaulted = false

    init(_ initiation: Initiation) {
        switch initiation {
        case .buyer: break
        case .buyerStoring(let first):
            initiator = first.type == .recurring ? "RECURRING_FIRST" : nil
            isVaulted = true
        case .merchant(let charge): initiator = charge.type == .recurring ? "RECURRING" : "UNSCHEDULED"
        }
    }
}

/// A GraphQL document: one operation with one root field.
///
/// Source: `schema.graphql` of braintree/graphql-api (29 April 2025).
struct Document: Sendable {
    /// What stands before the root field.
    private let head: String
    /// The root field with its arguments and what is selected of it.
    private let root: String

    /// The text that is sent.
    ///
    /// The answer, and the path of an error, carry the alias instead of the root field's name (GraphQL, October 2021,
    /// 2.7 "Field Alias" and 7.1.2 "Errors"), so that a reply shows which request it answers.
    func text(answeredAs alias: String) -> String { "\(head) { \(alias): \(root) }" }

    static let tokenize = mutation("tokenizeNetworkToken", "TokenizeNetworkTokenInput", "paymentMethod { id }")
    static let authorize = mutation("authorizePaymentMethod", "AuthorizePaymentMethodInput", payment)
    static let charge = mutation("chargePaymentMethod", "ChargePaymentMethodInput", payment)
    static let capture = mutation("captureTransaction", "CaptureTransactionInput", payment)
    static let reverse = mutation(
        "reverseTransaction",
        "ReverseTransactionInput",
        "reversal { __typename ... on Transaction { \(transactionFields) } ... on Refund { \(refundFields) } }"
    )
    static let refund = mutation("refundTransaction", "RefundTransactionInput", "refund { \(refundFields) }")

    static let forget = mutation("deletePaymentMethodFromVault", "DeletePaymentMethodFromVaultInput", "")

    /// Reads a transaction with its refunds.
    static let read = Document(
        head: "query Read($id: ID!)",
        root: "node(id: $id) { ... on Transaction { \(transactionFields) refunds { \(refundFields) } } }"
    )

    /// Looks for transactions; `first` bounds the page.
    static let search = Document(
        head: "query Search($input: TransactionSearchInput!, $first: Int)",
        root: "search { transactions(input: $input, first: $first) { edges { node { \(transactionFields) } } "
            + "pageInfo { hasNextPage } } }"
    )

    /// Searches for transactions, a page of all that match.
    static let list = listing("transactions", "TransactionSearchInput", transactionFields)
    /// Searches for refunds, each with the transaction that it gives back.
    static let listRefunds = listing("refunds", "RefundSearchInput", refundFields + " refundedTransaction { legacyId }")

    private static func listing(_ field: String, _ input: String, _ selection: String) -> Document {
        Document(
            head: "query List($input: \(input)!, $first: Int, $after: String)",
            root: "search { \(field)(input: $input, first: $first, after: $after) { edges { node { createdAt "
                + "merchantAccountId \(selection) } } pageInfo { hasNextPage endCursor } } }"
        )
    }

    private static func mutation(_ field: String, _ input: String, _ selection: String) -> Document {
        Document(
            head: "mutation Perform($input: \(input)!)",
            root: "\(field)(input: $input) { clientMutationId\(selection.isEmpty ? "" : " ")\(selection) }"
        )
    }

    private static let payment = "transaction { \(transactionFields) }"

    private static let transactionFields =
        "id legacyId orderId status amount { value currencyCode } statusHistory { \(eventFields) } "
        + "paymentMethodSnapshot { ... on CreditCardDetails { \(cardFields) } "
        + "... on CreditCardTransactionDetails { networkTransactionId creditCard { \(cardFields) } } } "
        + "paymentMethod { id usage }"

    private static let cardFields = "brandCode last4 expirationMonth expirationYear"

    private static let refundFields =
        "id legacyId orderId status amount { value currencyCode } statusHistory { \(eventFields) } "
        + "refundedTransaction { id }"

    private static let eventFields =
        "status amount { value currencyCode } ... on AuthorizedEvent { authorizationExpiresAt } "
        + "... on ProcessorDeclinedEvent { declineType processorResponse { legacyCode } "
        + "merchantAdviceCodeResponse { code } } "
        + "... on GatewayRejectedEvent { gatewayRejectionReason processorResponse { legacyCode } } "
        + "... on FailedEvent { processorResponse { legacyCode } } "
        + "... on SettlementDeclinedEvent { processorResponse { legacyCode } }"
}

/// The marketplace's own merchant accounts at Braintree, one a currency.
///
/// A merchant account has exactly one currency, and a request names none: an amount sent to an account of another
/// currency, or to the default account, would be charged in that one. So the currency chooses the account.
package struct MerchantAccounts: Hashable, Sendable {
    private let byCurrency: [String: String]

    /// Reads `USD=shop_usd,EUR=shop_eur`: alphabetic codes of ISO 4217 and identifiers as the Control Panel shows them.
    ///
    /// White space around the parts is dropped. Nil if a part has another form, a currency is unknown or comes twice,
    /// or there is none.
    package init?(_ text: String) {
        var byCurrency: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false).map(Self.trimmed)
            guard pair.count == 2, Currency(code: pair[0]) != nil, Self.isIdentifier(pair[1]),
                byCurrency.updateValue(pair[1], forKey: pair[0]) == nil
            else { return nil }
        }
        self.byCurrency = byCurrency
    }

    /// The account for a currency; nil if there is none.
    package func account(for currency: Currency) -> String? { byCurrency[currency.code] }

    /// Whether the account is one of the marketplace's own.
    package func contains(_ account: String) -> Bool { byCurrency.values.contains(account) }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }

    /// Braintree makes them of letters, digits, `-` and `_`.
    private static func isIdentifier(_ text: String) -> Bool {
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isWord && (1...100).contains(text.utf8.count)
    }
}
