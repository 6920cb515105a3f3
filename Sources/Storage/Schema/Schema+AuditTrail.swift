extension Schema {
    /// Who did what by hand, a chain for each marketplace.
    ///
    /// An entry is inserted with what it tells of, in one transaction, and takes no turn there: who acts waits for nobody.
    /// Its number and its hash come later, once; see `AuditTrailTable`. Nothing else of it ever changes.
    static let auditTrail = """
        CREATE TABLE audit_entry (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, at {int} NOT NULL, act {text} NOT NULL,
            actor_kind {text where VALUE IN ('key', 'shell', 'instance')} NOT NULL, actor {text} NOT NULL,
            actor_name {text}, shown_key {text}, origin {text}, request {text},
            subject_kind {text} NOT NULL, subject {text} NOT NULL, details {text} NOT NULL,
            number {int where VALUE > 0}, hash {text},
            CHECK ((number IS NULL) = (hash IS NULL)),
            CONSTRAINT audit_entry_number UNIQUE (marketplace, number)
        ) {table};
        CREATE INDEX audit_entry_unsealed ON audit_entry (marketplace, at, id) WHERE number IS NULL;
        CREATE INDEX audit_entry_by_id ON audit_entry (marketplace, id);
        {sqlite} CREATE TRIGGER audit_entry_not_deleted BEFORE DELETE ON audit_entry
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {sqlite} CREATE TRIGGER audit_entry_not_changed BEFORE UPDATE ON audit_entry
            WHEN OLD.number IS NOT NULL OR NEW.number IS NULL
                OR NEW.id <> OLD.id OR NEW.marketplace <> OLD.marketplace OR NEW.at <> OLD.at OR NEW.act <> OLD.act
                OR NEW.actor_kind <> OLD.actor_kind OR NEW.actor <> OLD.actor
                OR NEW.actor_name IS NOT OLD.actor_name OR NEW.shown_key IS NOT OLD.shown_key
                OR NEW.origin IS NOT OLD.origin OR NEW.request IS NOT OLD.request
                OR NEW.subject_kind <> OLD.subject_kind OR NEW.subject <> OLD.subject OR NEW.details <> OLD.details
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {postgres} CREATE TRIGGER audit_entry_not_deleted BEFORE DELETE OR TRUNCATE ON audit_entry
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
        {postgres} CREATE TRIGGER audit_entry_not_changed BEFORE UPDATE ON audit_entry FOR EACH ROW
            WHEN (OLD.number IS NOT NULL OR NEW.number IS NULL
                OR NEW.id <> OLD.id OR NEW.marketplace <> OLD.marketplace OR NEW.at <> OLD.at OR NEW.act <> OLD.act
                OR NEW.actor_kind <> OLD.actor_kind OR NEW.actor <> OLD.actor
                OR NEW.actor_name IS DISTINCT FROM OLD.actor_name OR NEW.shown_key IS DISTINCT FROM OLD.shown_key
                OR NEW.origin IS DISTINCT FROM OLD.origin OR NEW.request IS DISTINCT FROM OLD.request
                OR NEW.subject_kind <> OLD.subject_kind OR NEW.subject <> OLD.subject OR NEW.details <> OLD.details)
            EXECUTE FUNCTION refuse_change();

        """
}
