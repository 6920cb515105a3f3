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
