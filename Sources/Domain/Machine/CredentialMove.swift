/// A credential that pays for another attempt from now on.
package struct CredentialMove: Hashable, Sendable {
    /// The attempt that it could not pay for.
    package let from: AttemptID
    /// The attempt that it pays for now.
    package let to: AttemptID

    /// Makes a move.
    package init(from: AttemptID, to: AttemptID) {
        self.from = from
        self.to = to
    }
}
