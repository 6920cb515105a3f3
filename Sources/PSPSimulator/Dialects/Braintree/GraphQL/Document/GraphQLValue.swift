import StrictJSON

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
