import StrictJSON

/// The part of Braintree's GraphQL schema that the adapter uses, written by hand.
///
/// Source: the reference at developer.paypal.com/braintree/graphql, read in November 2026. Types that are not here are
/// scalars or enumerations.
enum BraintreeSchema {
    /// The fields of the object types and the types they have; `[]` and `!` are left out.
    static let objects: [String: [String: String]] = [
        "Query": ["node": "Node", "search": "Search"],
        "Mutation": [
            "tokenizeNetworkToken": "TokenizeNetworkTokenPayload", "authorizePaymentMethod": "TransactionPayload",
            "chargePaymentMethod": "TransactionPayload", "captureTransaction": "TransactionPayload",
            "reverseTransaction": "ReverseTransactionPayload", "refundTransaction": "RefundTransactionPayload",
            "deletePaymentMethodFromVault": "DeletePaymentMethodFromVaultPayload",
        ],
        "DeletePaymentMethodFromVaultPayload": ["clientMutationId": "String"],
        "Search": ["transactions": "TransactionConnection"],
        "TransactionConnection": ["edges": "TransactionConnectionEdge", "pageInfo": "PageInfo"],
        "TransactionConnectionEdge": ["node": "Transaction", "cursor": "String"],
        "PageInfo": ["hasNextPage": "Boolean", "endCursor": "String"],
        "TokenizeNetworkTokenPayload": ["clientMutationId": "String", "paymentMethod": "PaymentMethod"],
        "PaymentMethod": ["id": "ID", "legacyId": "ID", "usage": "PaymentMethodUsage"],
        "TransactionPayload": ["clientMutationId": "String", "transaction": "Transaction"],
        "ReverseTransactionPayload": ["clientMutationId": "String", "reversal": "TransactionReversal"],
        "TransactionReversal": ["__typename": "String"],
        "RefundTransactionPayload": ["clientMutationId": "String", "refund": "Refund"],
        "Node": ["id": "ID"],
        "Transaction": [
            "id": "ID", "legacyId": "ID", "orderId": "String", "status": "PaymentStatus", "amount": "MonetaryAmount",
            "statusHistory": "PaymentStatusEvent", "paymentMethodSnapshot": "PaymentMethodSnapshot",
            "paymentMethod": "PaymentMethod", "refunds": "Refund",
        ],
        "Refund": [
            "id": "ID", "legacyId": "ID", "orderId": "String", "status": "PaymentStatus", "amount": "MonetaryAmount",
            "statusHistory": "PaymentStatusEvent", "refundedTransaction": "Transaction",
        ],
        "MonetaryAmount": ["value": "Amount", "currencyCode": "CurrencyCodeAlpha"],
        "PaymentStatusEvent": ["status": "PaymentStatus", "timestamp": "Timestamp", "amount": "MonetaryAmount"],
        "AuthorizedEvent": ["authorizationExpiresAt": "Timestamp", "processorResponse": "ProcessorResponse"],
        "ProcessorDeclinedEvent": [
            "declineType": "ProcessorDeclineType", "processorResponse": "ProcessorResponse",
            "merchantAdviceCodeResponse": "MerchantAdviceCodeResponse",
        ],
        "MerchantAdviceCodeResponse": ["code": "String", "message": "String"],
        "GatewayRejectedEvent": [
            "gatewayRejectionReason": "GatewayRejectionReason", "processorResponse": "ProcessorResponse",
        ],
        "FailedEvent": ["processorResponse": "ProcessorResponse"],
        "SettlementDeclinedEvent": ["processorResponse": "ProcessorResponse"],
        "ProcessorResponse": ["legacyCode": "String", "message": "String"],
        "PaymentMethodSnapshot": [:],
        "CreditCardDetails": [
            "brandCode": "CreditCardBrandCode", "last4": "String", "expirationMonth": "String",
            "expirationYear": "String",
        ],
        "CreditCardTransactionDetails": ["networkTransactionId": "String", "creditCard": "CreditCardDetails"],
    ]

    /// The types that an interface or a union may turn out to be.
    static let members: [String: Set<String>] = [
        "Node": ["Transaction", "Refund"], "TransactionReversal": ["Transaction", "Refund"],
        "PaymentStatusEvent": [
            "AuthorizedEvent", "ProcessorDeclinedEvent", "GatewayRejectedEvent", "FailedEvent",
            "SettlementDeclinedEvent",
        ],
        "PaymentMethodSnapshot": ["CreditCardDetails", "CreditCardTransactionDetails"],
    ]

    /// The arguments of the fields that take any.
    static let arguments: [String: [String: String]] = [
        "node": ["id": "ID!"], "transactions": ["input": "TransactionSearchInput!", "first": "Int", "after": "String"],
        "tokenizeNetworkToken": ["input": "TokenizeNetworkTokenInput!"],
        "authorizePaymentMethod": ["input": "AuthorizePaymentMethodInput!"],
        "chargePaymentMethod": ["input": "ChargePaymentMethodInput!"],
        "captureTransaction": ["input": "CaptureTransactionInput!"],
        "reverseTransaction": ["input": "ReverseTransactionInput!"],
        "refundTransaction": ["input": "RefundTransactionInput!"],
        "deletePaymentMethodFromVault": ["input": "DeletePaymentMethodFromVaultInput!"],
    ]

    private static let payment = [
        "clientMutationId": "String", "paymentMethodId": "ID!", "transaction": "TransactionInput!",
    ]

    /// The members of the input types.
    static let inputs: [String: [String: String]] = [
        "TokenizeNetworkTokenInput": ["clientMutationId": "String", "networkToken": "NetworkTokenInput!"],
        "NetworkTokenInput": [
            "cryptogram": "String!", "eCommerceIndicator": "ECommerceIndicator", "expirationMonth": "Month!",
            "expirationYear": "Year!", "number": "CreditCardNumber!",
            "originDetails": "NetworkTokenOriginDetailsInput!",
        ],
        "NetworkTokenOriginDetailsInput": ["origin": "NetworkTokenOrigin!"],
        "AuthorizePaymentMethodInput": payment, "ChargePaymentMethodInput": payment,
        "TransactionInput": [
            "amount": "Amount!", "merchantAccountId": "ID", "orderId": "String", "customerId": "ID",
            "riskData": "RiskDataInput", "descriptor": "TransactionDescriptorInput",
            "shipping": "TransactionShippingInput", "lineItems": "[TransactionLineItemInput!]",
            "customerDetails": "TransactionCustomerDetailsInput", "paymentInitiator": "PaymentInitiator",
            "vaultPaymentMethodAfterTransacting": "VaultPaymentMethodAfterTransactingInput",
        ],
        "VaultPaymentMethodAfterTransactingInput": ["when": "VaultPaymentMethodCriteria!"],
        "DeletePaymentMethodFromVaultInput": ["clientMutationId": "String", "paymentMethodId": "ID!"],
        "RiskDataInput": ["customerBrowser": "String", "customerIp": "String", "deviceData": "String"],
        "TransactionDescriptorInput": ["name": "String", "phone": "String", "url": "String"],
        "TransactionShippingInput": ["shippingAddress": "AddressInput"],
        "AddressInput": [
            "firstName": "String", "lastName": "String", "streetAddress": "String", "extendedAddress": "String",
            "locality": "String", "region": "String", "postalCode": "PostalCode", "countryCodeAlpha2": "CountryCode",
        ],
        "TransactionLineItemInput": [
            "name": "ItemName!", "kind": "TransactionLineItemType!", "quantity": "Quantity!", "unitAmount": "Amount!",
            "totalAmount": "Amount!", "taxAmount": "Amount", "productCode": "ItemCode", "commodityCode": "ItemCode",
        ],
        "TransactionCustomerDetailsInput": ["email": "String", "phoneNumber": "String"],
        "CaptureTransactionInput": [
            "clientMutationId": "String", "transactionId": "ID!", "transaction": "CaptureTransactionOptionsInput",
        ],
        "CaptureTransactionOptionsInput": ["amount": "Amount", "orderId": "String"],
        "ReverseTransactionInput": ["clientMutationId": "String", "transactionId": "ID!"],
        "RefundTransactionInput": ["clientMutationId": "String", "transactionId": "ID!", "refund": "RefundInput"],
        "RefundInput": ["amount": "Amount", "orderId": "String", "merchantAccountId": "ID"],
        "TransactionSearchInput": ["orderId": "SearchTextInput", "id": "SearchValueInput"],
        "SearchTextInput": ["is": "String", "startsWith": "String"],
    ]

    /// Whether the text is a value of the scalar or enumeration.
    static func isValue(_ text: String, of type: String) -> Bool {
        let digits = text.allSatisfy { $0.isASCII && $0.isNumber }
        switch type {
        case "String", "ID": return (1...255).contains(text.count)
        case "Month": return digits && text.count == 2 && (1...12).contains(Int(text) ?? 0)
        case "Year": return digits && text.count == 4
        case "CreditCardNumber": return digits && (12...19).contains(text.count)
        case "ECommerceIndicator": return digits && text.count == 2
        // The schema has these as String, and says in words how long they are.
        case "ItemName": return (1...35).contains(text.count)
        case "ItemCode": return (1...12).contains(text.count)
        case "PostalCode": return (1...9).contains(text.count { $0 != " " && $0 != "-" })
        case "Quantity": return digits && !text.isEmpty && text != "0"
        case "CountryCode": return text.count == 2 && text.allSatisfy(\.isUppercase)
        case "TransactionLineItemType": return ["CREDIT", "DEBIT"].contains(text)
        case "NetworkTokenOrigin": return ["APPLE_PAY", "GOOGLE_PAY", "NETWORK_TOKEN"].contains(text)
        case "PaymentInitiator": return ["RECURRING", "RECURRING_FIRST", "UNSCHEDULED"].contains(text)
        case "VaultPaymentMethodCriteria": return ["ALWAYS", "ON_SUCCESSFUL_TRANSACTION"].contains(text)
        case "Amount":
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let isNumber = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
            return isNumber && (parts.count == 1 || parts.count == 2 && (2...3).contains(parts[1].count))
        default: return false
        }
    }
}
