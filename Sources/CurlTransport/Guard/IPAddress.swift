import Glibc

/// An address of the Internet protocol, as a number.
package enum IPAddress: Hashable, Sendable {
    /// Of version 4.
    case v4(UInt32)
    /// Of version 6.
    case v6(UInt128)

    /// Reads four decimal numbers without leading zeros, or the notation of RFC 4291, 2.2 without brackets.
    ///
    /// Nil for every other spelling, such as octal or short forms and zones.
    package init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var narrow: UInt32 = 0
        var wide: UInt128 = 0
        if unsafe inet_pton(AF_INET, text, &narrow) == 1 {
            self = .v4(UInt32(bigEndian: narrow))
        } else if unsafe inet_pton(AF_INET6, text, &wide) == 1 {
            self = .v6(UInt128(bigEndian: wide))
        } else {
            return nil
        }
    }
}
