/// What PSPs are told of webhooks that are not taken.
enum WebhookProblems {
    static let all: [ProblemCode] = [
        ProblemCode(
            "webhook_not_configured",
            [503],
            "The account has no webhook secret.",
            "The operator sets the credential webhook_secret."
        ),
        ProblemCode(
            "webhook_too_large",
            [413],
            "The webhook is longer than the PSP's are.",
            "Nothing; it is not the PSP's."
        ),
        ProblemCode(
            "webhook_unsigned",
            [400],
            "The webhook has no signature.",
            "Check the account's webhook settings at the PSP."
        ),
        ProblemCode(
            "webhook_wrong_signature",
            [401],
            "No secret of the account makes the signature.",
            "Set the secret that the PSP shows for this address."
        ),
        ProblemCode(
            "webhook_outside_tolerance",
            [401],
            "The webhook was signed too long ago, or in the future.",
            "Check the server's clock."
        ),
        ProblemCode(
            "webhook_malformed",
            [400],
            "The webhook is signed but not as the PSP documents it.",
            "Tell the operator; it may be a new version of the PSP's API."
        ),
        ProblemCode(
            "webhook_ambiguous",
            [503],
            "Several accounts of this name share the secret.",
            "Write the marketplace's id and a colon before the account in the address."
        ),
    ]
}
