import StrictJSON

/// One token of a GraphQL document (GraphQL, October 2021, section 2.1).
enum GraphQLToken: Hashable, Sendable {
    /// Punctuation: `{`, `:`, `...` and so on.
    case mark(String)
    /// A name or a keyword.
    case name(String)
    /// A number or a string, which are written as in JSON.
    case value(JSON)
}
