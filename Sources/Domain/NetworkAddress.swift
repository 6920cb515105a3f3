/// An address of the Internet protocol, as a number.
///
/// An address of version 4 written as one of version 6 (`::ffff:192.0.2.1`) is the one of version 4.
package struct NetworkAddress: Hashable, Sendable {
    /// What comes before an address of version 4 in one of version 6 (RFC 4291, 2.5.5.2).
    private static let mapped = UInt128(0xFFFF) << 32
    private static let longest = 45

    /// The address as one of version 6.
    package let number: UInt128

    private init(number: UInt128) { self.number = number }

    /// Reads four decimal numbers without leading zeros, or the notation of RFC 4291, 2.2 without brackets.
    ///
    /// Nil for every other spelling, such as octal or short forms, ports and zones.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.longest else { return nil }
        let text = Substring(text)
        if let narrow = Self.version4(text) {
            number = Self.mapped | UInt128(narrow)
        } else if let wide = Self.version6(text) {
            number = wide
        } else {
            return nil
        }
    }

    /// Whether it is one of version 4.
    package var isVersion4: Bool { number >> 32 == Self.mapped >> 32 }

    /// Whether it is of the loopback interface.
    package var isLoopback: Bool { isVersion4 ? (number >> 24) & 0xFF == 127 : number == 1 }

    /// What one customer of a network has: an address of version 4, or the first 64 bits of one of version 6.
    package var site: NetworkAddress { isVersion4 ? self : NetworkAddress(number: number & (UInt128.max << 64)) }

    /// The address in text; one of version 6 with all its groups.
    package var text: String {
        if isVersion4 { return (0..<4).map { String(number >> UInt128(24 - 8 * $0) & 0xFF) }.joined(separator: ".") }
        return (0..<8).map { String(number >> UInt128(112 - 16 * $0) & 0xFFFF, radix: 16) }.joined(separator: ":")
    }

    private static func version4(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part.utf8.count == 1 || !part.hasPrefix("0"), let octet = UInt8(part)
            else { return nil }
            number = number << 8 | UInt32(octet)
        }
        return number
    }

    private static func version6(_ text: Substring) -> UInt128? {
        guard let gap = text.firstRange(of: "::") else {
            guard let groups = groups(text, mayEndInVersion4: true), groups.count == 8 else { return nil }
            return number(of: groups)
        }
        guard let head = groups(text[..<gap.lowerBound], mayEndInVersion4: false),
            let tail = groups(text[gap.upperBound...], mayEndInVersion4: true), head.count + tail.count < 8
        else { return nil }
        return number(of: head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    private static func number(of groups: [UInt16]) -> UInt128 { groups.reduce(0) { $0 << 16 | UInt128($1) } }

    private static func groups(_ text: Substring, mayEndInVersion4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndInVersion4, index == parts.count - 1, let narrow = version4(part) {
                groups += [UInt16(narrow >> 16), UInt16(narrow & 0xFFFF)]
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexadecimal),
                let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}
