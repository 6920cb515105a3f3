extension Schema {
    /// What keeps the journal, the history of orders, what was done about breaks, and API keys from being changed.
    ///
    /// Whoever owns the tables can switch it off, which no gateway does; the role that serves need not own them
    /// (``TableRights``).
    static let audit = refuseChange + appendOnly + apiKeys

    private static let refuseChange = """
        {postgres} CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'append-only' USING ERRCODE = '23001', CONSTRAINT = 'append_only'; END $$;

        """

    /// Rows of these tables are only ever added.
    private static let appendOnly = ["journal_entry", "order_step", "break_action", "invoice"].map { table in
        """
        {sqlite} CREATE TRIGGER \(table)_not_changed BEFORE UPDATE ON \(table)
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {sqlite} CREATE TRIGGER \(table)_not_deleted BEFORE DELETE ON \(table)
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {postgres} CREATE TRIGGER \(table)_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON \(table)
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

        """
    }.joined()

    /// Of an API key only two things change: it is revoked, once, and it is used, ever later.
    private static let apiKeys = """
        {sqlite} CREATE TRIGGER api_key_not_deleted BEFORE DELETE ON api_key
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {sqlite} CREATE TRIGGER api_key_not_changed BEFORE UPDATE ON api_key
            WHEN NEW.id <> OLD.id OR NEW.marketplace <> OLD.marketplace OR NEW.hash <> OLD.hash
                OR NEW.name <> OLD.name OR NEW.scopes <> OLD.scopes OR NEW.networks <> OLD.networks
                OR NEW.created_at <> OLD.created_at
                OR NEW.expires_at IS NOT OLD.expires_at
                OR NEW.api_version IS NOT OLD.api_version
                OR NEW.idempotency_key IS NOT OLD.idempotency_key
                OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at)
                OR (OLD.last_used_at IS NOT NULL AND COALESCE(NEW.last_used_at, 0) < OLD.last_used_at)
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {postgres} CREATE TRIGGER api_key_not_deleted BEFORE DELETE OR TRUNCATE ON api_key
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
        {postgres} CREATE TRIGGER api_key_not_changed BEFORE UPDATE ON api_key FOR EACH ROW
            WHEN (NEW.id <> OLD.id OR NEW.marketplace <> OLD.marketplace OR NEW.hash <> OLD.hash
                OR NEW.name <> OLD.name OR NEW.scopes <> OLD.scopes OR NEW.networks <> OLD.networks
                OR NEW.created_at <> OLD.created_at
                OR NEW.expires_at IS DISTINCT FROM OLD.expires_at
                OR NEW.api_version IS DISTINCT FROM OLD.api_version
                OR NEW.idempotency_key IS DISTINCT FROM OLD.idempotency_key
                OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
                OR (OLD.last_used_at IS NOT NULL AND COALESCE(NEW.last_used_at, 0) < OLD.last_used_at))
            EXECUTE FUNCTION refuse_change();

        """
}
