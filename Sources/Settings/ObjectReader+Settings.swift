import Domain
import StrictJSON

/// Values that only configuration has.
extension ObjectReader {
    /// A duration in milliseconds: `250ms`, `20s`, `15m`, `24h` or `30d`.
    func duration(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let json = value(key, .optional) else { return nil }
        return Self.duration(json, at: pointer(to: key), in: range, violations)
    }

    /// A list of durations in milliseconds.
    func durations(_ key: String, count: ClosedRange<Int>, in range: ClosedRange<Int64>) -> [Int64]? {
        guard let json = value(key, .optional) else { return nil }
        guard let elements = json.arrayValue, count.contains(elements.count) else {
            refuse(key, "wrong_type", "Must be a list of \(count.lowerBound) to \(count.upperBound) durations.")
            return nil
        }
        let place = pointer(to: key)
        let values = elements.enumerated().compactMap { index, json in
            Self.duration(json, at: place.appending(index), in: range, violations)
        }
        return values.count == elements.count ? values : nil
    }

    private static func duration(
        _ json: JSON,
        at pointer: JSONPointer,
        in range: ClosedRange<Int64>,
        _ violations: Violations
    ) -> Int64? {
        guard let milliseconds = json.stringValue.flatMap(DurationText.milliseconds) else {
            violations.add(at: pointer, "wrong_type", "Must be a duration such as 250ms, 20s, 15m or 24h.")
            return nil
        }
        guard range.contains(milliseconds) else {
            let (low, high) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
            violations.add(at: pointer, "out_of_range", "Must be from \(low) to \(high).")
            return nil
        }
        return milliseconds
    }

    /// A name that people type: lower-case letters, digits, point, hyphen and underscore, at most 64.
    func slug(_ key: String, _ presence: Presence = .required) -> String? {
        parsed(key, presence, expecting: "1 to 64 of a-z, 0-9, '.', '-', '_', beginning with a letter or a digit") {
            Slug.isValid($0) ? $0 : nil
        }
    }

    /// A place where a secret is kept.
    func secretReference(_ key: String, _ presence: Presence = .required, relativeTo file: String) -> SecretReference? {
        guard let json = value(key, presence) else { return nil }
        guard let reference = json.stringValue.flatMap({ SecretReference($0, relativeTo: file) }) else {
            let sentence = "Must be a reference, env:NAME or file:PATH; a secret itself has no place in a file."
            refuse(key, "literal_secret", sentence)
            return nil
        }
        return reference
    }

    /// An https address, or plain http to this machine.
    func webAddress(_ key: String) -> String? {
        parsed(key, expecting: "an https:// address, or http:// to the loopback interface") {
            WebAddress.isAcceptable($0) ? $0 : nil
        }
    }

    /// Amounts in minor units by currency code.
    func amounts(_ key: String) -> [String: Int64]? {
        object(key, .optional) { body in
            var amounts: [String: Int64] = [:]
            for code in body.keys {
                guard Currency(code: code) != nil else {
                    body.ignore(code)
                    body.refuse(code, "unknown_currency", "Must be a currency of ISO 4217.")
                    continue
                }
                amounts[code] = body.integer(code, in: 0 ... .max)
            }
            return amounts
        }
    }
}

/// Durations as configuration writes them: an integer and a unit without a space.
package enum DurationText {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// The milliseconds of `250ms`, `20s`, `15m`, `24h` or `30d`; nil for anything else.
    package static func milliseconds(_ text: String) -> Int64? {
        for unit in units where text.hasSuffix(unit.suffix) {
            let digits = text.dropLast(unit.suffix.count)
            guard (1...12).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let count = Int64(digits)
            else { return nil }
            return count * unit.milliseconds
        }
        return nil
    }

    /// The shortest text for a number of milliseconds; a single day is 24 hours.
    static func text(_ milliseconds: Int64) -> String {
        let usual = milliseconds < 2 * 86_400_000 ? units.dropLast() : units[...]
        let unit = usual.last { milliseconds % $0.milliseconds == 0 && milliseconds >= $0.milliseconds } ?? units[0]
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}

/// Names that people type in commands and addresses.
enum Slug {
    /// Whether the text has 1 to 64 of `a-z 0-9 . - _` and begins with a letter or a digit.
    static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && TextRule.slug.allows(text)
    }
}

/// Addresses that requests with secrets may go to.
enum WebAddress {
    /// Whether the text is an `https://` address, or `http://` to the loopback interface.
    ///
    /// User names, fragments, white space and control characters are refused.
    static func isAcceptable(_ text: String) -> Bool {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
        else { return false }
        let isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://") else { return false }
        let authority = text.dropFirst(isSecure ? 8 : 7).prefix { $0 != "/" && $0 != "?" }
        guard let host = host(of: authority) else { return false }
        return isSecure || host == "localhost" || host == "127.0.0.1" || host == "[::1]"
    }

    /// The host of `host`, `host:port` or `[address]:port`; nil if there is none or the port is none.
    private static func host(of authority: Substring) -> Substring? {
        guard !authority.contains("@"), !authority.contains("\\") else { return nil }
        let host: Substring
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            host = authority[...bracket]
        } else {
            host = authority.prefix { $0 != ":" }
        }
        let rest = authority[host.endIndex...]
        let isPort = rest.isEmpty || (rest.hasPrefix(":") && UInt16(rest.dropFirst()).map { $0 > 0 } ?? false)
        return host.isEmpty || !isPort ? nil : host
    }
}
