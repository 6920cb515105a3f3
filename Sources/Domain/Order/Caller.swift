/// Who asked from outside for a step.
package struct Caller: Hashable, Sendable {
    /// An API key's identifier, or `operator:` and the user who typed a command.
    package let actor: String
    /// The address that the request came from, as the server saw it; nil for a command.
    package let peer: String?
    /// The identifier of the request, which answers and logs have too; nil for a command.
    package let request: String?

    /// Makes a caller.
    package init(actor: String, peer: String? = nil, request: String? = nil) {
        self.actor = actor
        self.peer = peer
        self.request = request
    }

    /// A user of the command line.
    package init(operator user: String) { self.init(actor: "operator:" + user) }
}
