import SQL

extension Schema {
    /// Balances as of the end of closed hours, what watches over them, and an end to changes of the journal.
    ///
    /// `ledger_period` has a row for each hour in which an account was posted to, with all that was ever debited and
    /// credited before `until`; `ledger_balance` is the latest of them. `ledger_close` says how far the books take no
    /// more entries (`closed_until`) and how far they are rolled up. An entry that is older all the same is refused on
    /// PostgreSQL as a serialization failure: run again, its transaction sees what is closed and posts behind it.
    static let rollup = Migration(
        name: "0011-rollup",
        text: """
            CREATE INDEX journal_entry_by_time ON journal_entry (marketplace, at, id);
            CREATE TABLE ledger_close (
                marketplace {text} NOT NULL PRIMARY KEY REFERENCES marketplace (id), closed_until {int} NOT NULL,
                rolled_until {int} NOT NULL, CHECK (rolled_until <= closed_until)
            ) {table};
            CREATE TABLE ledger_balance (
                marketplace {text} NOT NULL, account {text} NOT NULL, currency {text} NOT NULL,
                debits {int} NOT NULL CHECK (debits >= 0), credits {int} NOT NULL CHECK (credits >= 0),
                until {int} NOT NULL, PRIMARY KEY (marketplace, account, currency)
            ) {table};
            CREATE INDEX ledger_balance_by_time ON ledger_balance (marketplace, until);
            CREATE TABLE ledger_period (
                marketplace {text} NOT NULL, account {text} NOT NULL, currency {text} NOT NULL, until {int} NOT NULL,
                debits {int} NOT NULL CHECK (debits >= 0), credits {int} NOT NULL CHECK (credits >= 0),
                PRIMARY KEY (marketplace, account, currency, until)
            ) {table};
            CREATE INDEX ledger_period_by_time ON ledger_period (marketplace, until);
            CREATE TABLE ledger_audit (
                marketplace {text} NOT NULL PRIMARY KEY REFERENCES marketplace (id), leased_by {text},
                leased_until {int}, completed_at {int}, CHECK ((leased_by IS NULL) = (leased_until IS NULL))
            ) {table};
            CREATE TABLE ledger_audit_finding (
                marketplace {text} NOT NULL REFERENCES marketplace (id), rule {text} NOT NULL,
                count {int} NOT NULL CHECK (count > 0), PRIMARY KEY (marketplace, rule)
            ) {table};

            """ + appendOnly
    )

    /// What keeps the journal's tables from being changed; a migration that makes them anew says it again.
    ///
    /// Whoever owns the tables can switch it off, which no gateway does.
    static let appendOnly = """
        {sqlite} CREATE TRIGGER journal_entry_not_changed BEFORE UPDATE ON journal_entry
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {sqlite} CREATE TRIGGER journal_entry_not_deleted BEFORE DELETE ON journal_entry
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {sqlite} CREATE TRIGGER posting_not_changed BEFORE UPDATE ON posting
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {sqlite} CREATE TRIGGER posting_not_deleted BEFORE DELETE ON posting
            BEGIN SELECT RAISE(ABORT, 'append_only'); END;
        {sqlite} CREATE TRIGGER journal_entry_not_late BEFORE INSERT ON journal_entry
            WHEN EXISTS (SELECT 1 FROM ledger_close
                WHERE marketplace = NEW.marketplace AND closed_until > NEW.at)
            BEGIN SELECT RAISE(ABORT, 'closed_time'); END;
        {postgres} CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'append-only' USING ERRCODE = '23001', CONSTRAINT = 'append_only'; END $$;
        {postgres} CREATE TRIGGER journal_entry_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_entry
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
        {postgres} CREATE TRIGGER posting_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON posting
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
        {postgres} CREATE OR REPLACE FUNCTION refuse_late_entry() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF EXISTS (SELECT 1 FROM added JOIN ledger_close ON ledger_close.marketplace = added.marketplace
                    WHERE added.at < ledger_close.closed_until)
                THEN RAISE EXCEPTION 'that time is closed' USING ERRCODE = '40001'; END IF; RETURN NULL; END $$;
        {postgres} CREATE TRIGGER journal_entry_not_late AFTER INSERT ON journal_entry
            REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_entry();

        """
}
