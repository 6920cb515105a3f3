/// What a buyer answered on the page of an authorization that required an action.
package struct ActionAnswer: Hashable, Sendable {
    /// When, in milliseconds since 1970.
    package let at: Int64
    /// The authorization's identifier, which the page's address holds.
    package let authorization: String
    /// Whether the buyer approved.
    package let approves: Bool

    /// Makes an answer.
    package init(at: Int64, authorization: String, approves: Bool) {
        self.at = at
        self.authorization = authorization
        self.approves = approves
    }
}
