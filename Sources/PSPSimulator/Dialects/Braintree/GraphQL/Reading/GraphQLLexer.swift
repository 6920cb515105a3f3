import StrictJSON

/// Takes a GraphQL document apart.
///
/// Block strings are not taken: no request needs them.
struct GraphQLLexer {
    /// The most tokens that a document may have.
    static let tokenLimit = 4000

    private var rest: ArraySlice<UInt8>

    /// The tokens of a document; commas, comments and white space are none.
    ///
    /// - Throws: ``Refusal`` for the first character that is wrong.
    static func tokens(_ text: String) throws(Refusal) -> [GraphQLToken] {
        var lexer = GraphQLLexer(rest: Array(text.utf8)[...])
        var tokens: [GraphQLToken] = []
        while let token = try lexer.next() {
            tokens.append(token)
            guard tokens.count <= tokenLimit else { throw .graphQL("The document has too many tokens.") }
        }
        return tokens
    }

    private mutating func next() throws(Refusal) -> GraphQLToken? {
        skip()
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "\""): return .value(try text())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .value(try number())
        case _ where Self.isNamePart(first): return .name(take(while: Self.isNamePart))
        case _ where "!$&()/:=@[]{|}".utf8.contains(first):
            rest = rest.dropFirst()
            return .mark(String(UnicodeScalar(first)))
        default:
            guard rest.starts(with: "...".utf8) else { throw .syntax }
            rest = rest.dropFirst(3)
            return .mark("...")
        }
    }

    private mutating func skip() {
        while let first = rest.first {
            if first == UInt8(ascii: "#") {
                rest = rest.drop { $0 != 0x0A && $0 != 0x0D }
            } else if [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ",")].contains(first) {
                rest = rest.dropFirst()
            } else {
                return
            }
        }
    }

    private mutating func number() throws(Refusal) -> JSON {
        let digits = take { Self.isNamePart($0) || [UInt8(ascii: "-"), UInt8(ascii: "+"), 0x2E].contains($0) }
        guard let value = try? JSON.parse(text: digits) else { throw .syntax }
        return value
    }

    private mutating func text() throws(Refusal) -> JSON {
        guard !rest.starts(with: "\"\"\"".utf8) else { throw .graphQL("Block strings are not supported.") }
        var end = rest.startIndex + 1
        while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
            end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < rest.endIndex, let value = try? JSON.parse(Array(rest[rest.startIndex...end])) else {
            throw .syntax
        }
        rest = rest[(end + 1)...]
        return value
    }

    private mutating func take(while isPart: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest.dropFirst(part.count)
        return String(decoding: part, as: UTF8.self)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
