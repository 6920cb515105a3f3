/// What Braintree answers with.
extension BraintreeSchema {
    static let objects = """
        interface Node { id: ID! }
        type TokenizeNetworkTokenPayload { clientMutationId: String paymentMethod: PaymentMethod }
        type TransactionPayload { clientMutationId: String transaction: Transaction }
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
