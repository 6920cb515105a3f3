/// Agreements, and what is paid under them.
enum AgreementProblems {
    static let all: [ProblemCode] = [
        ProblemCode(
            "unknown_agreement",
            [422],
            "The marketplace has no agreement with this id.",
            "Correct the id, or make the agreement first."
        ),
        ProblemCode(
            "agreement_needs_one_context",
            [422],
            "An agreement stands beside several contexts.",
            "An agreement is with one merchant: make an order, or a payment request, of one context."
        ),
        ProblemCode(
            "agreement_of_another_merchant",
            [422],
            "The agreement is with another merchant than the context.",
            "Name an agreement with that merchant."
        ),
        ProblemCode(
            "agreement_mismatch",
            [422],
            "The order does not name the agreement that its payment request has made.",
            "Name the payment request's `agreement` in the order's context."
        ),
        ProblemCode(
            "token_notification_url_missing",
            [200, 201, 422],
            "Apple cannot tell of the agreement's merchant token (a warning unless strict).",
            "Give the server an https `public_url`."
        ),
        ProblemCode(
            "agreement_begun",
            [409],
            "The first payment of the agreement is made, or under way, or one that was called off may still be approved.",
            "Charge under it, or make another agreement."
        ),
        ProblemCode(
            "agreement_not_active",
            [409],
            "The buyer has not paid under the agreement yet.",
            "Place its first order, and wait for `agreement.active`."
        ),
        ProblemCode(
            "agreement_suspended",
            [409],
            "The agreement cannot be charged for now; the detail says why.",
            "Ask the buyer for a new agreement."
        ),
        ProblemCode(
            "agreement_ended",
            [409],
            "The agreement is over.",
            "Ask the buyer for a new agreement."
        ),
        ProblemCode(
            "amount_outside_terms",
            [422],
            "The amount is not the fixed one, or above the maximum; `available_amount` is what the terms allow.",
            "Charge what the buyer agreed to."
        ),
        ProblemCode(
            "reason_outside_terms",
            [422],
            "The type of the agreement has no charges for this reason.",
            "Recurring agreements have `recurring`, automatic reloads `reload`, deferred ones `deferred` and `no_show`."
        ),
        ProblemCode(
            "agreement_charged",
            [409],
            "A deferred agreement is charged once, and was charged, or is being charged.",
            "Ask the buyer for a new agreement; a charge that is refused may be made again."
        ),
        ProblemCode(
            "nothing_to_resubmit",
            [409],
            "No charge was declined since the last that was approved.",
            "Charge for another reason than `resubmission`."
        ),
        ProblemCode(
            "retry_forbidden",
            [409],
            "The card network or the issuer forbids another try with this card.",
            "Ask the buyer for another way to pay."
        ),
        ProblemCode(
            "retry_too_early",
            [409],
            "A charge was declined, and the next may not be tried yet.",
            "Try again at the time that the detail and `retry.not_before` of the agreement name."
        ),
        ProblemCode(
            "too_many_tries",
            [409],
            "As many charges were declined within 30 days as the card networks allow.",
            "Try again at the time that the detail names, or ask the buyer for another way to pay."
        ),
    ]
}
