import StrictJSON

/// A document with the operations that it defines.
struct GraphQLDocument: Hashable, Sendable {
    /// A query or a mutation.
    struct Operation: Hashable, Sendable {
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
    var operations: [Operation] = []
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
    func operation(_ name: String?) throws(Refusal) -> Operation {
        let found = operations.filter { name == nil || $0.name == name }
        guard let operation = found.first, found.count == 1 else {
            throw .graphQL("Must provide operation name if query contains multiple operations.")
        }
        return operation
    }
}
