/// What an address is for that does not belong to a host on the public Internet.
package enum SpecialRange: String, Hashable, Sendable, CaseIterable {
    /// "This network" and the unspecified address, which connects to this machine: RFC 1122 and 4291.
    case unspecified
    /// This machine: RFC 1122 and 4291.
    case loopback
    /// A network of one's own: RFC 1918.
    case privateUse = "private"
    /// Behind a carrier's translator: RFC 6598.
    case carrierGradeNAT = "carrier-grade NAT"
    /// One link, where clouds keep the credentials of their machines: RFC 3927 and 4291.
    case linkLocal = "link-local"
    /// A network of one's own in IPv6: RFC 4193.
    case uniqueLocal = "unique-local"
    /// The same before 2004: RFC 3879.
    case siteLocal = "site-local"
    /// A group of hosts: RFC 5771 and 4291.
    case multicast
    /// All hosts of the network: RFC 919.
    case broadcast
    /// For examples in texts: RFC 5737, 3849 and 9637.
    case documentation
    /// For measurements in a laboratory: RFC 2544 and 5180.
    case benchmark
    /// IPv4 inside IPv6, which the system connects to as IPv4: RFC 4291, 2.5.5.2.
    case mapped = "IPv4-mapped"
    /// IPv4 inside IPv6, no longer in use: RFC 4291, 2.5.5.1.
    case compatible = "IPv4-compatible"
    /// IPv4 behind a translator: RFC 6052, 8215 and 2765.
    case translated = "IPv4-translated"
    /// IPv4 behind a tunnel, and the tunnels' relays: RFC 3056 and 7526.
    case sixToFour = "6to4"
    /// IPv4 behind a tunnel over UDP: RFC 4380.
    case teredo = "Teredo"
    /// Traffic to be thrown away: RFC 6666 and 9780.
    case discard
    /// The host side of a cloud's machines: Microsoft, "What is IP address 168.63.129.16?".
    case cloudPlatform = "cloud platform"
    /// Kept by IANA for protocols or the future: RFC 6890 and its registries.
    case reserved

    /// The range an address lies in, or nil if it may be a host on the public Internet.
    static func containing(_ address: IPAddress) -> SpecialRange? {
        blocks.first { $0.block.contains(address) }?.range
    }
}

/// The ranges' blocks, after IANA's IPv4 and IPv6 Special-Purpose Address Registries and the registry of global
/// unicast addresses.
extension SpecialRange {
    /// The narrow before the wide: the first that contains an address names it.
    static let blocks: [(block: AddressBlock, range: SpecialRange)] = version4 + version6

    private static let version4: [(block: AddressBlock, range: SpecialRange)] = [
        (AddressBlock(0, bits: 8), .unspecified),
        (AddressBlock(10, bits: 8), .privateUse),
        (AddressBlock(100, 64, bits: 10), .carrierGradeNAT),
        (AddressBlock(127, bits: 8), .loopback),
        (AddressBlock(168, 63, 129, 16, bits: 32), .cloudPlatform),
        (AddressBlock(169, 254, bits: 16), .linkLocal),
        (AddressBlock(172, 16, bits: 12), .privateUse),
        // Protocol assignments, among them the discovery of translators.
        (AddressBlock(192, 0, 0, bits: 24), .reserved),
        (AddressBlock(192, 0, 2, bits: 24), .documentation),
        // Answers for reverse look-ups of private addresses: RFC 7535 and 7534.
        (AddressBlock(192, 31, 196, bits: 24), .reserved),
        (AddressBlock(192, 175, 48, bits: 24), .reserved),
        // Multicast over unicast tunnels: RFC 7450.
        (AddressBlock(192, 52, 193, bits: 24), .reserved),
        (AddressBlock(192, 88, 99, bits: 24), .sixToFour),
        (AddressBlock(192, 168, bits: 16), .privateUse),
        (AddressBlock(198, 18, bits: 15), .benchmark),
        (AddressBlock(198, 51, 100, bits: 24), .documentation),
        (AddressBlock(203, 0, 113, bits: 24), .documentation),
        (AddressBlock(224, bits: 4), .multicast),
        (AddressBlock(255, 255, 255, 255, bits: 32), .broadcast),
        (AddressBlock(240, bits: 4), .reserved),
    ]

    private static let version6: [(block: AddressBlock, range: SpecialRange)] = [
        (AddressBlock(groups: 0, bits: 128), .unspecified),
        (AddressBlock(groups: 0, 0, 0, 0, 0, 0, 0, 1, bits: 128), .loopback),
        (AddressBlock(groups: 0, bits: 96), .compatible),
        (AddressBlock(groups: 0, 0, 0, 0, 0, 0xFFFF, bits: 96), .mapped),
        (AddressBlock(groups: 0, 0, 0, 0, 0xFFFF, bits: 96), .translated),
        (AddressBlock(groups: 0x64, 0xFF9B, bits: 96), .translated),
        (AddressBlock(groups: 0x64, 0xFF9B, 1, bits: 48), .translated),
        (AddressBlock(groups: 0x100, bits: 64), .discard),
        (AddressBlock(groups: 0x100, 0, 0, 1, bits: 64), .discard),
        (AddressBlock(groups: 0x2001, bits: 32), .teredo),
        (AddressBlock(groups: 0x2001, 2, bits: 48), .benchmark),
        // Protocol assignments, among them identifiers that look like addresses.
        (AddressBlock(groups: 0x2001, bits: 23), .reserved),
        (AddressBlock(groups: 0x2001, 0xDB8, bits: 32), .documentation),
        (AddressBlock(groups: 0x2002, bits: 16), .sixToFour),
        // Answers for reverse look-ups of private addresses: RFC 7534.
        (AddressBlock(groups: 0x2620, 0x4F, 0x8000, bits: 48), .reserved),
        // Within global unicast, but given to no registry.
        (AddressBlock(groups: 0x2D00, bits: 8), .reserved),
        (AddressBlock(groups: 0x2E00, bits: 7), .reserved),
        (AddressBlock(groups: 0x3FFF, bits: 20), .documentation),
        (AddressBlock(groups: 0x3000, bits: 4), .reserved),
        (AddressBlock(groups: 0xFC00, bits: 7), .uniqueLocal),
        (AddressBlock(groups: 0xFE80, bits: 10), .linkLocal),
        (AddressBlock(groups: 0xFEC0, bits: 10), .siteLocal),
        (AddressBlock(groups: 0xFF00, bits: 8), .multicast),
        // Everything that is not in 2000::/3, the only part from which hosts get addresses.
        (AddressBlock(groups: 0, bits: 3), .reserved),
        (AddressBlock(groups: 0x4000, bits: 2), .reserved),
        (AddressBlock(groups: 0x8000, bits: 1), .reserved),
    ]
}
