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

    private static func mutation(_ field: String, _ input: String, _ selection: String) -> Document {
        Document(
            head: "mutation Perform($input: \(input)!)",
            root: "\(field)(input: $input) { clientMutationId \(selection) }"
        )
    }

    private static let payment = "transaction { \(transactionFields) }"

    private static let transactionFields =
        "id legacyId orderId status amount { value currencyCode } statusHistory { \(eventFields) } "
        + "paymentMethodSnapshot { ... on CreditCardDetails { brandCode last4 } "
        + "... on CreditCardTransactionDetails { creditCard { brandCode last4 } } }"

    private static let refundFields =
        "id legacyId orderId status amount { value currencyCode } statusHistory { \(eventFields) } "
        + "refundedTransaction { id }"

    private static let eventFields =
        "status amount { value currencyCode } ... on AuthorizedEvent { authorizationExpiresAt } "
        + "... on ProcessorDeclinedEvent { declineType processorResponse { legacyCode } } "
        + "... on GatewayRejectedEvent { gatewayRejectionReason processorResponse { legacyCode } } "
        + "... on FailedEvent { processorResponse { legacyCode } } "
        + "... on SettlementDeclinedEvent { processorResponse { legacyCode } }"
}
