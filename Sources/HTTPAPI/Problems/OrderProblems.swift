/// Placing orders, and what is asked of them afterwards.
enum OrderProblems {
    static let all: [ProblemCode] = [
        ProblemCode(
            "invalid_request",
            [400, 422],
            "Several things are wrong with the request.",
            "Mend each of `errors`, by its own code."
        ),
        ProblemCode(
            "reference_in_use",
            [409],
            "Another order that is not failed or canceled has this reference.",
            "Read that order (`order` names it): it may be the answer that was lost. Else take another reference."
        ),
        ProblemCode("no_contexts", [422], "The order has no context.", "Send one for each merchant."),
        ProblemCode(
            "duplicate_external_identifier",
            [422],
            "A merchant is named twice.",
            "Put its amounts into one context."
        ),
        ProblemCode(
            "contexts_exceed_amount",
            [422],
            "The contexts sum to more than the amount.",
            "Correct the amounts."
        ),
        ProblemCode(
            "residual_unassigned",
            [422],
            "The contexts sum to less than the amount, and nothing says what of the rest.",
            "Send `residual: uncharged`, or correct the amounts."
        ),
        ProblemCode(
            "amount_overflow",
            [422],
            "The amounts sum to more than any amount can be.",
            "Correct the amounts."
        ),
        ProblemCode(
            "currency_mismatch",
            [422],
            "Two currencies stand where one has to be.",
            "One order has one currency."
        ),
        ProblemCode(
            "currency_not_representable",
            [422],
            "Apple's sheet has no amounts in this currency.",
            "Take another currency or another way to pay."
        ),
        ProblemCode(
            "policy_unsatisfiable",
            [422],
            "The policy names a merchant without a context, or more than the payments come to.",
            "Correct the policy."
        ),
        ProblemCode(
            "unknown_merchant",
            [422],
            "The marketplace has no merchant with this external identifier.",
            "Save the merchant first, or correct the identifier."
        ),
        ProblemCode(
            "merchant_paused",
            [422],
            "The merchant takes no new payments.",
            "Leave it out, or the operator resumes it."
        ),
        ProblemCode(
            "merchant_mismatch",
            [422],
            "What the context says of the merchant is not what is on record.",
            "Leave it out: the record is taken."
        ),
        ProblemCode(
            "no_route",
            [422],
            "No PSP account of the merchant can take this payment.",
            "The detail says for each route why; change the route, the currency or the way to pay."
        ),
        ProblemCode(
            "commission_exceeds_payment",
            [422],
            "Commission and its tax are more than what is the merchant's of the payment.",
            "Lower them, or set a maximum in the merchant's rule; what the marketplace keeps of tips and shipping is not the "
                + "merchant's."
        ),
        ProblemCode(
            "allocation_exceeds_amount",
            [422],
            "Tips and shipping of a context come to more than its amount.",
            "Correct them; the amount is that with tip and shipping."
        ),
        ProblemCode(
            "duplicate_allocation_line",
            [422],
            "A kind of line stands twice in a context with the same who keeps it.",
            "Send one line with the sum."
        ),
        ProblemCode(
            "line_items_exceed_amount",
            [422],
            "A context's line items sum to more than its amount.",
            "Correct the items or the amount; what is no item, such as shipping, may be left over."
        ),
        ProblemCode(
            "payee_mismatch",
            [422],
            "Who is paid by the PSP is not who the books say is owed.",
            "Correct settles_to and merchant_account of the route."
        ),
        ProblemCode(
            "unknown_psp_account",
            [422],
            "The route names no PSP account of the marketplace.",
            "Declare the account, or correct its id."
        ),
        ProblemCode(
            "credential_missing",
            [422],
            "Nothing says what pays for the context.",
            "Send `payment` on the context, or on the order of one context."
        ),
        ProblemCode(
            "credential_given_twice",
            [422],
            "A payment stands on the order and on the context.",
            "Send one of them."
        ),
        ProblemCode(
            "credential_covers_one_context",
            [422],
            "One credential is to pay several contexts.",
            "Give each context a payment of its own, or send the bundle of a multi-merchant sheet."
        ),
        ProblemCode(
            "unknown_payment_request",
            [422],
            "There is no such payment request.",
            "Store one before the sheet opens, and send its id."
        ),
        ProblemCode(
            "payment_request_used",
            [409, 422],
            "An order was placed with the payment request.",
            "Store a new one for the next sheet."
        ),
        ProblemCode(
            "payment_request_expired",
            [409, 422],
            "The payment request is older than 30 minutes.",
            "Store a new one and open the sheet again."
        ),
        ProblemCode(
            "contexts_cannot_be_added",
            [422],
            "The sheet opened without contexts, so its token pays one.",
            "Store a payment request with contexts and open the sheet again."
        ),
        ProblemCode(
            "not_capturable",
            [409],
            "The order or payment is in no state to be captured.",
            "Read the order: it is captured, canceled, or not accepted yet."
        ),
        ProblemCode(
            "not_cancelable",
            [409],
            "The order is in no state to be canceled.",
            "Read the order; what is captured is refunded."
        ),
        ProblemCode(
            "not_refundable",
            [409],
            "The order or payment is in no state to be refunded.",
            "Read the order: nothing of it is captured."
        ),
        ProblemCode(
            "not_releasable",
            [409],
            "Nothing of the order is let go of on request.",
            "Only accepted orders under manual capture; cancel or refund others."
        ),
        ProblemCode(
            "policy_unsatisfied",
            [409],
            "Without the payments that were called off, the order's policy would not accept the rest.",
            "Cancel the whole order, or call off less."
        ),
        ProblemCode("already_captured", [409], "Something is captured already.", "Refund it, or capture what is left."),
        ProblemCode("authorization_expired", [409], "The hold has lapsed.", "Have the buyer pay again."),
        ProblemCode(
            "capture_in_progress",
            [409],
            "Captures are under way.",
            "Wait for `payment.captured`, then ask again."
        ),
        ProblemCode("release_in_progress", [409], "What is held is being released.", "Wait for `payment.voided`."),
        ProblemCode("nothing_held", [409], "Nothing is held.", "Nothing to do."),
        ProblemCode("action_not_required", [409], "The buyer has nothing to do.", "Read the payment."),
        ProblemCode(
            "capture_exceeds_authorized",
            [422],
            "More is asked for than is held.",
            "Ask for `available_amount` at most."
        ),
        ProblemCode(
            "capture_in_part",
            [422],
            "An all-or-nothing order is captured as a unit.",
            "Name every payment with its whole amount, or send no items."
        ),
        ProblemCode(
            "partial_capture_unsupported",
            [422],
            "The PSP captures all or nothing.",
            "Capture the whole payment."
        ),
        ProblemCode(
            "multiple_captures_unsupported",
            [422],
            "The PSP captures once.",
            "Capture once, and leave out `final: false`."
        ),
        ProblemCode(
            "release_unsupported",
            [422],
            "The PSP lets go of nothing behind a partial capture.",
            "The rest lapses by itself, at `capture_before`."
        ),
        ProblemCode(
            "allocation_required",
            [422],
            "An amount alone does not say which payments it comes from.",
            "Send items, or `allocate: proportional`."
        ),
        ProblemCode(
            "refund_exceeds_captured",
            [422],
            "More is asked for than is left to refund.",
            "Ask for `available_amount` at most."
        ),
        ProblemCode("unknown_payment", [422], "The order has no such payment.", "Take the ids from the order."),
        ProblemCode("repeated_payment", [422], "A payment is named twice.", "Name it once with the sum."),
        ProblemCode(
            "invalid_amount",
            [422],
            "An amount is not above zero, or nothing is named.",
            "Name what is to be done."
        ),
        ProblemCode(
            "unknown_operation",
            [404],
            "The order has no such operation.",
            "Take the id from the order's events."
        ),
        ProblemCode("operation_settled", [409], "It is known what became of the operation.", "Nothing to do."),
        ProblemCode(
            "operation_in_flight",
            [409],
            "The operation's answer may come any moment.",
            "Ask again in a minute."
        ),
        ProblemCode(
            "nothing_to_retry",
            [409],
            "Nothing of the order rests in doubt or after a refusal.",
            "Nothing to do."
        ),
        ProblemCode(
            "dispute_exceeds_captured",
            [422],
            "The dispute is over more than is captured and not charged back.",
            "Correct the amount."
        ),
        ProblemCode("dispute_decided", [409], "The dispute is decided.", "Nothing to do."),
        ProblemCode("fee_settled", [409], "The fee is posted, from the PSP's settlement file.", "Nothing to do."),
        ProblemCode(
            "reference_known",
            [409],
            "The PSP's name is known with another amount or state, or as something else.",
            "Read the order, and correct what you enter."
        ),
        ProblemCode(
            "reference_required",
            [409],
            "A dispute of another amount is known without a name, and this may be another one.",
            "Give the PSP's name of the dispute; to correct the amount, enter that the first one is won, and this one under a name."
        ),
    ]
}
