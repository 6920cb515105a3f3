package import Gateway
import SimulatorAdapter
import StripeAdapter
import WorldpayAdapter

/// The PSPs that this build has adapters for: one line each.
package enum AdapterCatalog {
    /// The PSPs by name.
    package static let psps: [String: PSPDirectory.PSP] = [
        SimulatorAdapter.name: PSPDirectory.PSP(SimulatorAdapter.self),
        StripeAdapter.name: PSPDirectory.PSP(StripeAdapter.self),
        WorldpayAdapter.name: PSPDirectory.PSP(WorldpayAdapter.self),
    ]
}
