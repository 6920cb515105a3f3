/// What a selection set asks for.
indirect enum GraphQLSelection: Hashable, Sendable {
    /// A field under its own name or an alias.
    case field(alias: String?, name: String, arguments: [GraphQLArgument], [GraphQLSelection])
    /// `... on T { }`, or a definition of that.
    case fragment(on: String?, [GraphQLSelection])
    /// `...name`
    case spread(String)
}
