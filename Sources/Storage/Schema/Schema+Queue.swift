import SQL

extension Schema {
    /// Queues in which nothing stands in another's way: what is reserved or has failed is held back on its own row, and
    /// each PSP account has a line of its own.
    static let queue = Migration(
        name: "0019-queue",
        text: """
            ALTER TABLE operation ADD COLUMN held_until {int};
            ALTER TABLE operation ADD COLUMN failures {int} NOT NULL DEFAULT 0;
            ALTER TABLE operation ADD COLUMN failing_since {int};
            ALTER TABLE operation ADD COLUMN failure {text};
            ALTER TABLE operation ADD COLUMN failure_detail {text};
            ALTER TABLE orders ADD COLUMN held_until {int};
            ALTER TABLE orders ADD COLUMN failures {int} NOT NULL DEFAULT 0;
            ALTER TABLE orders ADD COLUMN failing_since {int};
            ALTER TABLE orders ADD COLUMN failure {text};
            ALTER TABLE orders ADD COLUMN failure_detail {text};
            ALTER TABLE psp_webhook ADD COLUMN held_until {int};
            DROP INDEX operation_due;
            DROP INDEX orders_due;
            DROP INDEX psp_webhook_due;
            CREATE INDEX operation_queue ON operation ((marketplace || '/' || COALESCE(psp_account, '')),
                (CASE WHEN held_until > due_at THEN held_until ELSE due_at END)) WHERE due_at IS NOT NULL;
            CREATE INDEX orders_queue ON orders (marketplace,
                (CASE WHEN held_until > wake_at THEN held_until ELSE wake_at END)) WHERE wake_at IS NOT NULL;
            CREATE INDEX psp_webhook_queue ON psp_webhook ((marketplace || '/' || psp_account),
                (CASE WHEN held_until > due_at THEN held_until ELSE due_at END)) WHERE due_at IS NOT NULL;
            CREATE INDEX operation_failing ON operation (failing_since) WHERE failing_since IS NOT NULL;
            CREATE INDEX orders_failing ON orders (failing_since) WHERE failing_since IS NOT NULL;

            """
    )
}
