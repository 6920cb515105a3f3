/// A request that Stripe refused without doing what it asked for.
struct StripeRefusal {
    /// The HTTP status: 400, 401, 402, 403 or 404.
    var status: Int
    var error: StripeError
    /// Names the exchange in Stripe's dashboard.
    var requestID: String?
    /// Whether the reply repeats the request's key, so that it is no other request that was refused.
    var repeatsKey: Bool

    /// Whether the account's key, rather than the request, was refused.
    var concernsKey: Bool { status == 401 || status == 403 }
    /// A sentence for the operator.
    var sentence: String { error.sentence(requestID) }
}
