import StrictJSON

/// A request to Worldpay with its headers checked, and who sends it.
struct WorldpayRequest: Sendable {
    /// The media type of Payment Queries.
    static let queries = "application/vnd.worldpay.payment-queries-v1.hal+json"
    private static let cardPayments = "application/vnd.worldpay.payments-v7+json"

    let wire: PSPRequest
    /// The account in the books: that of the user's name.
    let account: String
    private let api: WorldpayAPI

    /// Checks who sends a request, and its headers.
    ///
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest, _ api: WorldpayAPI) throws(Refusal) {
        wire = request
        self.api = api
        guard let (user, password) = request.basic else { throw .unauthorized }
        account = try Account(key: user).name
        _ = try Account(key: password)
        switch api {
        case .payments: try expectVersion("2024-06-01", missing: 406)
        case .splitPayments: try expectVersion("2025-06-25", missing: 400)
        case .queries:
            guard request.header("Accept") == Self.queries else { throw Self.wrong(406, "Accept") }
        case .cardPayments:
            guard mediaType == Self.cardPayments else { throw Self.wrong(415, "Content-Type") }
            let kinds = [Self.cardPayments, "application/vnd.worldpay.payments-v7.hal+json"]
            guard let kind = request.header("Accept"), kinds.contains(kind) else { throw Self.wrong(406, "Accept") }
        }
    }

    /// Worldpay has no idempotency key.
    var requester: Requester { Requester(account: account, key: nil) }

    /// The link in the path.
    ///
    /// - Throws: ``Refusal/notFound`` if it is not one that Worldpay made for this.
    func link(_ action: WorldpayAction) throws(Refusal) -> WorldpayLink {
        guard let link = WorldpayLink(data: wire.parameter("link")), link.api == api, link.action == action else {
            throw .notFound
        }
        return link
    }

    /// The body, as JSON that is as it should be.
    ///
    /// - Throws: ``Refusal``.
    func body(_ field: WorldpayField) throws(Refusal) -> JSON {
        if api != .cardPayments {
            guard let mediaType else { throw Refusal(406, "headerIsMissing", "Content-Type") }
            guard mediaType == "application/json" else { throw Self.wrong(415, "Content-Type") }
        }
        let json = try wire.json()
        try field.check(json)
        return json
    }

    private var mediaType: String? {
        wire.header("Content-Type").map { $0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased() }
    }

    private func expectVersion(_ version: String, missing: Int) throws(Refusal) {
        guard let sent = wire.header("WP-Api-Version") else {
            throw Refusal(missing, "headerIsMissing", "WP-Api-Version")
        }
        guard sent == version else { throw Self.wrong(406, "WP-Api-Version") }
    }

    private static func wrong(_ status: Int, _ header: String) -> Refusal {
        Refusal(status, "headerHasInvalidValue", header)
    }
}
