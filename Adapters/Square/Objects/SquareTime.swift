import Domain

/// Times as Square writes them (RFC 3339): `2026-11-28T07:33:17.191Z`, with or without a fraction or an offset.
enum SquareTime {
    /// The moment, to the microsecond; nil for anything else than a time after 1970.
    static func timestamp(_ text: String) -> Timestamp? {
        RFC3339.timestamp(text).flatMap { $0.microseconds < 0 ? nil : $0 }
    }
}
