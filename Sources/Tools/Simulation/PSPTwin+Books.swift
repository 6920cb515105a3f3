import Domain
package import PSPSimulator

/// What of a PSP's books nobody asked for through the API.
extension BookEvent {
    /// Whether it tells of something that nobody asked for through the API.
    package var isNobodysRequest: Bool {
        if dispute != nil { return true }
        if let operation { return operation.isPortals || type.hasSuffix("failed_later") }
        return type == "authorization.expired"
    }
}

extension BookedOperation {
    /// Whether it was done in the PSP's portal.
    package var isPortals: Bool { reference == "dashboard" && key.isEmpty }

    /// Our name for it, as it stands at the PSP; nil if it has none.
    package var ourName: String? {
        if isPortals { return nil }
        // Square has a refund's as its reason, and the key of its request as its reference.
        if let reason = details["reason"].flatMap({ OperationID($0) }) { return reason.text }
        return reference.isEmpty ? details["orderId"] : reference
    }
}
