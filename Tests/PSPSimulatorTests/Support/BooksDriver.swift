import PSPSimulator
import Testing

/// Books with a hand on their clock: each request comes at ``now`` under a key of its own unless told otherwise.
struct BooksDriver {
    var books = Books(instance: "test")
    var now: Int64 = 1_000_000
    private var number = 0

    /// Authorizes under `token` and answers the verdict.
    mutating func authorize(
        _ token: String,
        amount: Int64 = 1000,
        reference: String? = nil,
        key: String? = nil,
        capture: Bool = false,
        account: String = "shop"
    ) -> BookAnswer {
        number += 1
        let command = AuthorizeCommand(
            reference: reference ?? "att_\(number)",
            amount: amount,
            currency: "USD",
            method: .token(token),
            capture: capture
        )
        return submit(.authorize(command), key: key ?? "key_\(number)", account: account)
    }

    /// Authorizes and answers the authorization, which must be in the books.
    mutating func authorized(_ token: String, amount: Int64 = 1000, capture: Bool = false) throws -> Authorization {
        let verdict = authorize(token, amount: amount, capture: capture)
        guard case .authorization(let authorization) = verdict.reply else {
            throw UnexpectedReply(reply: verdict.reply)
        }
        return authorization
    }

    /// Captures, voids or refunds.
    mutating func change(
        _ kind: OperationKind,
        _ authorization: Authorization,
        amount: Int64? = nil,
        target: ChangeCommand.Target? = nil,
        reference: String? = nil,
        key: String? = nil,
        account: String = "shop",
        as delivery: Delivery? = nil
    ) -> BookAnswer {
        number += 1
        let change = ChangeCommand(
            kind,
            of: target ?? .id(authorization.id),
            reference: reference ?? "op_\(number)",
            amount: amount
        )
        return submit(.change(change), key: key ?? "key_\(number)", account: account, as: delivery)
    }

    /// The authorization as it is now.
    func current(_ authorization: Authorization) throws -> Authorization {
        try #require(books.authorization(authorization.id, of: authorization.account, at: now))
    }

    /// Sends a command, which is answered in a certain way if one is said.
    mutating func submit(
        _ command: Command,
        key: String,
        account: String = "shop",
        as delivery: Delivery? = nil
    ) -> BookAnswer {
        var submission = Submission(at: now, account: account, key: key, command: command)
        submission.delivery = delivery
        return books.receive(submission)
    }
}

/// A reply that the test did not ask for.
struct UnexpectedReply: Error {
    let reply: BookResult?
}

extension BookAnswer {
    /// The operation's status, or the refusal's code.
    var word: String {
        switch reply {
        case .authorization(let authorization): authorization.status.rawValue
        case .operation(let operation, of: _): operation.status.rawValue
        case .refusal(let refusal): refusal.code
        case nil: "nothing"
        }
    }
}
