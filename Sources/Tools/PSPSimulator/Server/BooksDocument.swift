package import StrictJSON

/// The JSON of `GET /books`: everything the simulator knows, for people and for tests that compare it with a ledger.
package enum BooksDocument {
    /// All accounts, and what became of the webhooks.
    package static func json(
        _ books: Books,
        _ webhooks: WebhookCounts = WebhookCounts(),
        at now: Int64
    ) -> JSON {
        let accounts = books.accounts.map { JSON.Member($0, account($0, books, at: now)) }
        return [
            "instance": .string(books.instance),
            "requests": .integer(Int64(books.requests)),
            "idempotency_records": .integer(Int64(books.keptResults)),
            "violations": .strings(books.violations),
            "webhooks": [
                "waiting": .integer(Int64(webhooks.waiting)), "delivered": .integer(Int64(webhooks.delivered)),
                "failed": .integer(Int64(webhooks.failed)), "dropped": .integer(Int64(webhooks.dropped)),
            ],
            "accounts": .object(accounts),
        ]
    }

    /// One account; nil if it never sent anything.
    package static func json(_ books: Books, account name: String, at now: Int64) -> JSON? {
        guard books.accounts.contains(name) else { return nil }
        return account(name, books, at: now)
    }

    private static func account(_ name: String, _ books: Books, at now: Int64) -> JSON {
        let authorizations = books.authorizations(of: name, at: now)
        return [
            "requests": .integer(Int64(books.requests(of: name))),
            "totals": totals(authorizations),
            "authorizations": .array(authorizations.map(json)),
        ]
    }

    private static func totals(_ authorizations: [Authorization]) -> JSON {
        let byCurrency = Dictionary(grouping: authorizations, by: \.command.currency)
        let members = byCurrency.sorted { $0.key < $1.key }.map { currency, group in
            func sum(_ amount: (Authorization) -> Int64) -> JSON { .integer(group.reduce(0) { $0 + amount($1) }) }
            return JSON.Member(
                currency,
                [
                    "held": sum(\.held), "authorized": sum(\.authorized), "captured": sum(\.captured),
                    "voided": sum(\.voided), "refunded": sum(\.refunded), "charged_back": sum(\.chargedBack),
                ]
            )
        }
        return .object(members)
    }

    /// One authorization with everything that happened to it.
    package static func json(_ authorization: Authorization) -> JSON {
        let command = authorization.command
        return .object(omittingAbsent: [
            "id": .string(authorization.id),
            "reference": .string(command.reference),
            "status": .string(authorization.status.rawValue),
            "amount": .integer(command.amount),
            "currency": .string(command.currency),
            "authorized": .integer(authorization.authorized),
            "captured": .integer(authorization.captured),
            "voided": .integer(authorization.voided),
            "refunded": .integer(authorization.refunded),
            "charged_back": .integer(authorization.chargedBack),
            "application_fee": command.applicationFee.map(JSON.integer),
            "decline": authorization.decline.map { .string($0.rawValue) },
            "network": .string(command.method.network),
            "last4": .string(command.method.last4),
            "metadata": .object(command.metadata.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
            "created_at": .integer(authorization.createdAt),
            "requests": .integer(Int64(authorization.requests)),
            "operations": .array(authorization.operations.map(json)),
            "disputes": .array(authorization.disputes.map { ReplyDocument.json($0, of: authorization) }),
        ])
    }

    private static func json(_ operation: BookedOperation) -> JSON {
        .object(omittingAbsent: [
            "id": .string(operation.id),
            "kind": .string(operation.kind.rawValue),
            "amount": .integer(operation.amount),
            "key": .string(operation.key),
            "reference": .string(operation.reference),
            "status": .string(operation.status.rawValue),
            "final": operation.kind == .capture ? .bool(operation.isFinal) : .none,
            "application_fee": operation.applicationFee.map(JSON.integer),
            "decline": operation.decline.map { .string($0.rawValue) },
            "at": .integer(operation.at),
        ])
    }
}
