import StrictJSON

/// What became of payments.
enum CheckoutInquiries {
    /// `GET /payments/{id}`.
    static func payment(_ request: PSPRequest) throws(Refusal) -> Ask {
        try inquire(request) { authorization in
            CheckoutDocument.payment(authorization, request.origin, isFirst: false)
        }
    }

    /// `GET /payments/{id}/actions`, the latest first.
    static func actions(_ request: PSPRequest) throws(Refusal) -> Ask {
        try inquire(request) { authorization in
            .array(CheckoutAction.all(of: authorization).reversed().map { $0.document })
        }
    }

    /// `GET /payments`, those with the caller's reference, the latest first.
    static func list(_ request: PSPRequest) throws(Refusal) -> Ask {
        let account = try CheckoutRequester.account(of: request)
        let limit = try number(request, "limit", 10, in: 1...100)
        let skip = try number(request, "skip", 0, in: 0...1_000_000)
        let reference = request.query("reference")
        return .inquire(account: account) { view in
            let found = view.authorizations { authorization in
                reference == nil || authorization.command.details["reference"] == reference
            }
            let page = found.reversed().dropFirst(skip).prefix(limit)
            return CheckoutReply.reply(
                200,
                [
                    "limit": .integer(Int64(limit)), "skip": .integer(Int64(skip)),
                    "total_count": .integer(Int64(found.count)),
                    "data": .array(page.map { CheckoutDocument.payment($0, request.origin, isFirst: false) }),
                ]
            )
        }
    }

    private static func inquire(
        _ request: PSPRequest,
        _ document: @escaping @Sendable (Authorization) -> JSON
    ) throws(Refusal) -> Ask {
        let account = try CheckoutRequester.account(of: request)
        guard let id = CheckoutIdentifier.payment(request.parameter("id")) else { throw .notFound }
        return .inquire(account: account) { view throws(Refusal) in
            guard let found = view.authorization(id) else { throw .notFound }
            return CheckoutReply.reply(200, document(found))
        }
    }

    private static func number(
        _ request: PSPRequest,
        _ name: String,
        _ usual: Int,
        in range: ClosedRange<Int>
    ) throws(Refusal) -> Int {
        guard let text = request.query(name) else { return usual }
        guard let number = Int(text), range ~= number else {
            throw Refusal(422, "parameter_invalid", "\(name) is out of range.")
        }
        return number
    }
}
