extension Schema {
    /// What PSPs say on their own, each event once, until it was applied, put aside or found to be a problem.
    static let webhooks = """
        CREATE TABLE psp_webhook (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, psp {text} NOT NULL,
            psp_account {text} NOT NULL, event_id {text} NOT NULL, type {text} NOT NULL,
            received_at {int} NOT NULL, body_hash {text} NOT NULL, document {text} NOT NULL,
            state {text where VALUE IN ('received', 'applied', 'parked', 'unrelated', 'ignored', 'problem')} NOT NULL,
            problem {text}, order_id {text}, attempts {int where VALUE >= 0} NOT NULL, due_at {int},
            held_until {int}, settled_at {int},
            CONSTRAINT psp_webhook_once UNIQUE (marketplace, psp_account, event_id),
            CHECK ((due_at IS NULL) = (settled_at IS NOT NULL)),
            CHECK ((settled_at IS NULL) = (state IN ('received', 'parked'))),
            CHECK (state <> 'problem' OR problem IS NOT NULL)
        ) {table};
        CREATE INDEX psp_webhook_queue ON psp_webhook ((marketplace || '/' || psp_account),
            (CASE WHEN held_until > due_at THEN held_until ELSE due_at END)) WHERE due_at IS NOT NULL;
        CREATE INDEX psp_webhook_settled ON psp_webhook (settled_at)
            WHERE settled_at IS NOT NULL AND state <> 'problem';
        CREATE INDEX psp_webhook_amiss ON psp_webhook (state, id)
            WHERE state IN ('parked', 'unrelated', 'problem');
        CREATE INDEX psp_webhook_waiting ON psp_webhook (order_id, id)
            WHERE state = 'problem' AND order_id IS NOT NULL;

        """
}
