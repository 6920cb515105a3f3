package import Domain
package import SQL

/// A table whose rows are forgotten some time after they have served their purpose.
package enum RetainedTable: String, Hashable, Sendable, CaseIterable {
    /// Sealed credentials, past the moment at which they are to be erased.
    case credentials = "credential"
    /// Idempotency keys, by when they were taken.
    case idempotencyKeys = "idempotency_key"
    /// Payment requests, by when they ended.
    case paymentRequests = "payment_request"
    /// Events that PSPs told, by when they were settled; what waits for a person is kept until it is seen to.
    case webhooks = "psp_webhook"
    /// Callbacks, by when they were delivered or given up; what waits is kept.
    case callbacks = "callback"
    /// Orders in Wallet with what the buyer reads there, by when what they show last changed.
    case walletOrders = "wallet_order"
    /// Devices that follow no order any more, by when they last registered.
    case walletDevices = "wallet_device"
    /// What Apple announced of merchant tokens, by when it was settled; what is to be fetched is kept.
    case merchantTokenNotices = "merchant_token_notice"

    /// A statement that answers a row if anything that has served before `moment` is to be forgotten.
    package func oldest(before moment: Timestamp) -> SQL {
        "SELECT \(time) AS served_at FROM \(table) WHERE \(hasServed(before: moment)) ORDER BY \(time) LIMIT 1"
    }

    /// The statement that forgets rows that have served before `moment`, the oldest first, at most `limit`.
    ///
    /// The limit stands in the text, not among the values: a planner that did not know it would take it for a part of all
    /// rows, and read the whole table for it.
    package func deletion(before moment: Timestamp, limit: Int) -> SQL {
        """
        DELETE FROM \(table) WHERE (\(key)) IN (
            SELECT \(key) FROM \(table) WHERE \(hasServed(before: moment)) ORDER BY \(time)
            LIMIT \(unsafeText: String(limit))
        ) AND \(hasServed(before: moment))
        """
    }

    /// Forgets rows that have served before `moment`, the oldest first, at most `limit`; answers how many.
    ///
    /// - Throws: `SQLError`.
    package func forget(before moment: Timestamp, limit: Int, in session: any Session) throws(SQLError) -> Int {
        try session.change(deletion(before: moment, limit: limit))
    }

    private var table: SQL { "\(unsafeText: rawValue)" }

    private var key: SQL {
        switch self {
        case .credentials: "attempt_id"
        case .idempotencyKeys: "marketplace, scope, key"
        case .paymentRequests, .webhooks, .callbacks, .walletOrders: "id"
        case .walletDevices: "order_type, device"
        case .merchantTokenNotices: "merchant, event_id"
        }
    }

    /// The column that says when a row has served; each but the credentials' has an index.
    private var time: SQL {
        switch self {
        case .credentials: "erase_at"
        case .idempotencyKeys: "created_at"
        case .paymentRequests: "expires_at"
        case .webhooks, .callbacks, .merchantTokenNotices: "settled_at"
        case .walletOrders: "modified_at"
        case .walletDevices: "registered_at"
        }
    }

    private func hasServed(before moment: Timestamp) -> SQL {
        switch self {
        case .credentials: "erase_at <= \(moment)"
        case .webhooks: "settled_at < \(moment) AND state <> 'problem'"
        case .walletDevices:
            """
            registered_at < \(moment) AND NOT EXISTS (SELECT 1 FROM wallet_registration r
                WHERE r.order_type = wallet_device.order_type AND r.device = wallet_device.device)
            """
        case .idempotencyKeys, .paymentRequests, .callbacks, .walletOrders, .merchantTokenNotices:
            "\(time) < \(moment)"
        }
    }
}

/// Whose turn it is to forget what has served: a lease for each task, so that one instance at a time has it in hand.
package enum RetentionTurnTable {
    /// Claims tasks that nobody has in hand and that were not done lately.
    ///
    /// - Parameters:
    ///   - tasks: names of tasks, each with the moment since which it must not have been done.
    ///   - instance: who claims them.
    ///   - now: the moment.
    ///   - until: when the claim lapses, unless it is renewed.
    ///   - session: the transaction.
    /// - Returns: the tasks that are claimed.
    /// - Throws: `SQLError`.
    package static func claim(
        _ tasks: [(name: String, doneBefore: Timestamp)],
        by instance: String,
        at now: Timestamp,
        until: Timestamp,
        in session: any Session
    ) throws(SQLError) -> [String] {
        var claimed: [String] = []
        // In one order for all, so that no two instances wait for each other.
        for task in tasks.sorted(by: { $0.name < $1.name }) {
            let count = try session.change(
                """
                INSERT INTO retention_turn (task, leased_by, leased_until) VALUES (\(task.name), \(instance), \(until))
                ON CONFLICT (task) DO UPDATE SET leased_by = excluded.leased_by, leased_until = excluded.leased_until
                WHERE (retention_turn.leased_until IS NULL OR retention_turn.leased_until <= \(now))
                    AND (retention_turn.done_at IS NULL OR retention_turn.done_at <= \(task.doneBefore))
                """
            )
            if count == 1 { claimed.append(task.name) }
        }
        return claimed
    }

    /// Keeps a claim longer, and says whether it was still there.
    ///
    /// - Throws: `SQLError`.
    package static func renew(
        _ task: String,
        by instance: String,
        until: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            "UPDATE retention_turn SET leased_until = \(until) WHERE task = \(task) AND leased_by = \(instance)"
        ) == 1
    }

    /// Gives a claim back; nothing if it was lost meanwhile.
    ///
    /// - Parameters:
    ///   - task: the task's name.
    ///   - instance: who claimed it.
    ///   - doneAt: when it was done; nil if it was not.
    ///   - session: the transaction.
    /// - Throws: `SQLError`.
    package static func end(
        _ task: String,
        by instance: String,
        doneAt: Timestamp?,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE retention_turn SET leased_by = NULL, leased_until = NULL, done_at = COALESCE(\(doneAt), done_at)
            WHERE task = \(task) AND leased_by = \(instance)
            """
        )
    }
}
