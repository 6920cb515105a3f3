import StrictJSON

/// Reads what tokens of a document mean (GraphQL, October 2021, section 2).
///
/// Directives are not taken: no request needs them.
struct GraphQLParser {
    /// How deeply selections, values and types may be nested.
    static let depthLimit = 24

    private var rest: ArraySlice<GraphQLToken>
    private var depth = 0

    /// Reads tokens from the first one on.
    init(_ tokens: [GraphQLToken]) { rest = tokens[...] }

    /// Whether there is nothing left.
    var isAtEnd: Bool { rest.isEmpty }

    /// Whether the next token is that name, which is then taken.
    mutating func takes(_ name: String) -> Bool { takes(.name(name)) }

    /// Whether the next token is that punctuation, which is then taken.
    mutating func takes(mark: String) -> Bool { takes(.mark(mark)) }

    /// A name.
    ///
    /// - Throws: ``Refusal`` if it is none.
    mutating func name() throws(Refusal) -> String {
        guard case .name(let name)? = rest.first, name.first?.isNumber == false else { throw .syntax }
        rest = rest.dropFirst()
        return name
    }

    /// An operation.
    ///
    /// - Throws: ``Refusal``.
    mutating func operation() throws(Refusal) -> GraphQLDocument.BookedOperation {
        if rest.first == .mark("{") {
            return GraphQLDocument.BookedOperation(isMutation: false, selections: try selections())
        }
        let isMutation = takes("mutation")
        guard isMutation || takes("query") else { throw .syntax }
        var operation = GraphQLDocument.BookedOperation(isMutation: isMutation)
        if case .name? = rest.first { operation.name = try name() }
        if takes(mark: "(") {
            while !takes(mark: ")") {
                guard takes(mark: "$") else { throw .syntax }
                let name = try name()
                try expect(":")
                let type = try type()
                operation.variables.append(
                    GraphQLDocument.Variable(name: name, type: type, standard: takes(mark: "=") ? try value() : nil)
                )
            }
        }
        operation.selections = try selections()
        return operation
    }

    /// A selection set, which is never empty.
    ///
    /// - Throws: ``Refusal``.
    mutating func selections() throws(Refusal) -> [GraphQLSelection] {
        try enter()
        defer { depth -= 1 }
        try expect("{")
        var selections: [GraphQLSelection] = []
        while !takes(mark: "}") { selections.append(try selection()) }
        guard !selections.isEmpty else { throw .syntax }
        return selections
    }

    /// A type.
    ///
    /// - Throws: ``Refusal``.
    mutating func type() throws(Refusal) -> GraphQLType {
        try enter()
        defer { depth -= 1 }
        let type: GraphQLType
        if takes(mark: "[") {
            type = .list(try self.type())
            try expect("]")
        } else {
            type = .named(try name())
        }
        return takes(mark: "!") ? .nonNull(type) : type
    }

    /// Takes that punctuation.
    ///
    /// - Throws: ``Refusal`` if something else is next.
    mutating func expect(_ mark: String) throws(Refusal) {
        guard takes(mark: mark) else { throw .syntax }
    }

    private mutating func selection() throws(Refusal) -> GraphQLSelection {
        if takes(mark: "...") {
            if takes("on") { return .fragment(on: try name(), try selections()) }
            if rest.first == .mark("{") { return .fragment(on: nil, try selections()) }
            return .spread(try name())
        }
        let first = try name()
        let alias = takes(mark: ":") ? first : nil
        let name = alias == nil ? first : try name()
        let arguments = takes(mark: "(") ? try arguments(until: ")") : []
        return .field(
            alias: alias,
            name: name,
            arguments: arguments,
            rest.first == .mark("{") ? try selections() : []
        )
    }

    private mutating func arguments(until end: String) throws(Refusal) -> [GraphQLArgument] {
        var arguments: [GraphQLArgument] = []
        while !takes(mark: end) {
            let name = try name()
            try expect(":")
            guard !arguments.contains(where: { $0.name == name }) else { throw .syntax }
            arguments.append(GraphQLArgument(name, try value()))
        }
        return arguments
    }

    private mutating func value() throws(Refusal) -> GraphQLValue {
        try enter()
        defer { depth -= 1 }
        let first = rest.popFirst()
        switch first {
        case .value(let json): return .literal(json)
        case .name("null"): return .literal(.null)
        case .name("true"): return .literal(true)
        case .name("false"): return .literal(false)
        case .name(let word): return .word(word)
        case .mark("$"): return .variable(try name())
        case .mark("{"): return .object(try arguments(until: "}"))
        case .mark("["):
            var elements: [GraphQLValue] = []
            while !takes(mark: "]") { elements.append(try value()) }
            return .list(elements)
        case .mark, nil: throw .syntax
        }
    }

    private mutating func takes(_ token: GraphQLToken) -> Bool {
        guard rest.first == token else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func enter() throws(Refusal) {
        depth += 1
        guard depth <= Self.depthLimit else { throw .graphQL("The document is nested too deeply.") }
    }
}

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

/// One token of a GraphQL document (GraphQL, October 2021, section 2.1).
enum GraphQLToken: Hashable, Sendable {
    /// Punctuation: `{`, `:`, `...` and so on.
    case mark(String)
    /// A name or a keyword.
    case name(String)
    /// A number or a string, which are written as in JSON.
    case value(JSON)
}

/// What a GraphQL server says to a document that it cannot run.
extension Refusal {
    /// The code of such refusals, which is not shown.
    static let graphQLCode = "graphql"

    /// The document or its variables are wrong, whatever the PSP makes of them.
    static func graphQL(_ message: String) -> Refusal { Refusal(400, graphQLCode, message) }

    /// The document is not one.
    static let syntax = graphQL("Invalid syntax in the document.")
}
