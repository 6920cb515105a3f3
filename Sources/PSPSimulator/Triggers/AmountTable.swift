/// Triggers by amount: what the last three digits of the amount in minor units stand for.
///
/// They apply only to the token ``token`` and to network tokens whose number begins with ``numberPrefix``, so that
/// an ordinary amount or card never surprises anyone. For the network tokens the last three digits of the number
/// count instead of the amount's.
package enum AmountTable {
    /// The token that asks for triggers by amount.
    package static let token = TokenScript.prefix + "amount"
    /// The beginning of a network token's number that asks for triggers by number; no issuer has it.
    package static let numberPrefix = "999999"

    /// The code and the token it stands for; any other code approves.
    package static let rows: [(code: Int64, token: String)] =
        numbered(from: 1, DeclineCode.triggerable.map { "decline_" + $0.rawValue })
        + numbered(from: 101, ["reject_configuration", "reject_unsupported"])
        + numbered(from: 111, ["partial", "captured", "action", "pending", "pending_fail"])
        + numbered(from: 121, announcements)
        + numbered(from: 131, ["timeout_after+authorize_webhook_none"])
        + numbered(from: 141, ["pending+authorize_no_trace"])
        + numbered(from: 201, faults)
        + numbered(
            from: 301,
            [
                "approve+capture_decline_generic", "approve+capture_pending", "approve+capture_pending_fail",
            ]
        )
        + numbered(from: 311, faults.map { "approve+capture_" + $0 })
        + numbered(from: 321, announcements.map { "approve+capture_" + $0 })
        + numbered(from: 341, ["approve+capture_pending+capture_no_trace"])
        + numbered(from: 411, faults.map { "approve+void_" + $0 })
        + numbered(from: 441, ["approve+void_pending+void_no_trace"])
        + numbered(
            from: 501,
            [
                "approve+refund_decline_generic", "approve+refund_pending", "approve+refund_pending_fail",
                "approve+refund_unsettled",
            ]
        )
        + numbered(from: 511, faults.map { "approve+refund_" + $0 })
        + numbered(from: 541, ["approve+refund_pending+refund_no_trace"])

    /// The token that an amount, or a number's last digits, stand for.
    package static func token(forCode code: Int64) -> String { tokens[code % 1000] ?? TokenScript.prefix + "approve" }

    /// A Markdown table of every code and the token it stands for.
    package static var markdown: String {
        let rows = rows.map { row in "| \(String(1000 + row.code).dropFirst()) | `\(row.token)` |" }
        return (["| last three digits | same as the token |", "|---|---|"] + rows).joined(separator: "\n")
    }

    private static let faults = [
        "slow_3000", "timeout_before", "timeout_after", "never", "500_before", "500_after", "close_before",
        "close_after", "malformed", "duplicate",
    ]

    private static let announcements = ["webhook_first", "webhook_late_500", "webhook_twice", "webhook_none"]

    private static let tokens = Dictionary(uniqueKeysWithValues: rows.map { ($0.code, $0.token) })

    private static func numbered(from first: Int64, _ scripts: [String]) -> [(code: Int64, token: String)] {
        scripts.enumerated().map { (first + Int64($0.offset), TokenScript.prefix + $0.element) }
    }
}
