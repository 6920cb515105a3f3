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
    mutating func operation() throws(Refusal) -> GraphQLDocument.Operation {
        if rest.first == .mark("{") {
            return GraphQLDocument.Operation(isMutation: false, selections: try selections())
        }
        let isMutation = takes("mutation")
        guard isMutation || takes("query") else { throw .syntax }
        var operation = GraphQLDocument.Operation(isMutation: isMutation)
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
