/// Where a transaction or a refund stands (`PaymentStatus` of the schema).
enum PaymentStatus: String {
    case authorizationExpired = "AUTHORIZATION_EXPIRED"
    case authorized = "AUTHORIZED"
    case authorizing = "AUTHORIZING"
    case failed = "FAILED"
    case gatewayRejected = "GATEWAY_REJECTED"
    case processorDeclined = "PROCESSOR_DECLINED"
    case settled = "SETTLED"
    /// Captured in parts by other transactions, which only PayPal and Venmo have.
    case settlementConfirmed = "SETTLEMENT_CONFIRMED"
    case settlementDeclined = "SETTLEMENT_DECLINED"
    case settlementPending = "SETTLEMENT_PENDING"
    case settling = "SETTLING"
    case submittedForSettlement = "SUBMITTED_FOR_SETTLEMENT"
    case voided = "VOIDED"
}
