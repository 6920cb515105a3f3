/// Every word of the token grammar.
///
/// Parsing and documentation both come from here.
package enum TriggerTable {
    /// The words, in the order of the documentation.
    package static let triggers: [Trigger] = effects + declines + deliveries + announcements

    /// The word with that name that `operation` understands.
    package static func trigger(_ name: String, for operation: OperationKind) -> Trigger? {
        byName[name]?.first { $0.operations.contains(operation) }
    }

    private static let byName = Dictionary(grouping: triggers, by: \.name)
    private static let posts: [OperationKind] = [.authorize, .capture, .void, .refund]

    private static let effects: [Trigger] = [
        Trigger("approve", posts, .effect(.approve), "Succeeds; the default."),
        Trigger("partial", [.authorize], .effect(.approvePartly), "Approves half of the amount, rounded down."),
        Trigger(
            "captured",
            [.authorize],
            .effect(.captureAtOnce),
            "Approves and captures at once, asked or not; a void is then refused with `already_captured`."
        ),
        Trigger(
            "lapse",
            [.authorize],
            milliseconds: 1000,
            { .effect(.lapse(afterMilliseconds: $0)) },
            "Approves; the authorization lapses after N ms."
        ),
        Trigger(
            "action",
            [.authorize],
            milliseconds: 600_000,
            { .effect(.requireAction(withinMilliseconds: $0)) },
            "Answers `requires_action` with a page of the simulator; `GET` it to approve, with `?result=deny` to "
                + "decline. After N ms it is declined with `action_expired`."
        ),
        Trigger(
            "pending",
            posts,
            milliseconds: 1000,
            { .effect(.finish(afterMilliseconds: $0)) },
            "Answers `pending`; succeeds after N ms, as an inquiry or a webhook tells."
        ),
        Trigger(
            "pending_fail",
            posts,
            milliseconds: 1000,
            { .effect(.fail(afterMilliseconds: $0)) },
            "Answers `pending`; fails after N ms with code `generic`."
        ),
        Trigger(
            "fail_later",
            [.capture, .refund],
            milliseconds: 1000,
            { .effect(.failLater(afterMilliseconds: $0)) },
            "Succeeds; after N ms it turns out to have failed, and its amount is as if it had not been. A capture that "
                + "is refunded or disputed by then does not fail."
        ),
        Trigger(
            "unsettled",
            [.refund],
            milliseconds: 86_400_000,
            { .effect(.settle(afterMilliseconds: $0)) },
            "Refused with `not_settled_yet` until N ms after the capture; until then a void undoes the capture."
        ),
        Trigger(
            "hidden",
            [.inquire],
            milliseconds: 1000,
            { .effect(.hide(forMilliseconds: $0)) },
            "Inquiries do not find what was made less than N ms ago."
        ),
        Trigger(
            "reject_configuration",
            posts,
            .effect(.refuse(.configuration)),
            "Refuses the request: the account is not set up for it. The books keep no trace."
        ),
        Trigger(
            "reject_unsupported",
            posts,
            .effect(.refuse(.unsupported)),
            "Refuses the request as unsupported. The books keep no trace."
        ),
    ]

    private static let declines: [Trigger] = DeclineCode.triggerable.map { code in
        Trigger(
            "decline_" + code.rawValue,
            [.authorize, .capture, .refund],
            .effect(.decline(code)),
            "Declined: \(code.message)"
        )
    }

    private static let deliveries: [Trigger] = [
        Trigger(
            "slow",
            posts + [.inquire],
            milliseconds: 1000,
            { .delivery(.slow(milliseconds: $0)) },
            "Acts at once, answers after N ms; repeats under the key wait for the same moment."
        ),
        Trigger(
            "timeout_before",
            posts,
            .delivery(.stallBefore),
            "The first request under a key does not act and is never answered; a repeat is processed."
        ),
        Trigger(
            "timeout_after",
            posts,
            .delivery(.stallAfter),
            "The first request under a key acts and is never answered; a repeat gets the result."
        ),
        Trigger("never", posts + [.inquire], .delivery(.never), "No request acts or is ever answered."),
        Trigger(
            "500_before",
            posts + [.inquire],
            .delivery(.errorBefore),
            "The first request under a key answers 500 without acting (an inquiry: every one)."
        ),
        Trigger("500_after", posts, .delivery(.errorAfter), "The first request under a key acts and answers 500."),
        Trigger(
            "close_before",
            posts + [.inquire],
            .delivery(.closeBefore),
            "The first request under a key closes the connection without acting (an inquiry: every one)."
        ),
        Trigger(
            "close_after",
            posts,
            .delivery(.closeAfter),
            "The first request under a key acts and closes the connection without a reply."
        ),
        Trigger(
            "malformed",
            posts + [.inquire],
            .delivery(.truncate),
            "Acts and answers the first half of its JSON; a repeat gets all of it (an inquiry: never)."
        ),
        Trigger(
            "duplicate",
            posts,
            .delivery(.twice),
            "Acts and sends its whole reply twice on the connection; a repeat gets it once."
        ),
        Trigger(
            "no_trace",
            posts,
            .delivery(.noTrace),
            "The first request under a key is answered as if it acted, and leaves no trace; a repeat is processed."
        ),
    ]

    private static let announcements: [Trigger] = [
        Trigger(
            "webhook_first",
            posts,
            milliseconds: 2000,
            { .announcement(.first(waitMilliseconds: $0)) },
            "Answers once its webhooks were taken, or after N ms."
        ),
        Trigger(
            "webhook_late",
            posts,
            milliseconds: 1000,
            { .announcement(.late(milliseconds: $0)) },
            "Its webhooks are sent N ms later, after those of what follows."
        ),
        Trigger("webhook_twice", posts, .announcement(.twice), "Each of its webhooks is sent twice."),
        Trigger("webhook_none", posts, .announcement(.silent), "No webhook tells of it."),
    ]
}

/// The simulator's documentation, so that a page that shows it can be compared with the code.
extension TriggerTable {
    /// A Markdown table of every trigger: word, operations, meaning.
    package static var markdown: String {
        let rows = triggers.map { trigger in
            let operations = trigger.operations.map(\.rawValue).joined(separator: ", ")
            let number = trigger.defaultMilliseconds.map { " N is \($0) if left out." } ?? ""
            return "| `\(trigger.pattern)` | \(operations) | \(trigger.meaning)\(number) |"
        }
        return (["| trigger | operations | what happens |", "|---|---|---|"] + rows).joined(separator: "\n")
    }
}

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
