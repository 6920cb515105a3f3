/// Statements, invoices, payouts, breaks, endpoints, declarations and keys: what comes after orders.
enum BookProblems {
    static let all: [ProblemCode] = [
        ProblemCode(
            "statement_too_long",
            [422],
            "The time has more movements than the form can show.",
            "Ask for a shorter time, or for CSV."
        ),
        ProblemCode(
            "period_not_closed",
            [409],
            "The books of the month are not closed yet.",
            "Ask again after the time that the detail names."
        ),
        ProblemCode(
            "invoice_overlaps",
            [409],
            "An invoice has a part of the month already, from when the time zone was another one.",
            "Use that invoice, which the detail names."
        ),
        ProblemCode(
            "nothing_to_invoice",
            [422],
            "There was no commission in the currency in the month.",
            "Nothing; no number is used."
        ),
        ProblemCode(
            "legal_entity_missing",
            [409],
            "The name and address of who invoices, or of whom the invoice is for, are not declared.",
            "Set `legal` of the marketplace or of the merchant, as the detail says."
        ),
        ProblemCode(
            "unknown_callback",
            [422],
            "The marketplace has no callback with the id at the pointer; none is delivered again.",
            "Take ids from `GET /v1/callbacks`."
        ),
        ProblemCode(
            "webhook_not_a_problem",
            [409],
            "The webhook was told to its order, or is dismissed already.",
            "Nothing; only webhooks with the status problem are dismissed."
        ),
        ProblemCode(
            "not_in_live_mode",
            [409],
            "The clock of a live marketplace is the real time, which nobody moves.",
            "Use a key of a test marketplace, which begins `tk_test_`."
        ),
        ProblemCode(
            "clock_backwards",
            [422],
            "The clock shows that time already, or a later one, and is never moved backwards.",
            "Ask what it shows, and name a later time."
        ),
        ProblemCode(
            "clock_too_far",
            [422],
            "A test clock is at most ten years ahead of the real time.",
            "Name an earlier time, or declare another test marketplace."
        ),
        ProblemCode(
            "mode_changed",
            [422],
            "A marketplace is declared in another mode than it was made in.",
            "Leave the mode as it is, or declare another marketplace."
        ),
        ProblemCode(
            "unknown_time_zone",
            [409, 422],
            "The time zone is not in the server's tz database.",
            "Take a name of it, as Europe/Berlin."
        ),
        ProblemCode(
            "payout_reference_in_use",
            [409],
            "Another payout has the reference.",
            "Read that payout (the detail names it): it may be the one; else take the bank's own reference."
        ),
        ProblemCode(
            "payout_failed_otherwise",
            [409],
            "The payout has failed already, for another reason.",
            "Read it; nothing was changed."
        ),
        ProblemCode(
            "break_state",
            [409],
            "A break in this state does not become what was asked.",
            "Read the break; it may be resolved already."
        ),
        ProblemCode(
            "break_changed",
            [409],
            "Somebody else changed the break meanwhile.",
            "Read it, and ask again if that still makes sense."
        ),
        ProblemCode(
            "address_refused",
            [422],
            "Callbacks may not go to this address.",
            "Take a public https address of your own."
        ),
        ProblemCode(
            "no_sealing_key",
            [503],
            "The server has no key to seal secrets with.",
            "The operator looks at the keyring in the settings."
        ),
        ProblemCode(
            "invalid_declaration",
            [422],
            "The declaration cannot be understood.",
            "Mend each of `errors`; `tributary check-config` says the same."
        ),
        ProblemCode(
            "other_marketplace",
            [422],
            "The declaration is of another marketplace than the key.",
            "Use that marketplace's key."
        ),
        ProblemCode(
            "account_elsewhere",
            [422],
            "The PSP account has a history at another PSP.",
            "Declare a new account under another id."
        ),
        ProblemCode(
            "scope_not_held",
            [403],
            "The key would make one with a scope that it has not itself.",
            "Use a key that has the scope, or `keys create` on the server's command line."
        ),
        ProblemCode(
            "key_outlives_maker",
            [422],
            "A key that ends would make one that ends later, or never.",
            "Send an expires_at that is not behind its own."
        ),
        ProblemCode("key_ends_in_the_past", [422], "The key would have ended before it is made.", "Send a later time."),
        ProblemCode(
            "network_not_held",
            [422],
            "A key for some networks would make one that may come from others.",
            "Send networks that lie in its own."
        ),
        ProblemCode(
            "key_name_in_use",
            [409],
            "Another key of the marketplace, which is not revoked, is called so.",
            "Send another name, or revoke that key first."
        ),
        ProblemCode(
            "publishable_with_others",
            [422],
            "A key that everybody can read would open more than pages need.",
            "Make a key with the scope publishable alone."
        ),
    ]
}
