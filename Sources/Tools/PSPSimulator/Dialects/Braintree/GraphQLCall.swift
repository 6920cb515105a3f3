import StrictJSON

/// One operation of a document, checked against a schema and ready to be run.
struct GraphQLCall: Hashable, Sendable {
    /// The most fields that may be asked for, with fragments in their place.
    static let nodeLimit = 1000

    /// Whether it changes something.
    let isMutation: Bool
    /// The fields of `Query` or `Mutation` that are asked for.
    let roots: [GraphQLNode]

    /// Checks an operation.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - name: the operation's name; nil if the document has only one.
    ///   - variables: what is given for its variables.
    ///   - schema: the types.
    ///   - scalar: the value of a scalar type in its form; nil if it is none.
    /// - Throws: ``Refusal``.
    init(
        _ document: GraphQLDocument,
        operation name: String?,
        variables: JSON,
        _ schema: GraphQLSchema,
        scalar: @escaping @Sendable (_ name: String, _ value: JSON) -> JSON?
    ) throws(Refusal) {
        let operation = try document.operation(name)
        let coercion = try GraphQLCoercion(schema, scalar: scalar, operation.variables, given: variables)
        var planner = Planner(schema: schema, fragments: document.fragments, coercion: coercion)
        let root = operation.isMutation ? "Mutation" : "Query"
        roots = try planner.nodes(operation.selections, on: root, owners: [root], depth: 0)
        isMutation = operation.isMutation
        if let unused = operation.variables.first(where: { !planner.coercion.used.contains($0.name) }) {
            throw .graphQL("Validation error of type UnusedVariable: Unused variable \(unused.name)")
        }
    }

    /// Puts fragments in their place and checks fields.
    private struct Planner {
        let schema: GraphQLSchema
        let fragments: [String: GraphQLSelection]
        var coercion: GraphQLCoercion
        var count = 0

        mutating func nodes(
            _ selections: [GraphQLSelection],
            on type: String,
            owners: Set<String>,
            depth: Int
        ) throws(Refusal) -> [GraphQLNode] {
            guard depth <= GraphQLParser.depthLimit else { throw .graphQL("The document is nested too deeply.") }
            var nodes: [GraphQLNode] = []
            for selection in selections {
                switch selection {
                case .field(let alias, let name, let arguments, let inner):
                    nodes.append(try node(alias ?? name, name, arguments, inner, on: type, owners, depth))
                case .fragment(let condition, let inner):
                    let target = condition ?? type
                    guard schema.isComposite(target) else {
                        throw .graphQL("Validation error of type UnknownType: Unknown type \(target)")
                    }
                    let narrowed = owners.intersection(schema.possible(target))
                    nodes += try self.nodes(inner, on: target, owners: narrowed, depth: depth + 1)
                case .spread(let name):
                    guard let fragment = fragments[name] else {
                        throw .graphQL("Validation error of type UndefinedFragment: Undefined fragment \(name)")
                    }
                    nodes += try self.nodes([fragment], on: type, owners: owners, depth: depth + 1)
                }
            }
            return nodes
        }

        private mutating func node(
            _ key: String,
            _ name: String,
            _ arguments: [GraphQLArgument],
            _ inner: [GraphQLSelection],
            on type: String,
            _ owners: Set<String>,
            _ depth: Int
        ) throws(Refusal) -> GraphQLNode {
            count += 1
            guard count <= GraphQLCall.nodeLimit else { throw .graphQL("The document asks for too many fields.") }
            if name == "__typename" { return GraphQLNode(key: key, name: name, arguments: .object([]), owners: owners) }
            guard let field = schema.types[type]?[name] else {
                if schema.types[type]?.isEmpty == true {
                    return GraphQLNode(key: key, name: name, arguments: .object([]), owners: owners)
                }
                throw .graphQL(
                    "Validation error of type FieldUndefined: Field '\(name)' in type '\(type)' is undefined"
                )
            }
            let target = field.type.name
            guard schema.isComposite(target) == !inner.isEmpty else {
                throw .graphQL(
                    "Validation error of type SubSelection: wrong selection of field \(name) of type \(target)"
                )
            }
            var node = GraphQLNode(
                key: key,
                name: name,
                arguments: try coercion.arguments(arguments, of: name, field.arguments),
                owners: owners
            )
            node.children = try nodes(inner, on: target, owners: schema.possible(target), depth: depth + 1)
            return node
        }
    }
}

/// A field that is asked for, checked against the schema, with fragments in their place.
struct GraphQLNode: Hashable, Sendable {
    /// What the answer calls it.
    let key: String
    /// The field.
    let name: String
    /// What it is given, as an object.
    let arguments: JSON
    /// The types that the object it is of must have one of.
    let owners: Set<String>
    /// What is asked of its value; empty if that has no fields.
    var children: [GraphQLNode] = []

    /// The child of that name, and whether there is just one.
    func child(_ name: String) -> GraphQLNode? { children.first { $0.name == name } }

    /// As much of a value as is asked for; objects say what they are in `__typename`.
    func answer(_ value: JSON) -> JSON {
        switch value {
        case .array(let elements): .array(elements.map(answer))
        case .object where !children.isEmpty: Self.answer(value, children)
        default: value
        }
    }

    private static func answer(_ value: JSON, _ children: [GraphQLNode]) -> JSON {
        let type = value["__typename"]?.stringValue ?? ""
        var members: [JSON.Member] = []
        for child in children where child.owners.contains(type) {
            let part = child.answer(.optional(value[child.name]))
            if let index = members.firstIndex(where: { $0.key == child.key }) {
                members[index] = JSON.Member(child.key, merged(members[index].value, part))
            } else {
                members.append(JSON.Member(child.key, part))
            }
        }
        return .object(members)
    }

    /// Two answers to the same field: an object has what either asked for.
    private static func merged(_ first: JSON, _ second: JSON) -> JSON {
        switch (first, second) {
        case (.object(let mine), .object(let theirs)):
            let added = theirs.filter { member in !mine.contains { $0.key == member.key } }
            let joined = mine.map { member in
                let other = theirs.first { $0.key == member.key }
                return other.map { JSON.Member(member.key, merged(member.value, $0.value)) } ?? member
            }
            return .object(joined + added)
        case (.array(let mine), .array(let theirs)) where mine.count == theirs.count:
            return .array(zip(mine, theirs).map(merged))
        default: return first
        }
    }
}
