/// Who sends a request to Checkout.com.
enum CheckoutRequester {
    /// The account of the secret key or of the access token; a public key may do nothing but make tokens.
    ///
    /// - Throws: ``Refusal/unauthorized``.
    static func account(of request: PSPRequest) throws(Refusal) -> String {
        guard let key = request.bearer, !key.hasPrefix("pk_") else { throw .unauthorized }
        return try Account(key: key).name
    }

    /// The account and the idempotency key; Checkout.com documents no limit of its length.
    ///
    /// - Throws: ``Refusal``.
    static func requester(_ request: PSPRequest) throws(Refusal) -> Requester {
        Requester(
            account: try account(of: request),
            key: try request.key("Cko-Idempotency-Key", limit: 255)
        )
    }

    /// Checks the public key that a wallet's data is exchanged under.
    ///
    /// - Throws: ``Refusal/unauthorized``.
    static func checkPublicKey(_ request: PSPRequest) throws(Refusal) {
        guard let key = request.bearer, !key.hasPrefix("sk_") else { throw .unauthorized }
        _ = try Account(key: key)
    }
}
