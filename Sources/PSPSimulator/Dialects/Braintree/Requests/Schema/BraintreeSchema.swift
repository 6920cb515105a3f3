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
        input VaultPaymentMethodAfterTransactingInput input TransactionCustomerDetailsInput
        input TransactionProcessingOverridesInput input TransactionIndustryInput

        """

    private static let searches = """
        input TransactionSearchInput {
          id: SearchValueInput status: SearchTransactionStatusInput orderId: SearchTextInput
          amount: MonetaryAmountSearchInput merchantAccountId: SearchPaymentMerchantAccountIdInput
          createdAt: SearchTimestampInput disbursementDate: SearchDateInput
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
