import BraintreeAdapter
package import Gateway
import SimulatorAdapter
import StripeAdapter

/// The PSPs that this build has adapters for: one line each.
package enum AdapterCatalog {
    /// The PSPs by name.
    package static let psps: [String: PSPDirectory.PSP] = [
        BraintreeAdapter.name: PSPDirectory.PSP(BraintreeAdapter.self),
        SimulatorAdapter.name: PSPDirectory.PSP(SimulatorAdapter.self),
        StripeAdapter.name: PSPDirectory.PSP(StripeAdapter.self),
    ]
}
