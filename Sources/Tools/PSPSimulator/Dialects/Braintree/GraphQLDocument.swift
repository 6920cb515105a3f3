import StrictJSON

/// A document with the operations that it defines.
struct GraphQLDocument: Hashable, Sendable {
    /// A query or a mutation.
    struct BookedOperation: Hashable, Sendable {
        /// Whether it changes something.
        var isMutation: Bool
        /// Its name; nil if it has none.
        var name: String?
        /// What its variables are, in their order.
        var variables: [Variable] = []
        /// What it asks for.
        var selections: [GraphQLSelection] = []
    }

    /// A variable that an operation takes.
    struct Variable: Hashable, Sendable {
        /// Its name, without the dollar sign.
        var name: String
        /// What it must be.
        var type: GraphQLType
        /// What it is if nothing is given for it.
        var standard: GraphQLValue?
    }

    /// The operations, in their order.
    var operations: [BookedOperation] = []
    /// The fragments by their names.
    var fragments: [String: GraphQLSelection] = [:]

    /// Reads a document.
    ///
    /// - Throws: ``Refusal``.
    init(_ text: String) throws(Refusal) {
        var parser = GraphQLParser(try GraphQLLexer.tokens(text))
        while !parser.isAtEnd {
            if parser.takes("fragment") {
                let name = try parser.name()
                guard parser.takes("on") else { throw .syntax }
                let condition = try parser.name()
                fragments[name] = .fragment(on: condition, try parser.selections())
            } else {
                operations.append(try parser.operation())
            }
        }
        guard !operations.isEmpty else { throw .syntax }
    }

    /// The operation that is to be run.
    ///
    /// - Throws: ``Refusal`` if there are several and none is named.
    func operation(_ name: String?) throws(Refusal) -> BookedOperation {
        let found = operations.filter { name == nil || $0.name == name }
        guard let operation = found.first, found.count == 1 else {
            throw .graphQL("Must provide operation name if query contains multiple operations.")
        }
        return operation
    }
}

/// What a selection set asks for.
indirect enum GraphQLSelection: Hashable, Sendable {
    /// A field under its own name or an alias.
    case field(alias: String?, name: String, arguments: [GraphQLArgument], [GraphQLSelection])
    /// `... on T { }`, or a definition of that.
    case fragment(on: String?, [GraphQLSelection])
    /// `...name`
    case spread(String)
}

/// A name and its value.
struct GraphQLArgument: Hashable, Sendable {
    let name: String
    let value: GraphQLValue

    /// Names a value.
    init(_ name: String, _ value: GraphQLValue) {
        self.name = name
        self.value = value
    }
}

/// The type of a field, an argument or a variable.
indirect enum GraphQLType: Hashable, Sendable, CustomStringConvertible {
    /// A type by its name.
    case named(String)
    /// `[T]`
    case list(GraphQLType)
    /// `T!`
    case nonNull(GraphQLType)

    /// The name, whatever is around it.
    var name: String {
        switch self {
        case .named(let name): name
        case .list(let type), .nonNull(let type): type.name
        }
    }

    /// Whether null will not do.
    var isRequired: Bool { if case .nonNull = self { true } else { false } }

    /// The type as documents write it.
    var description: String {
        switch self {
        case .named(let name): name
        case .list(let type): "[\(type)]"
        case .nonNull(let type): "\(type)!"
        }
    }

    /// Whether a variable of that type may stand where this one is wanted (section 5.8.5).
    func accepts(_ other: GraphQLType) -> Bool {
        switch (self, other) {
        case (.nonNull(let mine), .nonNull(let theirs)): mine.accepts(theirs)
        case (.nonNull, _): false
        case (_, .nonNull(let theirs)): accepts(theirs)
        case (.list(let mine), .list(let theirs)): mine.accepts(theirs)
        case (.named(let mine), .named(let theirs)): mine == theirs
        case (.list, .named), (.named, .list): false
        }
    }
}

/// A value in a document, or in its variables.
indirect enum GraphQLValue: Hashable, Sendable {
    /// `$name`
    case variable(String)
    /// Null, a truth value, a number or a string.
    case literal(JSON)
    /// A value of an enumeration.
    case word(String)
    /// Values in their order.
    case list([GraphQLValue])
    /// An input object.
    case object([GraphQLArgument])

    /// A value of the variables, where a string may also be a value of an enumeration.
    init(_ json: JSON) {
        switch json {
        case .array(let elements): self = .list(elements.map { GraphQLValue($0) })
        case .object(let members): self = .object(members.map { GraphQLArgument($0.key, GraphQLValue($0.value)) })
        default: self = .literal(json)
        }
    }
}
