/// Why a token is not one of the simulator's; never repeats the token.
package enum TokenRefusal: Error, Hashable, Sendable {
    /// It does not begin with `tok_`, or is longer than ``TokenScript/lengthLimit`` characters.
    case notAToken
    /// The part at this position, from 0, is no trigger of its operation.
    case unknownTrigger(position: Int)
    /// The part at this position contradicts an earlier one of the same operation.
    case contradiction(position: Int)

    /// A sentence for the sender.
    package var message: String {
        switch self {
        case .notAToken: "The token is not one of this PSP's."
        case .unknownTrigger(let position): "Part \(position + 1) of the token is no trigger of its operation."
        case .contradiction(let position): "Part \(position + 1) of the token contradicts an earlier one."
        }
    }
}
