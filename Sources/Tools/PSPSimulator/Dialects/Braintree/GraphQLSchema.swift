import StrictJSON

/// The types that a GraphQL server knows, read from its own language (GraphQL, October 2021, section 3).
///
/// A type or an input without fields stands for one that nobody looks into: whatever is selected of it is null, and
/// any object will do.
struct GraphQLSchema: Sendable {
    /// A field of a type.
    struct Field: Hashable, Sendable {
        /// What it answers.
        var type: GraphQLType
        /// What it takes.
        var arguments: [String: GraphQLType] = [:]
    }

    /// The fields of each type and interface.
    private(set) var types: [String: [String: Field]] = [:]
    /// The fields of each input.
    private(set) var inputs: [String: [String: GraphQLType]] = [:]
    /// The values of each enumeration.
    private(set) var enumerations: [String: Set<String>] = [:]
    /// The types that stand behind each interface and union.
    private(set) var members: [String: Set<String>] = [:]

    /// Reads definitions of the kinds `type`, `interface`, `union`, `input` and `enum`.
    ///
    /// - Throws: ``Refusal`` if they cannot be read.
    init(_ text: String) throws(Refusal) {
        var parser = GraphQLParser(try GraphQLLexer.tokens(text))
        while !parser.isAtEnd { try readDefinition(&parser) }
    }

    /// The types that a value of that type may turn out to be.
    func possible(_ name: String) -> Set<String> { members[name] ?? [name] }

    /// Whether something has to be selected of it.
    func isComposite(_ name: String) -> Bool { types[name] != nil || members[name] != nil }

    private mutating func readDefinition(_ parser: inout GraphQLParser) throws(Refusal) {
        let kind = try parser.name()
        let name = try parser.name()
        switch kind {
        case "type", "interface":
            if parser.takes("implements") {
                repeat { members[try parser.name(), default: []].insert(name) } while parser.takes(mark: "&")
            }
            types[name] = try fields(&parser)
        case "input": inputs[name] = try fields(&parser).mapValues(\.type)
        case "union":
            try parser.expect("=")
            repeat { members[name, default: []].insert(try parser.name()) } while parser.takes(mark: "|")
        case "enum":
            try parser.expect("{")
            while !parser.takes(mark: "}") { enumerations[name, default: []].insert(try parser.name()) }
        default: throw .syntax
        }
    }

    private func fields(_ parser: inout GraphQLParser) throws(Refusal) -> [String: Field] {
        var fields: [String: Field] = [:]
        guard parser.takes(mark: "{") else { return fields }
        while !parser.takes(mark: "}") {
            let name = try parser.name()
            var arguments: [String: GraphQLType] = [:]
            if parser.takes(mark: "(") {
                while !parser.takes(mark: ")") {
                    let argument = try parser.name()
                    try parser.expect(":")
                    arguments[argument] = try parser.type()
                }
            }
            try parser.expect(":")
            fields[name] = Field(type: try parser.type(), arguments: arguments)
        }
        return fields
    }
}

/// Brings values of a document and its variables into the form that their types ask for (section 3, "input coercion").
struct GraphQLCoercion: Sendable {
    private let schema: GraphQLSchema
    private let scalar: @Sendable (_ name: String, _ value: JSON) -> JSON?
    private var variables: [String: (type: GraphQLType, value: JSON?)] = [:]
    /// The variables that have been used.
    private(set) var used: Set<String> = []

    /// Reads the variables of an operation.
    ///
    /// - Parameters:
    ///   - schema: the types.
    ///   - scalar: the value of a scalar type in its form; nil if it is none.
    ///   - definitions: the variables that the operation has.
    ///   - given: what is given for them.
    /// - Throws: ``Refusal``.
    init(
        _ schema: GraphQLSchema,
        scalar: @escaping @Sendable (_ name: String, _ value: JSON) -> JSON?,
        _ definitions: [GraphQLDocument.Variable],
        given: JSON
    ) throws(Refusal) {
        self.schema = schema
        self.scalar = scalar
        for definition in definitions {
            let subject = "Variable '\(definition.name)'"
            let value = given[definition.name].map { GraphQLValue($0) } ?? definition.standard
            guard let value else {
                guard !definition.type.isRequired else {
                    throw .graphQL("\(subject) has coerced Null value for NonNull type '\(definition.type)'")
                }
                variables[definition.name] = (definition.type, nil)
                continue
            }
            let coerced = try coerce(value, definition.type, subject)
            let type = definition.standard == nil ? definition.type : .nonNull(definition.type)
            variables[definition.name] = (type, coerced)
        }
    }

    /// The arguments of a field as an object.
    ///
    /// - Throws: ``Refusal``.
    mutating func arguments(
        _ arguments: [GraphQLArgument],
        of field: String,
        _ known: [String: GraphQLType]
    ) throws(Refusal) -> JSON {
        if let unknown = arguments.first(where: { known[$0.name] == nil }) {
            throw .graphQL(
                "Validation error of type UnknownArgument: Unknown field argument \(unknown.name) @ '\(field)'"
            )
        }
        return try object(arguments, known, "Field '\(field)'")
    }

    private mutating func coerce(
        _ value: GraphQLValue,
        _ type: GraphQLType,
        _ subject: String
    ) throws(Refusal) -> JSON? {
        if case .variable(let name) = value {
            guard let variable = variables[name] else { throw .graphQL("Undefined variable '\(name)'") }
            guard type.accepts(variable.type) else {
                throw .graphQL("Variable '\(name)' of type '\(variable.type)' does not match type '\(type)'")
            }
            used.insert(name)
            return variable.value
        }
        if case .nonNull(let inner) = type {
            guard value != .literal(.null), let coerced = try coerce(value, inner, subject) else {
                throw .graphQL("\(subject) has coerced Null value for NonNull type '\(type)'")
            }
            return coerced
        }
        if value == .literal(.null) { return .null }
        switch type {
        case .list(let element):
            let elements = if case .list(let elements) = value { elements } else { [value] }
            var coerced: [JSON] = []
            for item in elements { coerced.append(try coerce(item, element, subject) ?? .null) }
            return .array(coerced)
        case .named(let name): return try named(value, name, subject)
        case .nonNull: return .none
        }
    }

    private mutating func named(_ value: GraphQLValue, _ name: String, _ subject: String) throws(Refusal) -> JSON {
        if let fields = schema.inputs[name] {
            guard case .object(let members) = value else { throw Self.wrong(subject, name) }
            if let unknown = members.first(where: { fields[$0.name] == nil && !fields.isEmpty }) {
                throw .graphQL("\(subject) contains a field name '\(unknown.name)' that type '\(name)' does not define")
            }
            return try object(members, fields, "\(subject) has an invalid value: Field")
        }
        switch value {
        case .word(let word) where schema.enumerations[name]?.contains(word) == true: return .string(word)
        case .literal(.string(let word)) where schema.enumerations[name] != nil:
            guard schema.enumerations[name]?.contains(word) == true else { throw Self.wrong(subject, name) }
            return .string(word)
        case .literal(let json):
            guard let coerced = scalar(name, json) else { throw Self.wrong(subject, name) }
            return coerced
        case .word, .list, .object, .variable: throw Self.wrong(subject, name)
        }
    }

    /// The members of an input object or of arguments; those of an input that nobody looks into are left out.
    private mutating func object(
        _ members: [GraphQLArgument],
        _ fields: [String: GraphQLType],
        _ subject: String
    ) throws(Refusal) -> JSON {
        var coerced: [JSON.Member] = []
        for member in members {
            guard let type = fields[member.name] else { continue }
            guard let value = try coerce(member.value, type, "\(subject) '\(member.name)'") else { continue }
            coerced.append(JSON.Member(member.name, value))
        }
        let missing = fields.keys.sorted().first { name in
            fields[name]?.isRequired == true && !coerced.contains { $0.key == name }
        }
        if let missing {
            throw .graphQL("\(subject) '\(missing)' has coerced Null value for NonNull type")
        }
        return .object(coerced)
    }

    private static func wrong(_ subject: String, _ type: String) -> Refusal {
        .graphQL("\(subject) has an invalid value: Expected type '\(type)'")
    }
}
