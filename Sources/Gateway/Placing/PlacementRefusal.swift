package import Domain
package import StrictJSON

/// Why an order was not placed.
///
/// Nothing was stored, no PSP was called, and the idempotency key is still free.
package enum PlacementRefusal: Error, Hashable, Sendable {
    /// The request cannot be accepted as it is; every reason at once.
    case invalid([Violation])
    /// The idempotency key was used with another body.
    case keyReused(OrderID)
    /// Another order of the marketplace uses the reference.
    case referenceInUse(OrderID)
}
