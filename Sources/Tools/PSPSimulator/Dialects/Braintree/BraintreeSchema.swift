import StrictJSON

/// The part of Braintree's schema that the dialect answers (graphql.braintreepayments.com/reference, read 2026).
///
/// The names of fields are Braintree's. Types and inputs without fields are Braintree's too, but nothing is known of
/// them here: they are answered with null and taken whatever they hold.
enum BraintreeSchema {
    /// The types.
    static let types: GraphQLSchema = {
        do throws(Refusal) {
            return try GraphQLSchema(roots + inputs + searches + objects + events)
        } catch {
            preconditionFailure("Braintree's schema cannot be read: \(error.message)")
        }
    }()

    private static let roots = """
        type Query {
          ping: String! node(id: ID!): Node idFromLegacyId(legacyId: ID!, type: LegacyIdType!): ID! search: Search
        }
        type Search {
          transactions(input: TransactionSearchInput!, first: Int, after: String): TransactionConnection
          refunds(input: RefundSearchInput!, first: Int, after: String): RefundConnection
          payments(input: PaymentSearchInput!, first: Int, after: String): PaymentConnection
        }
        type Mutation {
          tokenizeNetworkToken(input: TokenizeNetworkTokenInput!): TokenizeNetworkTokenPayload
          authorizePaymentMethod(input: AuthorizePaymentMethodInput!): TransactionPayload
          authorizeCreditCard(input: AuthorizeCreditCardInput!): TransactionPayload
          chargePaymentMethod(input: ChargePaymentMethodInput!): TransactionPayload
          chargeCreditCard(input: ChargeCreditCardInput!): TransactionPayload
          captureTransaction(input: CaptureTransactionInput!): TransactionPayload
          partialCaptureTransaction(input: PartialCaptureTransactionInput!): PartialCaptureTransactionPayload
          voidTransaction(input: VoidTransactionInput!): VoidTransactionPayload
          reverseTransaction(input: ReverseTransactionInput!): ReverseTransactionPayload
          refundTransaction(input: RefundTransactionInput!): RefundTransactionPayload
          deletePaymentMethodFromVault(input: DeletePaymentMethodFromVaultInput!): DeletePaymentMethodFromVaultPayload
        }
        enum LegacyIdType {
          CUSTOMER DISPUTE MERCHANT_ACCOUNT_APPLICATION PAYMENT_CONTEXT PAYMENT_METHOD REFUND TRANSACTION
          US_BANK_ACCOUNT_VERIFICATION VERIFICATION
        }

        """

    private static let inputs = """
        input TokenizeNetworkTokenInput { clientMutationId: String networkToken: NetworkTokenInput! }
        input NetworkTokenInput {
          cryptogram: String! eCommerceIndicator: ECommerceIndicator expirationMonth: Month! expirationYear: Year!
          number: CreditCardNumber! originDetails: NetworkTokenOriginDetailsInput!
        }
        input NetworkTokenOriginDetailsInput {
          origin: NetworkTokenOrigin! sourceCardDescription: String sourceCardLast4: CreditCardLast4
          sourceCardType: CreditCardBrandCode tokenRequestorId: String transactionId: String
        }
        enum NetworkTokenOrigin { APPLE_PAY GOOGLE_PAY NETWORK_TOKEN }
        enum CreditCardBrandCode {
          AMERICAN_EXPRESS CITI DINERS DISCOVER ELO HIPER HIPERCARD INTERNATIONAL_MAESTRO JCB MASTERCARD SOLO SWITCH
          UK_MAESTRO UNION_PAY UNKNOWN VISA american_express citi diners discover elo hiper hipercard
          international_maestro jcb mastercard solo switch uk_maestro union_pay unknown visa
        }
        input AuthorizePaymentMethodInput {
          clientMutationId: String paymentMethodId: ID! transaction: TransactionInput!
        }
        input ChargePaymentMethodInput {
          clientMutationId: String paymentMethodId: ID! transaction: TransactionInput!
        }
        input AuthorizeCreditCardInput {
          clientMutationId: String paymentMethodId: ID! options: CreditCardTransactionOptionsInput
          transaction: TransactionInput!
        }
        input ChargeCreditCardInput {
          clientMutationId: String paymentMethodId: ID! options: CreditCardTransactionOptionsInput
          transaction: TransactionInput!
        }
        input TransactionInput {
          amount: Amount! merchantAccountId: ID orderId: String exchangeRateQuoteId: ID purchaseOrderNumber: String
          riskData: RiskDataInput customFields: [CustomFieldInput!] descriptor: TransactionDescriptorInput
          recurring: RecurringType paymentInitiator: PaymentInitiator channel: String customerId: ID
          shipping: TransactionShippingInput tax: TransactionTaxInput discountAmount: String surchargeAmount: String
          lineItems: [TransactionLineItemInput!] threeDSecurePassThrough: ThreeDSecurePassThroughInput
          vaultPaymentMethodAfterTransacting: VaultPaymentMethodAfterTransactingInput
          customerDetails: TransactionCustomerDetailsInput
          processingOverrides: TransactionProcessingOverridesInput industry: TransactionIndustryInput
        }
        input CaptureTransactionInput {
          clientMutationId: String transactionId: ID! amount: Amount transaction: CaptureTransactionOptionsInput
        }
        input CaptureTransactionOptionsInput {
          amount: Amount descriptor: TransactionDescriptorInput discountAmount: String
          lineItems: [TransactionLineItemInput!] orderId: String purchaseOrderNumber: String
          shipping: TransactionShippingInput tax: TransactionTaxInput industry: TransactionIndustryInput
        }
        input PartialCaptureTransactionInput {
          clientMutationId: String transactionId: ID! transaction: PartialCaptureTransactionOptionsInput
        }
        input PartialCaptureTransactionOptionsInput {
          amount: Amount! discountAmount: String finalCapture: Boolean lineItems: [TransactionLineItemInput!]
          orderId: String purchaseOrderNumber: String shipping: TransactionShippingInput tax: TransactionTaxInput
          descriptor: TransactionDescriptorInput industry: TransactionIndustryInput
        }
        input VoidTransactionInput { clientMutationId: String transactionId: ID! }
        input ReverseTransactionInput { clientMutationId: String transactionId: ID! }
        input RefundTransactionInput { clientMutationId: String transactionId: ID! refund: RefundInput }
        input RefundInput {
          amount: Amount orderId: String merchantAccountId: ID description: String reason: String
          lineItems: [TransactionLineItemInput!]
        }
        input CustomFieldInput { name: CustomFieldName! value: String }
        input TransactionDescriptorInput { name: String phone: String url: String }
        enum RecurringType { FIRST SUBSEQUENT UNSCHEDULED }
        enum PaymentInitiator {
          ESTIMATED INSTALLMENT INSTALLMENT_FIRST MOTO RECURRING RECURRING_FIRST UNSCHEDULED
        }
        input CreditCardTransactionOptionsInput input RiskDataInput input TransactionShippingInput
        input TransactionTaxInput input TransactionLineItemInput input ThreeDSecurePassThroughInput
        input VaultPaymentMethodAfterTransactingInput { when: VaultPaymentMethodCriteria! }
        enum VaultPaymentMethodCriteria { ALWAYS ON_SUCCESSFUL_TRANSACTION }
        input DeletePaymentMethodFromVaultInput { clientMutationId: String paymentMethodId: ID! }
        input TransactionCustomerDetailsInput
        input TransactionProcessingOverridesInput input TransactionIndustryInput

        """

    private static let searches = """
        input TransactionSearchInput {
          id: SearchValueInput status: SearchTransactionStatusInput orderId: SearchTextInput
          amount: MonetaryAmountSearchInput merchantAccountId: SearchPaymentMerchantAccountIdInput
          createdAt: SearchTimestampInput disbursementDate: SearchDateInput
          statusTransition: SearchTransactionStatusTransitionInput
        }
        input SearchTransactionStatusTransitionInput {
          failedAt: SearchTimestampInput settledAt: SearchTimestampInput
          submittedForSettlementAt: SearchTimestampInput voidedAt: SearchTimestampInput
        }
        input RefundSearchInput {
          id: SearchValueInput status: SearchTransactionStatusInput orderId: SearchTextInput
          amount: MonetaryAmountSearchInput merchantAccountId: SearchPaymentMerchantAccountIdInput
          createdAt: SearchTimestampInput disbursementDate: SearchDateInput
        }
        input PaymentSearchInput {
          id: SearchValueInput type: SearchPaymentTypeInput status: SearchPaymentStatusInput orderId: SearchTextInput
          amount: MonetaryAmountSearchInput merchantAccountId: SearchPaymentMerchantAccountIdInput
          createdAt: SearchTimestampInput disbursementDate: SearchDateInput
        }
        input SearchPaymentTypeInput { is: PaymentSearchType in: [PaymentSearchType!] }
        enum PaymentSearchType { REFUND TRANSACTION }
        input SearchPaymentStatusInput { is: PaymentStatus in: [PaymentStatus!] }
        input SearchDateInput { is: Date greaterThanOrEqualTo: Date lessThanOrEqualTo: Date }
        input SearchValueInput { is: String in: [String!] }
        input SearchTextInput {
          is: String isNot: String startsWith: String endsWith: String contains: String
        }
        input SearchPaymentMerchantAccountIdInput {
          is: String in: [String!] isNot: String startsWith: String endsWith: String contains: String
        }
        input SearchTimestampInput { greaterThanOrEqualTo: Timestamp lessThanOrEqualTo: Timestamp }
        input SearchTransactionStatusInput { is: PaymentStatus in: [PaymentStatus!] }
        input MonetaryAmountSearchInput {
          value: SearchRangeInput currencyIsoCode: SearchTextInput currencyCode: SearchTextInput
        }
        input SearchRangeInput { is: String greaterThanOrEqualTo: String lessThanOrEqualTo: String }
        enum PaymentStatus {
          AUTHORIZATION_EXPIRED AUTHORIZED AUTHORIZING FAILED GATEWAY_REJECTED PROCESSOR_DECLINED SETTLED
          SETTLEMENT_CONFIRMED SETTLEMENT_DECLINED SETTLEMENT_PENDING SETTLING SUBMITTED_FOR_SETTLEMENT VOIDED
        }

        """
}

/// What Braintree answers with.
extension BraintreeSchema {
    static let objects = """
        interface Node { id: ID! }
        type TokenizeNetworkTokenPayload { clientMutationId: String paymentMethod: PaymentMethod }
        type TransactionPayload { clientMutationId: String transaction: Transaction }
        type DeletePaymentMethodFromVaultPayload { clientMutationId: String }
        type PartialCaptureTransactionPayload { clientMutationId: String capture: Transaction }
        type VoidTransactionPayload {
          clientMutationId: String transaction: Transaction errors: [VoidTransactionError!]
        }
        type VoidTransactionError { field: String message: String code: String }
        type ReverseTransactionPayload { clientMutationId: String reversal: TransactionReversal }
        type RefundTransactionPayload { clientMutationId: String refund: Refund }
        union TransactionReversal = Refund | Transaction
        interface Payment {
          id: ID! legacyId: ID! createdAt: Timestamp amount: MonetaryAmount orderId: String status: PaymentStatus
          statusHistory: [PaymentStatusEvent!] merchantAccountId: ID source: PaymentSource
          paymentMethodSnapshot: PaymentMethodSnapshot
        }
        type Transaction implements Node & Payment {
          id: ID! legacyId: ID! createdAt: Timestamp paymentMethodSnapshot: PaymentMethodSnapshot
          paymentMethod: PaymentMethod amount: MonetaryAmount initialRequestedAuthorizationAmount: MonetaryAmount
          customFields: [CustomField!] merchantId: String merchantAccountId: ID merchantName: String
          merchantAddress: Address orderId: String purchaseOrderNumber: String status: PaymentStatus
          processorResponse: TransactionAuthorizationProcessorResponse riskData: RiskData
          descriptor: TransactionDescriptor statusHistory: [PaymentStatusEvent!] channel: String
          source: PaymentSource customer: Customer shipping: TransactionShipping tax: TransactionTaxInformation
          scaExemptionRequested: ScaExemptionType discountAmount: String surchargeAmount: String
          lineItems: [TransactionLineItem!] refunds: [Refund!] partialCaptureDetails: PartialCaptureDetails
          disputes: [Dispute!] facilitatorDetails: FacilitatorDetails disbursementDetails: DisbursementDetails
          billingAddress: Address authorizationAdjustments: [AuthorizationAdjustment!] retried: Boolean
          retriedParentTransaction: Transaction retriedTransactions: [Transaction!]
          installmentDetails: TransactionInstallmentDetails paymentInitiatedAt: Timestamp
          processingMode: ProcessingMode partiallyAuthorized: Boolean
        }
        type Refund implements Node & Payment {
          id: ID! legacyId: ID! createdAt: Timestamp amount: MonetaryAmount orderId: String status: PaymentStatus
          statusHistory: [PaymentStatusEvent!] details: RefundPaymentMethodDetails merchantAccountId: ID
          source: PaymentSource refundedTransaction: Transaction paymentMethodSnapshot: PaymentMethodSnapshot
          paymentMethod: PaymentMethod customer: Customer lineItems: [TransactionLineItem!]
          customFields: [CustomField!] descriptor: TransactionDescriptor disbursementDetails: DisbursementDetails
          paymentInitiatedAt: Timestamp
        }
        type PaymentMethod implements Node {
          id: ID! legacyId: ID! usage: PaymentMethodUsage createdAt: Timestamp details: PaymentMethodDetails
          customer: Customer
        }
        union PaymentMethodDetails = CreditCardDetails | PayPalAccountDetails | VenmoAccountDetails
          | UsBankAccountDetails | SamsungPayCardDetails | SEPADirectDebitAccountDetails
          | CustomActionsPaymentMethodDetails
        union PaymentMethodSnapshot = CreditCardTransactionDetails | CreditCardDetails | PayPalTransactionDetails
          | VenmoAccountDetails | UsBankAccountDetails | LocalPaymentDetails | SEPADirectDebitTransactionDetails
          | CustomActionsPaymentMethodDetails
        union RefundPaymentMethodDetails = PayPalRefundDetails | PayPalLocalPaymentRefundDetails
          | SEPADirectDebitRefundDetails
        union PartialCaptureDetails = ChildCapture | ParentAuthorization
        type CreditCardTransactionDetails {
          creditCard: CreditCardDetails networkTransactionId: String accountType: CardAccountType
          acquirerReferenceNumber: String processedWithCardOnFileNetworkToken: Boolean accountBalance: MonetaryAmount
        }
        type CreditCardDetails {
          brandCode: CreditCardBrandCode last4: String bin: String binData: BinRecord expirationMonth: String
          expirationYear: String cardholderName: String uniqueNumberIdentifier: String origin: PaymentMethodOrigin
          billingAddress: Address threeDSecure: ThreeDSecureDetails imageUrl: String brand: String
          cardOnFileNetworkTokenized: Boolean
        }
        type PaymentMethodOrigin { type: PaymentMethodOriginType details: PaymentMethodOriginDetails }
        type MonetaryAmount { value: Amount currencyIsoCode: CurrencyCodeAlpha currencyCode: CurrencyCodeAlpha }
        type DisbursementDetails { date: Date amount: MonetaryAmount exchangeRate: String fundsHeld: Boolean }
        type CustomField { name: CustomFieldName value: String }
        type Dispute implements Node {
          id: ID! legacyId: ID! amountDisputed: MonetaryAmount amountWon: MonetaryAmount caseNumber: String
          createdAt: Timestamp receivedDate: Date referenceNumber: String responseDeadline: Timestamp
          replyByDate: Date type: DisputeType status: DisputeStatus transaction: Transaction
        }
        type TransactionConnection { edges: [TransactionConnectionEdge] pageInfo: PageInfo! }
        type TransactionConnectionEdge { cursor: String node: Transaction }
        type RefundConnection { edges: [RefundConnectionEdge] pageInfo: PageInfo! }
        type RefundConnectionEdge { cursor: String node: Refund }
        type PaymentConnection { edges: [PaymentConnectionEdge] pageInfo: PageInfo! }
        type PaymentConnectionEdge { cursor: String node: Payment }
        type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
        type Address type AuthorizationAdjustment type BinRecord type ChildCapture
        type CustomActionsPaymentMethodDetails type Customer type FacilitatorDetails
        type LocalPaymentDetails type ParentAuthorization type PayPalAccountDetails
        type PayPalLocalPaymentRefundDetails type PayPalRefundDetails type PayPalTransactionDetails
        type PaymentMethodOriginDetails type RiskData type SamsungPayCardDetails type SEPADirectDebitAccountDetails
        type SEPADirectDebitRefundDetails type SEPADirectDebitTransactionDetails type ThreeDSecureDetails
        type TransactionDescriptor type TransactionInstallmentDetails type TransactionLineItem
        type TransactionShipping type TransactionTaxInformation type UsBankAccountDetails type VenmoAccountDetails

        """

    static let events = """
        interface PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
        }
        type AuthorizedEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          processorResponse: TransactionAuthorizationProcessorResponse networkResponse: PaymentNetworkResponse
          riskDecision: RiskDecision authorizationExpiresAt: Timestamp userName: String
        }
        type ProcessorDeclinedEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          declineType: ProcessorDeclineType processorResponse: TransactionAuthorizationProcessorResponse
          networkResponse: PaymentNetworkResponse merchantAdviceCodeResponse: MerchantAdviceCodeResponse
          riskDecision: RiskDecision userName: String
        }
        type GatewayRejectedEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          gatewayRejectionReason: GatewayRejectionReason
          processorResponse: TransactionAuthorizationProcessorResponse networkResponse: PaymentNetworkResponse
          merchantAdviceCodeResponse: MerchantAdviceCodeResponse riskDecision: RiskDecision
          duplicateOf: Transaction userName: String
        }
        type FailedEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          processorResponse: TransactionAuthorizationProcessorResponse networkResponse: PaymentNetworkResponse
          merchantAdviceCodeResponse: MerchantAdviceCodeResponse riskDecision: RiskDecision userName: String
        }
        type SubmittedForSettlementEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          userName: String
        }
        type VoidedEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          userName: String
        }
        type AuthorizationExpiredEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
        }
        type SettlingEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
        }
        type SettledEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          processorResponse: TransactionSettlementProcessorResponse settlementBatchId: String
        }
        type SettlementPendingEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          processorResponse: TransactionSettlementProcessorResponse
        }
        type SettlementConfirmedEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          processorResponse: TransactionSettlementProcessorResponse
        }
        type SettlementDeclinedEvent implements PaymentStatusEvent {
          status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
          processorResponse: TransactionSettlementProcessorResponse
        }
        type TransactionAuthorizationProcessorResponse {
          legacyCode: String message: String cvvResponse: AvsCvvResponseCode
          avsPostalCodeResponse: AvsCvvResponseCode avsStreetAddressResponse: AvsCvvResponseCode
          authorizationId: String additionalInformation: String retrievalReferenceNumber: String
        }
        type TransactionSettlementProcessorResponse {
          legacyCode: String message: String cvvResponse: AvsCvvResponseCode
          avsPostalCodeResponse: AvsCvvResponseCode avsStreetAddressResponse: AvsCvvResponseCode
        }
        type PaymentNetworkResponse { code: String message: String }
        type MerchantAdviceCodeResponse { code: String message: String }
        """
}

/// Braintree's scalar types.
enum BraintreeScalar {
    /// A value in its type's form; nil if it is none of the type.
    static func value(_ type: String, _ json: JSON) -> JSON? {
        switch (type, json) {
        case ("ID", .integer(let number)): .string(String(number))
        case ("Int", .integer(let number)): Int32(exactly: number) == nil ? .none : json
        case ("Boolean", .bool): json
        case (_, .string(let text)): isText(text, of: type) ? json : .none
        default: .none
        }
    }

    /// Whether the text is digits only, so many of them.
    static func isDigits(_ text: some StringProtocol, count: ClosedRange<Int>) -> Bool {
        count.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isText(_ text: String, of type: String) -> Bool {
        switch type {
        case "String", "ID", "CustomFieldName", "CreditCardNumber", "Timestamp": true
        case "Amount": isAmount(text.hasPrefix("-") ? text.dropFirst() : text[...])
        case "Date": text.utf8.count == 10
        case "Month": isDigits(text, count: 2...2) && ("01"..."12").contains(text)
        case "Year", "CreditCardLast4": isDigits(text, count: 4...4)
        case "ECommerceIndicator": isDigits(text, count: 2...2)
        default: false
        }
    }

    /// A whole number, or one with exactly two or three decimals.
    private static func isAmount(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, isDigits(parts[0], count: 1...15) else { return false }
        return parts.count == 1 || isDigits(parts[1], count: 2...3)
    }
}
