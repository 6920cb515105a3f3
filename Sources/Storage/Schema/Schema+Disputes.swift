import SQL

extension Schema {
    /// Who bears what buyers' banks take, what PSPs take for it, who said so, and webhooks that wait for a person.
    static let disputes = Migration(
        name: "0017-disputes",
        text: """
            ALTER TABLE merchant ADD COLUMN dispute_liability {text} NOT NULL DEFAULT 'merchant'
                CHECK (dispute_liability IN ('merchant', 'marketplace', 'pro_rata'));
            ALTER TABLE payment ADD COLUMN dispute_liability {text} NOT NULL DEFAULT 'merchant'
                CHECK (dispute_liability IN ('merchant', 'marketplace', 'pro_rata'));
            ALTER TABLE dispute ADD COLUMN fee {int} NOT NULL DEFAULT 0 CHECK (fee >= 0);
            ALTER TABLE dispute ADD COLUMN said_by {text} NOT NULL DEFAULT 'psp'
                CHECK (said_by IN ('psp', 'operator'));
            ALTER TABLE attention ADD COLUMN webhook_id {text};
            CREATE INDEX psp_webhook_waiting ON psp_webhook (order_id, id)
                WHERE state = 'problem' AND order_id IS NOT NULL;

            """
    )
}
