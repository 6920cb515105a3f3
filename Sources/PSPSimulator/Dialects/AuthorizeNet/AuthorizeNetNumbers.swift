import Synchronization

/// Draws the digits that Authorize.Net calls a transaction by.
///
/// They are a number that grows and the last four digits of what pays, so that a refund can be compared with them.
final class AuthorizeNetNumbers: Sendable {
    /// 2024-01-01, in milliseconds since 1970.
    private static let epoch: Int64 = 1_704_067_200_000

    private let last = Mutex<Int64>(0)

    /// The `transId` of a new transaction.
    func draw(last4: String, at now: Int64) -> String {
        let number = last.withLock { last in
            last = max(last + 1, now - Self.epoch)
            return last
        }
        return "\(number)\(last4)"
    }

    /// The `transId` of a refund: its transaction's, and the number of the operation in two digits or more.
    static func text(of operation: Operation, in authorization: Authorization) -> String {
        let number = PSPNumber(operation.id)?.operation ?? 0
        return text(of: authorization) + (number < 10 ? "0" : "") + "\(number)"
    }

    /// The `transId` of a transaction.
    static func text(of authorization: Authorization) -> String { authorization.command.identifier ?? "0" }

    /// The transaction that a refund's `transId` may belong to, for each way to part the digits.
    static func candidates(refund transId: String) -> [String] {
        (2...3).map { String(transId.dropLast($0)) }
    }

    /// The six characters that a processor approves with; none if it has not.
    static func authorizationCode(_ authorization: Authorization) -> String {
        guard authorization.authorized > 0 else { return "" }
        return String(String(authorization.createdAt, radix: 36).uppercased().suffix(6))
    }
}
