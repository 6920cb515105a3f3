/// Who sends a request to Stripe.
enum StripeRequester {
    /// The account of the secret key, or the connected account that it acts for.
    ///
    /// - Throws: ``Refusal``.
    static func account(of request: PSPRequest) throws(Refusal) -> String {
        guard let key = request.bearer ?? request.basic?.user else { throw .unauthorized }
        let platform = try Account(key: key).name
        guard let connected = request.header("Stripe-Account") else { return platform }
        guard connected.hasPrefix("acct_"), connected.utf8.count <= 100 else {
            throw Refusal(
                403,
                "account_invalid",
                "The provided key does not have access to the account of Stripe-Account, or it does not exist."
            )
        }
        return "\(platform):\(connected)"
    }

    /// The account and the idempotency key, at most 255 characters.
    ///
    /// - Throws: ``Refusal``.
    static func requester(_ request: PSPRequest) throws(Refusal) -> Requester {
        Requester(account: try account(of: request), key: try request.key("Idempotency-Key", limit: 255))
    }

    /// The connected account in an account's name.
    static func connected(_ account: String) -> String? {
        let parts = account.split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? String(parts[1]) : nil
    }
}
