import AdapterKit
import Domain

extension Order {
    /// Whether its payments are authorized and captured in one call: only where the policy can never need
    /// compensation, the PSP offers it, and no deadline cuts the waiting short.
    ///
    /// It never changes, so that a webhook that comes long afterwards is read as the call was written.
    func isSale(with capabilities: Capabilities) -> Bool {
        let needsNoCompensation = payments.count == 1 || terms.policy == .bestEffort
        return capabilities.saleInOneCall && needsNoCompensation && terms.capture == .automatic
            && terms.onDeadline == .continue
    }
}
