import StrictJSON

/// A request to Authorize.Net that follows its schema, and who sends it.
struct AuthorizeNetRequest: Sendable {
    let method: AuthorizeNetMethod
    /// What stands in its only member.
    let json: JSON
    /// The account's name in the books.
    let account: String

    /// Reads a request.
    ///
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest) throws(Refusal) {
        guard let root = try request.json().objectValue, root.count == 1 else {
            throw Refusal(400, "E00003", "Root element is missing.")
        }
        let name = root[0].key
        guard let method = AuthorizeNetMethod.allCases.first(where: { $0.element == name }) else {
            throw Refusal(400, "E00004", "The name of the requested API method is invalid.")
        }
        self.method = method
        json = root[0].value
        try AuthorizeNetValidator.check(json, name, AuthorizeNetSchema.places(of: method))
        guard let merchant = json["merchantAuthentication"], let login = merchant.filled("name"),
            let key = merchant.filled("transactionKey")
        else { throw .unauthorized }
        _ = try Account(key: key)
        account = try Account(key: login).name
    }

    /// The caller's name for the request, which the answer repeats.
    var refId: String? { json.filled("refId") }

    /// The transaction of a `createTransactionRequest`.
    var transaction: JSON { json["transactionRequest"] ?? .null }

    /// The caller's name for the transaction, which Authorize.Net's reports show.
    var invoiceNumber: String? { transaction["order"]?.filled("invoiceNumber") }

    /// What the caller wants to find again in answers, reports and webhooks.
    var details: [String: String] {
        var details: [String: String] = [:]
        details["refId"] = refId
        details["invoiceNumber"] = invoiceNumber
        details["description"] = transaction["order"]?.filled("description")
        return details
    }

    /// Who sends it; Authorize.Net has no idempotency.
    var requester: Requester { Requester(account: account, key: nil) }

    /// What the books call it by.
    var reference: String { invoiceNumber ?? refId ?? "" }
}
