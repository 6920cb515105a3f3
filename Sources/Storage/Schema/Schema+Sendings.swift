import SQL

extension Schema {
    /// When and how often an operation was sent, and under which key: absence is believed by time, not by doubts.
    ///
    /// What an older build had in hand may have been sent at any time until now, which its next due time is not before.
    static let sendings = Migration(
        name: "0016-sendings",
        text: """
            ALTER TABLE operation ADD COLUMN sendings {int} NOT NULL DEFAULT 0;
            ALTER TABLE operation ADD COLUMN sent_at {int};
            ALTER TABLE operation ADD COLUMN sent_under_lease {int} NOT NULL DEFAULT 0;
            ALTER TABLE operation ADD COLUMN answered_in_doubt {int} NOT NULL DEFAULT 0;
            ALTER TABLE operation ADD COLUMN retries {int} NOT NULL DEFAULT 0;
            UPDATE operation SET sendings = leases, sent_under_lease = leases, sent_at = due_at WHERE leases > 0 AND due_at IS NOT NULL;

            """
    )
}
