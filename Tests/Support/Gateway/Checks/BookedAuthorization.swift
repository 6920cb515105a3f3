package import PSPSimulator

/// An authorization as a PSP's books have it, simulated or scripted.
package struct BookedAuthorization: Hashable, Sendable {
    /// The caller's name for it: an attempt's identifier.
    package let reference: String
    /// What was approved, in minor units.
    package let authorized: Int64
    /// What was taken.
    package let captured: Int64
    /// What was given back.
    package let refunded: Int64
    /// What is still held.
    package let held: Int64
    /// How often money was taken.
    package let captures: Int

    /// One of a scripted PSP.
    package init(_ authorization: ScriptedAuthorization) {
        reference = authorization.reference
        authorized = authorization.authorized
        captured = authorization.captured
        refunded = authorization.refunded
        held = authorization.held
        captures = authorization.captures
    }

    /// One of a simulator.
    ///
    /// A capture that a void undid counts as given back.
    ///
    /// - Parameters:
    ///   - authorization: the authorization.
    ///   - name: what its reference there stands for here.
    package init(
        _ authorization: PSPSimulator.Authorization,
        named name: (String) -> String = { $0 }
    ) {
        let undone = authorization.operations.reduce(0) {
            $0 + ($1.kind == .capture && $1.status == .reversed ? $1.amount : 0)
        }
        let isUndone = authorization.operations.contains { $0.kind == .void && $0.status == .succeeded }
        let reversed = authorization.capturesAtOnce && isUndone ? authorization.voided : undone
        reference = name(authorization.command.reference)
        authorized = authorization.authorized
        captured = authorization.captured + reversed
        refunded = authorization.refunded + reversed
        held = authorization.held
        captures = authorization.operations.count { $0.kind == .capture && $0.status == .succeeded }
    }
}
