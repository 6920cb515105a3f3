/// Which of an attempt's operations Checkout.com accepted, and what it calls them.
///
/// Kept with the attempt as `op_…:act_… op_…:act_…`. An accepted action may not be listed yet; without this it
/// would look as if it had never arrived.
struct AcceptedActions {
    /// More than any payment has: Checkout.com takes 150 partial captures and refunds.
    private static let limit = 160

    private var pairs: [Substring]

    /// Reads what was kept; anything that is no pair is dropped.
    init(_ state: String?) {
        pairs = (state ?? "").split(separator: " ").filter { $0.split(separator: ":").count == 2 }
    }

    /// Checkout.com's name for an operation; nil if it did not accept it, as far as we know.
    subscript(operation: String) -> String? {
        pairs.last { $0.hasPrefix(operation + ":") }.map { String($0.dropFirst(operation.count + 1)) }
    }

    /// What is to be kept once `operation` was accepted as `action`.
    func adding(_ operation: String, _ action: String) -> String {
        let others = pairs.filter { !$0.hasPrefix(operation + ":") }
        return (others + ["\(operation):\(action)"]).suffix(Self.limit).joined(separator: " ")
    }
}
