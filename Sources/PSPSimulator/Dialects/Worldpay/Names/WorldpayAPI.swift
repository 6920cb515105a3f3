/// The APIs of Access Worldpay that the dialect speaks, which differ in their headers and their links.
enum WorldpayAPI: String, Hashable, Sendable {
    /// Payments, version 2024-06-01.
    case payments
    /// Card Payments, version 7: only what is done to a payment, which is where Payment Queries' links lead.
    case cardPayments
    /// Payment Queries, version 1.
    case queries
    /// Split Payments, version 2025-06-25.
    case splitPayments
}
