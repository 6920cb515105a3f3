/// The ways in which a trigger reaches the simulator through a PSP's fields.
enum TwinCredential: Sendable {
    /// A token of the PSP that stands for one of the simulator's: `tok_decline_generic`.
    case token(String)
    /// The number of a network token.
    case number(String)
    /// A wallet's encrypted data that stands for one of the simulator's tokens.
    case wallet(String)
}
