/// All addresses of one version that begin with the same bits (RFC 4632, 3.1; RFC 4291, 2.3): `10.0.0.0/8`,
/// `2001:db8::/32`, or one address.
///
/// A range of addresses of version 4 may be written as one of version 6 (`::ffff:192.0.2.0/120`).
package struct NetworkRange: Hashable, Sendable, CustomStringConvertible {
    /// What a range is, for whoever wrote something else.
    package static let expected = "an address, or a range such as 10.0.0.0/8 whose further bits are zero"

    private let first: NetworkAddress
    /// How many leading bits count, of an address as one of version 6.
    private let bits: Int

    /// Reads an address, or one with a slash and how many leading bits count; the other bits have to be zero.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let head = parts.first, parts.count <= 2, let first = NetworkAddress(head) else { return nil }
        // What is written in front of an address of version 4 counts where it is written.
        let unwritten = head.utf8.contains(UInt8(ascii: ":")) ? 0 : 96
        var bits = 128
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let given = Int(parts[1]), given <= 128 - unwritten, String(given) == parts[1]
            else { return nil }
            bits = unwritten + given
        }
        guard !first.isVersion4 || bits >= 96, first.number & ~Self.mask(bits) == 0 else { return nil }
        self.first = first
        self.bits = bits
    }

    /// The range as it is stored and shown: always with its length.
    package var description: String { "\(first.text)/\(first.isVersion4 ? bits - 96 : bits)" }

    /// Whether an address is one of them.
    package func contains(_ address: NetworkAddress) -> Bool {
        address.isVersion4 == first.isVersion4 && (address.number ^ first.number) & Self.mask(bits) == 0
    }

    /// Whether an address, as text, is one of them; false for what is none.
    ///
    /// A zone behind the address (`fe80::1%eth0`) is passed over.
    package func contains(_ text: String) -> Bool {
        let address = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)[0]
        return NetworkAddress(address).map(contains) ?? false
    }

    /// Whether all of it lies in one of these.
    package func lies(in ranges: [NetworkRange]) -> Bool {
        ranges.contains { range in range.bits <= bits && range.contains(first) }
    }

    private static func mask(_ bits: Int) -> UInt128 { bits == 0 ? 0 : UInt128.max << (128 - bits) }
}
