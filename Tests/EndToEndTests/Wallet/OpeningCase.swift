import Testing

/// What is typed to open a token, and what has to come of it.
struct OpeningCase: Sendable, CustomTestStringConvertible {
    /// The arguments behind those that every case has.
    var typed: [String]
    /// The token's file.
    var token = "token.json"
    /// The stage and the code of a refusal, or what the sentence on standard error says.
    var says: [String]

    var testDescription: String { "\(token) \(typed.joined(separator: " ")): \(says.joined(separator: " "))" }
}
