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
