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
            { .announcement(.first(patienceMilliseconds: $0)) },
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
