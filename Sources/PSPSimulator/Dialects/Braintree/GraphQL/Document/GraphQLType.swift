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
