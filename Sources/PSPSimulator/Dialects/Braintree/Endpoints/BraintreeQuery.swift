import StrictJSON

/// Queries of an account.
enum BraintreeQuery {
    /// What a query asks.
    static func ask(_ request: BraintreeRequest) -> Ask {
        .inquire(account: request.account) { view throws(Refusal) in
            var members: [JSON.Member] = []
            for root in request.call.roots {
                let value = try resolve(root, &view)
                members.append(JSON.Member(root.key, root.answer(value)))
            }
            return BraintreeReply.data(members)
        }
    }

    private static func resolve(_ root: GraphQLNode, _ view: inout BooksView) throws(Refusal) -> JSON {
        switch root.name {
        case "ping": return "pong"
        case "__typename": return "Query"
        case "node":
            guard let node = node(root.arguments["id"]?.stringValue ?? "", &view) else {
                throw BraintreeFault(
                    errorClass: "NOT_FOUND",
                    inputPath: "id",
                    message: "An object with this ID was not found."
                ).refusal
            }
            return node
        case "idFromLegacyId":
            let type = root.arguments["type"]?.stringValue?.lowercased() ?? ""
            let legacy = root.arguments["legacyId"]?.stringValue ?? ""
            guard let kind = BraintreeName.Kind(rawValue: type), let name = BraintreeName(kind, legacy: legacy) else {
                throw BraintreeFault(errorClass: "NOT_FOUND", inputPath: "legacyId", message: "Unknown ID.").refusal
            }
            return .string(name.global)
        default: return try search(root, &view)
        }
    }

    private static func node(_ id: String, _ view: inout BooksView) -> JSON? {
        guard let name = BraintreeName(id) else { return .none }
        switch name.kind {
        case .transaction:
            let found = view.authorization(name.number.authorizationIdentifier)
            return found.map { BraintreeTransaction($0, at: view.now).json() }
        case .refund:
            let found = view.operation(name.refundIdentifier)
            return found.map { BraintreeRefund($0.operation, of: $0.authorization, isFresh: false).json() }
        case .dispute:
            guard let found = view.authorization(name.number.authorizationIdentifier) else { return .none }
            let transaction = BraintreeTransaction(found, at: view.now)
            let dispute = found.disputes.map { BraintreeDispute($0, of: transaction) }.first { $0.name == name }
            return dispute?.json()
        }
    }

    private static func search(_ root: GraphQLNode, _ view: inout BooksView) throws(Refusal) -> JSON {
        var members = [JSON.Member("__typename", "Search")]
        for child in root.children where child.name != "__typename" {
            guard !members.contains(where: { $0.key == child.name }) else {
                throw .graphQL("This simulator runs one search of a kind a request.")
            }
            let search = try BraintreeSearch(.optional(child.arguments["input"]))
            let nodes: [JSON]
            let kind: String
            switch child.name {
            case "transactions": (nodes, kind) = (search.transactions(&view), "Transaction")
            case "refunds": (nodes, kind) = (search.refunds(&view), "Refund")
            default: (nodes, kind) = (search.payments(&view), "Payment")
            }
            members.append(JSON.Member(child.name, try BraintreePage(child.arguments).connection(nodes, of: kind)))
        }
        return .object(members)
    }
}
