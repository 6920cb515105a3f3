/// A GraphQL document: one operation, its text, and the root field that answers it.
///
/// Source: `schema.graphql` of braintree/graphql-api (29 April 2025) and the reference at developer.paypal.com/braintree
/// (September 2026), which alone has `voidTransaction`.
struct Document: Sendable {
    /// The root field, a member of `data` in the reply.
    let field: String
    /// The text that is sent.
    let text: String

    static let tokenize = mutation("tokenizeNetworkToken", "TokenizeNetworkTokenInput", "paymentMethod { id }")
    static let authorize = mutation("authorizePaymentMethod", "AuthorizePaymentMethodInput", payment)
    static let charge = mutation("chargePaymentMethod", "ChargePaymentMethodInput", payment)
    static let capture = mutation("captureTransaction", "CaptureTransactionInput", payment)
    static let void = mutation("voidTransaction", "VoidTransactionInput", payment)
    static let refund = mutation("refundTransaction", "RefundTransactionInput", "refund { \(refundFields) }")

    /// Reads a transaction with its refunds.
    static let read = Document(
        field: "node",
        text: "query Read($id: ID!) { node(id: $id) { ... on Transaction { \(transactionFields) "
            + "refunds { \(refundFields) } } } }"
    )

    /// Looks for transactions; `first` bounds the page.
    static let search = Document(
        field: "search",
        text: "query Search($input: TransactionSearchInput!, $first: Int) { search { "
            + "transactions(input: $input, first: $first) { edges { node { \(transactionFields) } } "
            + "pageInfo { hasNextPage } } } }"
    )

    private static func mutation(_ field: String, _ input: String, _ selection: String) -> Document {
        let text = "mutation Perform($input: \(input)!) { \(field)(input: $input) { clientMutationId \(selection) } }"
        return Document(field: field, text: text)
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
