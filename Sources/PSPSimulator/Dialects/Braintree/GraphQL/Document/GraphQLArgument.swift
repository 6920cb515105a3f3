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
