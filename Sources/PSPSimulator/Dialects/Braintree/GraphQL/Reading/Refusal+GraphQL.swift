/// What a GraphQL server says to a document that it cannot run.
extension Refusal {
    /// The code of such refusals, which is not shown.
    static let graphQLCode = "graphql"

    /// The document or its variables are wrong, whatever the PSP makes of them.
    static func graphQL(_ message: String) -> Refusal { Refusal(400, graphQLCode, message) }

    /// The document is not one.
    static let syntax = graphQL("Invalid syntax in the document.")
}
