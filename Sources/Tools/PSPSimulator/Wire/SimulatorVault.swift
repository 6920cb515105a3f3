import StrictJSON

/// What the simulator's own dialect keeps of a buyer's payment, and what a merchant is paid with while the buyer is away.
struct SimulatorVault: Sendable {
    /// The detail of a payment that names the method which pays it.
    static let methodDetail = "stored_method"
    /// The detail of a payment that the merchant initiates.
    static let initiatorDetail = "initiator"
    /// What the name of a kept method begins with.
    private static let prefix = "sm_"

    let methods: StoredMethods

    /// `POST /v1/authorizations`, with the method that a kept one's name leads to.
    func authorize(
        _ command: AuthorizeCommand,
        by requester: Requester,
        _ reply: @escaping @Sendable (Authorization) -> PSPReply
    ) throws(Refusal) -> Reply {
        guard let name = command.details[Self.methodDetail] else {
            return .authorize(command, by: requester, reply: reply)
        }
        guard let first = Self.payment(of: name) else { throw Self.unknownMethod }
        let owner = command.details[StoredMethods.ownerDetail]
        return .given(first, account: requester.account) { [methods] payment throws(Refusal) in
            guard methods.pays(methodOf: payment, for: owner, by: requester) else { throw Self.unknownMethod }
            return .authorize(command, by: requester, reply: reply)
        }
    }

    /// `DELETE /v1/stored-methods/{id}?owner=`.
    func forget(_ request: PSPRequest) throws(Refusal) -> Reply {
        let account = try AccountName(of: request)
        guard let owner = request.query("owner"), !owner.isEmpty else { throw .invalid("owner is required.") }
        guard let first = Self.payment(of: request.parameter("id")) else { throw .notFound }
        return .given(first, account: account.name) { [methods] payment throws(Refusal) in
            guard methods.remove(methodOf: payment, for: owner) else { throw .notFound }
            return .answer(PSPReply(200, ["object": "stored_method", "deleted": true]))
        }
    }

    /// What a reply tells of the method that a payment left; nil if it left none.
    static func document(_ authorization: Authorization) -> JSON? {
        let details = authorization.command.details
        guard authorization.authorized > 0, let owner = details[StoredMethods.ownerDetail],
            details[methodDetail] == nil
        else { return nil }
        let method = authorization.command.method
        var (month, year): (Int64, Int64) = (12, 2031)
        if case .networkToken(let digest) = method { (month, year) = (digest.expiryMonth, digest.expiryYear) }
        return [
            "id": .string(prefix + authorization.id.dropFirst(Books.identifierPrefix.count)), "owner": .string(owner),
            "network": .string(method.network), "last4": .string(method.last4), "expiry_month": .integer(month),
            "expiry_year": .integer(year),
        ]
    }

    /// What the card scheme calls a payment that is the first of several, or one of the others; nil for any other.
    static func networkTransactionID(_ authorization: Authorization) -> String? {
        let details = authorization.command.details
        guard authorization.authorized > 0,
            details[StoredMethods.ownerDetail] != nil || details[initiatorDetail] != nil
        else { return nil }
        let number = PSPNumber(authorization.id)?.authorization ?? 0
        return "SIM" + String(String(1_000_000_000_000 + number).dropFirst())
    }

    private static func payment(of name: String) -> String? {
        name.hasPrefix(prefix) ? Books.identifierPrefix + name.dropFirst(prefix.count) : nil
    }

    private static let unknownMethod = Refusal(404, "stored_method_not_found", "There is no such stored method.")
}

extension CommandReader {
    /// What a request says of who starts it, and of what is kept: as details for the books.
    ///
    /// The merchant's payments have a stored method, or a network token without a cryptogram and what the scheme calls the
    /// first one; a buyer's have neither.
    static func initiation(_ reader: ObjectReader) -> [String: String] {
        var details: [String: String] = [:]
        details[StoredMethods.ownerDetail] = reader.string("store_for", .optional, length: 1...64)
        details[SimulatorVault.initiatorDetail] = reader.string("initiator", .optional, oneOf: ["merchant"])
        let scheme = reader.string("network_transaction_id", .optional, length: 1...100)
        let stored = reader.object("stored_method", .optional) { method -> (id: String, owner: String)? in
            guard let id = method.string("id", length: 1...64), let owner = method.string("owner", length: 1...64)
            else { return nil }
            return (id, owner)
        }
        if let stored {
            details[SimulatorVault.methodDetail] = stored.id
            if reader.contains("store_for") { reader.refuse("store_for", "contradiction", "It is stored already.") }
            details[StoredMethods.ownerDetail] = stored.owner
        }
        let isMerchants = details[SimulatorVault.initiatorDetail] != nil
        if isMerchants, stored == nil, scheme == nil {
            reader.refuse("initiator", "contradiction", "A merchant's payment follows one of the buyer's: name it.")
        }
        if isMerchants, reader.contains("store_for") {
            reader.refuse("store_for", "contradiction", "Only a buyer's payment is stored.")
        }
        if !isMerchants, reader.contains("stored_method") || scheme != nil {
            reader.refuse("initiator", "required", "Only a merchant pays with what is stored.")
        }
        return details
    }
}
