import Testing

/// A GraphQL document with one operation, read far enough to hold it against a schema.
struct GraphQLDocument {
    /// A field with what is selected of it, or an inline fragment.
    struct Selection {
        /// The name under which the field is answered, if it is not its own.
        var alias: String?
        /// The field's name; the type's for a fragment.
        var name: String
        var isFragment: Bool
        /// The variables that the arguments name, by argument.
        var arguments: [String: String]
        var selections: [Selection]
    }

    /// `query` or `mutation`.
    let kind: String
    /// The types of the variables by name, as they are written.
    let variables: [String: String]
    let selections: [Selection]

    private struct Tokens {
        var rest: ArraySlice<String>

        mutating func next() throws -> String {
            let first = rest.popFirst()
            return try #require(first, "the document ends early")
        }

        mutating func require(_ token: String) throws {
            let found = try next()
            try #require(found == token, "\(found) stands for \(token)")
        }

        mutating func take(_ token: String) -> Bool {
            guard rest.first == token else { return false }
            rest = rest.dropFirst()
            return true
        }
    }

    /// Reads a document.
    init(_ text: String) throws {
        var tokens = Tokens(rest: Self.tokens(text)[...])
        kind = try tokens.next()
        try #require(kind == "query" || kind == "mutation")
        _ = try tokens.next()
        var variables: [String: String] = [:]
        if tokens.take("(") {
            while !tokens.take(")") {
                try tokens.require("$")
                let name = try tokens.next()
                try tokens.require(":")
                variables[name] = try tokens.next() + (tokens.take("!") ? "!" : "")
                _ = tokens.take(",")
            }
        }
        self.variables = variables
        selections = try Self.selections(&tokens)
        #expect(tokens.rest.isEmpty)
    }

    private static func selections(_ tokens: inout Tokens) throws -> [Selection] {
        guard tokens.take("{") else { return [] }
        var found: [Selection] = []
        while !tokens.take("}") {
            let isFragment = tokens.take("...")
            if isFragment { try tokens.require("on") }
            let first = try tokens.next()
            let isAlias = tokens.take(":")
            var selection = Selection(
                alias: isAlias ? first : nil,
                name: isAlias ? try tokens.next() : first,
                isFragment: isFragment,
                arguments: [:],
                selections: []
            )
            if tokens.take("(") {
                while !tokens.take(")") {
                    let argument = try tokens.next()
                    try tokens.require(":")
                    try tokens.require("$")
                    selection.arguments[argument] = try tokens.next()
                    _ = tokens.take(",")
                }
            }
            selection.selections = try selections(&tokens)
            found.append(selection)
        }
        return found
    }

    private static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var word = ""
        func flush() {
            if !word.isEmpty { tokens.append(word) }
            word = ""
        }
        for character in text {
            if character.isLetter || character.isNumber || character == "_" || character == "." {
                word.append(character)
            } else {
                flush()
                if !character.isWhitespace { tokens.append(String(character)) }
            }
        }
        flush()
        return tokens
    }
}
