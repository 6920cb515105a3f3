import SQL

extension Schema {
    /// Who caused what: the caller of an event, the end and the last use of an API key, and an end to changes of what
    /// was told, done and allowed.
    ///
    /// API keys of one merchant are bound to its id: an external identifier is a name that may come to mean another. A
    /// key whose merchant is not there keeps a scope that opens nothing.
    static let audit = Migration(
        name: "0021-audit",
        text: """
            ALTER TABLE event ADD COLUMN actor {text};
            ALTER TABLE event ADD COLUMN peer {text};
            ALTER TABLE event ADD COLUMN request_id {text};
            ALTER TABLE api_key ADD COLUMN expires_at {int};
            ALTER TABLE api_key ADD COLUMN last_used_at {int};
            UPDATE api_key SET scopes = COALESCE((
                SELECT MIN(TRIM(REPLACE(',' || api_key.scopes || ',', ',merchant:' || m.external_identifier || ',',
                    ',merchant:' || m.id || ','), ','))
                FROM merchant AS m WHERE m.marketplace = api_key.marketplace
                    AND REPLACE(',' || api_key.scopes || ',', ',merchant:' || m.external_identifier || ',', '')
                        <> ',' || api_key.scopes || ','), scopes);

            """ + recordsKept + apiKeysKept
    )

    /// Facts, events and what was done about breaks are only ever added.
    private static let recordsKept = ["fact", "event", "break_action"].map { table in
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
    private static let apiKeysKept = """
        {sqlite} CREATE TRIGGER api_key_not_deleted BEFORE DELETE ON api_key
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {sqlite} CREATE TRIGGER api_key_not_changed BEFORE UPDATE ON api_key
            WHEN NEW.id <> OLD.id OR NEW.marketplace <> OLD.marketplace OR NEW.hash <> OLD.hash
                OR NEW.scopes <> OLD.scopes OR NEW.created_at <> OLD.created_at
                OR NEW.expires_at IS NOT OLD.expires_at
                OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at)
                OR (OLD.last_used_at IS NOT NULL AND COALESCE(NEW.last_used_at, 0) < OLD.last_used_at)
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {postgres} CREATE TRIGGER api_key_not_deleted BEFORE DELETE OR TRUNCATE ON api_key
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
        {postgres} CREATE TRIGGER api_key_not_changed BEFORE UPDATE ON api_key FOR EACH ROW
            WHEN (NEW.id <> OLD.id OR NEW.marketplace <> OLD.marketplace OR NEW.hash <> OLD.hash
                OR NEW.scopes <> OLD.scopes OR NEW.created_at <> OLD.created_at
                OR NEW.expires_at IS DISTINCT FROM OLD.expires_at
                OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
                OR (OLD.last_used_at IS NOT NULL AND COALESCE(NEW.last_used_at, 0) < OLD.last_used_at))
            EXECUTE FUNCTION refuse_change();

        """
}
