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

/// All addresses that begin with the same bits.
struct AddressBlock: Hashable, Sendable {
    private let network: IPAddress
    private let bits: Int

    /// A block of IPv4 from its leading octets; those left out are zero.
    init(_ octets: UInt8..., bits: Int) {
        let number = octets.reduce(0) { $0 << 8 | UInt32($1) }
        network = .v4(number << (8 * (4 - octets.count)))
        self.bits = bits
    }

    /// A block of IPv6 from its leading groups of sixteen bits; those left out are zero.
    init(groups: UInt16..., bits: Int) {
        let number = groups.reduce(0) { $0 << 16 | UInt128($1) }
        network = .v6(number << (16 * (8 - groups.count)))
        self.bits = bits
    }

    func contains(_ address: IPAddress) -> Bool {
        switch (network, address) {
        case (.v4(let network), .v4(let address)): (network ^ address) >> (32 - bits) == 0
        case (.v6(let network), .v6(let address)): (network ^ address) >> (128 - bits) == 0
        case (.v4, .v6), (.v6, .v4): false
        }
    }
}
