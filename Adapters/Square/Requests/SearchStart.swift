import Domain

/// Where a search for something of ours begins: a little before we named it.
///
/// Our identifiers are UUIDs of version 7 (RFC 9562), whose first 48 bits count milliseconds since 1970; in Crockford's
/// base 32 these are the first ten digits.
enum SearchStart {
    /// How far Square's clock may be behind ours, in milliseconds.
    private static let marginMilliseconds: Int64 = 900_000

    /// The moment in RFC 3339.
    static func text<Tag>(of identifier: Identifier<Tag>) -> String {
        let digits = identifier.text.utf8.dropFirst(Tag.prefix.utf8.count + 1).prefix(10)
        let milliseconds = digits.reduce(Int64(0)) { $0 << 5 | value($1) }
        return Timestamp(microseconds: milliseconds * 1000).adding(milliseconds: -marginMilliseconds).description
    }

    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    private static func value(_ digit: UInt8) -> Int64 { Int64(digits.firstIndex(of: digit) ?? 0) }
}
