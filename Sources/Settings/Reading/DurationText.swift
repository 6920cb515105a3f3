/// Durations as configuration writes them: an integer and a unit without a space.
package enum DurationText {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// The milliseconds of `250ms`, `20s`, `15m` or `24h`; nil for anything else.
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

    /// The shortest text for a number of milliseconds.
    static func text(_ milliseconds: Int64) -> String {
        let unit = units.last { milliseconds % $0.milliseconds == 0 && milliseconds >= $0.milliseconds } ?? units[0]
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}
