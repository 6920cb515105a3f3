import Domain
import PSPSimulator

/// A PSP whose settlement reports are read, with the one account and the one merchant that the books have there.
enum SettledPSP: String, CaseIterable, Sendable {
    case stripe, adyen, checkout, square, braintree

    /// How its twin speaks, and writes its reports.
    var dialect: DialectName {
        switch self {
        case .stripe: .stripe
        case .adyen: .adyen
        case .checkout: .checkout
        case .square: .square
        case .braintree: .braintree
        }
    }
    /// The marketplace's account.
    var account: String { "\(rawValue)-main" }
    /// The merchant, by its external identifier.
    var merchant: String { "at-\(rawValue)" }
    /// The merchant's account at the PSP; at Adyen a balance account, whose names begin so.
    var merchantAccount: String { (self == .adyen ? "BA" : "") + "\(rawValue)Shop" }
    /// Square pays the merchant, and the marketplace its commission; the others pay the marketplace.
    var settlesTo: RouteSnapshot.SettlesTo { self == .square ? .merchant : .marketplace }
    /// The name of the month's payout.
    var payout: String { "PO\(rawValue.uppercased())" }
    /// Braintree's report tells neither what is paid out nor in which batch.
    var tellsPayouts: Bool { self != .braintree }
    /// The name of its report's file.
    var file: String { self == .square ? "\(rawValue).json" : "\(rawValue).csv" }
}
