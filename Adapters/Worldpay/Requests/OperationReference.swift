import Domain

/// Our operation's name as the reference of a capture or a refund at Worldpay.
///
/// The Card Payments API takes letters, digits and `-` only, so that the underscore is written `-`.
enum OperationReference {
    private static let prefix = "op-"

    /// The reference of an operation.
    static func text(_ operation: OperationID) -> String { prefix + operation.text.dropFirst(prefix.count) }

    /// The operation of a reference; nil if it is none of ours.
    static func operation(_ text: String) -> OperationID? {
        text.hasPrefix(prefix) ? OperationID("op_" + text.dropFirst(prefix.count)) : nil
    }
}
