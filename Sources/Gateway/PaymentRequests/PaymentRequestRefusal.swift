package import StrictJSON

/// Why a payment request was not stored or revised.
///
/// Nothing was written.
package enum PaymentRequestRefusal: Error, Hashable, Sendable {
    /// It cannot be accepted as it is; every reason at once.
    case invalid([Violation])
    /// The marketplace has none with that id.
    case notFound
    /// An order has used it up.
    case used
    /// Its time is over.
    case expired
}
