package import AdapterKit
import AdyenAdapter
import AuthorizeNetAdapter
import BraintreeAdapter
import CheckoutAdapter
package import Gateway
import SimulatorAdapter
import SquareAdapter
import StripeAdapter
import WorldpayAdapter

/// The PSPs that this build has adapters for: one line each.
package enum AdapterCatalog {
    /// The PSPs by name.
    package static let psps: [String: PSPDirectory.PSP] = [
        AdyenAdapter.name: PSPDirectory.PSP(AdyenAdapter.self),
        AuthorizeNetAdapter.name: PSPDirectory.PSP(AuthorizeNetAdapter.self),
        BraintreeAdapter.name: PSPDirectory.PSP(BraintreeAdapter.self),
        CheckoutAdapter.name: PSPDirectory.PSP(CheckoutAdapter.self),
        SimulatorAdapter.name: PSPDirectory.PSP(SimulatorAdapter.self),
        SquareAdapter.name: PSPDirectory.PSP(SquareAdapter.self),
        StripeAdapter.name: PSPDirectory.PSP(StripeAdapter.self),
        WorldpayAdapter.name: PSPDirectory.PSP(WorldpayAdapter.self),
    ]

    /// The kinds of settlement report that each PSP has, by the PSP's name.
    package static let settlementReports: [String: [any SettlementReport.Type]] = [
        AdyenAdapter.name: AdyenAdapter.settlementReports,
        BraintreeAdapter.name: BraintreeAdapter.settlementReports,
        CheckoutAdapter.name: CheckoutAdapter.settlementReports,
        SimulatorAdapter.name: SimulatorAdapter.settlementReports,
        SquareAdapter.name: SquareAdapter.settlementReports,
        StripeAdapter.name: StripeAdapter.settlementReports,
        WorldpayAdapter.name: WorldpayAdapter.settlementReports,
    ]
}
