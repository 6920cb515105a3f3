/// Who chose where a request goes, and so what is checked.
package enum Destination: Hashable, Sendable {
    /// The operator: every address will do.
    case trusted
    /// A stranger: the URL is checked, and the address at the moment at which it is connected to.
    ///
    /// Each such request has a connection of its own, so that none is used that was made without the check. Of a
    /// host with several addresses, those refused are passed over.
    case vetted(AddressPolicy)
}
