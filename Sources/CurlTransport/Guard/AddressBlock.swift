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
