extension Schema {
    /// The journal, balances as of the end of closed hours, and what audits found.
    ///
    /// An entry is about one thing: an operation, a dispute, a payout, an import or a break. Its postings are a document in its
    /// row, `[[debit, credit, amount], …]`, each an amount above zero from one account to another, so that every entry
    /// balances; `posting` shows them one by one. An operation is of one order, so that the index that keeps an effect from
    /// being posted twice also finds an order's entries; an operation's identifier begins with its order's, so that the index has
    /// only the end of it. Entries of orders are found by their orders, others by their identifiers. An authorization is posted
    /// between memo accounts, and so not found by merchant (``StatementTable``). `ledger_period` has a row for each hour in which an
    /// account was posted to, with all that was ever debited and credited before `until`; `ledger_balance` is the latest of them.
    /// `ledger_close` says how far the books take no more entries (`closed_until`) and how far they are rolled up. An entry that is older all the same is refused, on PostgreSQL as a
    /// serialization failure: run again, its transaction sees what is closed and posts behind it.
    static let ledger = """
        {postgres} CREATE DOMAIN journal_postings AS {text} CONSTRAINT journal_entry_balances CHECK (
            jsonb_path_exists(CAST(VALUE AS JSONB), 'strict $ ? (@.size() > 0 && !exists (@[*] ? (!(
                @.type() == "array" && @.size() == 3 && @[0].type() == "string" && @[1].type() == "string"
                && @[0] != @[1] && @[2].type() == "number" && @[2] > 0 && @[2].floor() == @[2]))))'));
        CREATE TABLE journal_entry (
            id {text} NOT NULL, marketplace {text} NOT NULL, merchant {text},
            order_id {text}, payment_id {text}, operation_id {text}, dispute_id {text},
            payout_id {text} REFERENCES payout (id), import_id {text} REFERENCES import_file (id),
            break_id {text} REFERENCES recon_break (id), cause {text}, reverses {text}, kind {text} NOT NULL,
            currency {text} NOT NULL, at {int} NOT NULL, postings {text} NOT NULL,
            CHECK ((order_id IS NULL) = (payment_id IS NULL)),
            CHECK ((order_id IS NULL) = (operation_id IS NULL AND dispute_id IS NULL)),
            CHECK ((cause IS NULL) = (import_id IS NULL AND break_id IS NULL)),
            CHECK (merchant IS NOT NULL OR cause IS NOT NULL), CHECK (reverses IS NULL OR cause IS NOT NULL),
            CHECK (kind <> 'authorization' OR postings NOT LIKE '%"merchant/%'),
            CHECK (CASE WHEN operation_id IS NULL THEN 0 ELSE 1 END + CASE WHEN dispute_id IS NULL THEN 0 ELSE 1 END
                + CASE WHEN payout_id IS NULL THEN 0 ELSE 1 END + CASE WHEN import_id IS NULL THEN 0 ELSE 1 END
                + CASE WHEN break_id IS NULL THEN 0 ELSE 1 END = 1)
        ) {table};
        {postgres} ALTER TABLE journal_entry ALTER COLUMN postings TYPE journal_postings;
        CREATE UNIQUE INDEX journal_entry_of_operation_once ON journal_entry (order_id, substr(operation_id, 20), kind);
        {sqlite} CREATE UNIQUE INDEX journal_entry_by_id ON journal_entry (id);
        {postgres} CREATE UNIQUE INDEX journal_entry_of_no_order ON journal_entry (id) WHERE order_id IS NULL;
        CREATE INDEX journal_entry_by_time ON journal_entry (marketplace, at);
        CREATE INDEX journal_entry_by_merchant ON journal_entry (merchant, currency, at) WHERE kind <> 'authorization';
        CREATE UNIQUE INDEX journal_entry_of_payout ON journal_entry (payout_id, kind) WHERE payout_id IS NOT NULL;
        CREATE UNIQUE INDEX journal_entry_of_import ON journal_entry (import_id, kind, currency, cause)
            WHERE import_id IS NOT NULL AND reverses IS NULL;
        CREATE UNIQUE INDEX journal_entry_of_break ON journal_entry (break_id, kind, currency, cause)
            WHERE break_id IS NOT NULL AND reverses IS NULL;
        CREATE UNIQUE INDEX journal_entry_reversed ON journal_entry (reverses) WHERE reverses IS NOT NULL;
        CREATE INDEX journal_entry_of_dispute ON journal_entry (dispute_id, kind, at, id)
            WHERE dispute_id IS NOT NULL;
        CREATE INDEX journal_entry_disputed ON journal_entry (marketplace, at, id) WHERE dispute_id IS NOT NULL;
        {postgres} CREATE FUNCTION posting_rows(postings TEXT)
            RETURNS TABLE ("position" BIGINT, debit TEXT, credit TEXT, amount BIGINT) LANGUAGE sql IMMUTABLE ROWS 2 AS $$
            SELECT p.number - 1, p.posting ->> 0, p.posting ->> 1, CAST(p.posting ->> 2 AS BIGINT)
            FROM json_array_elements(CAST(postings AS JSON)) WITH ORDINALITY AS p (posting, number) $$;
        {postgres} CREATE VIEW posting AS
            SELECT e.id AS entry_id, p.position, e.marketplace, p.debit, p.credit, e.currency, p.amount
            FROM journal_entry AS e CROSS JOIN LATERAL posting_rows(e.postings) AS p;
        {sqlite} CREATE VIEW posting AS
            SELECT e.id AS entry_id, p.key AS position, e.marketplace, json_extract(p.value, '$[0]') AS debit,
                json_extract(p.value, '$[1]') AS credit, e.currency, json_extract(p.value, '$[2]') AS amount
            FROM journal_entry AS e, json_each(e.postings) AS p;
        CREATE TABLE ledger_close (
            marketplace {text} NOT NULL PRIMARY KEY REFERENCES marketplace (id), closed_until {int} NOT NULL,
            rolled_until {int} NOT NULL, CHECK (rolled_until <= closed_until)
        ) {table};
        {sqlite} CREATE TRIGGER journal_entry_not_late BEFORE INSERT ON journal_entry
            WHEN EXISTS (SELECT 1 FROM ledger_close
                WHERE marketplace = NEW.marketplace AND closed_until > NEW.at)
            BEGIN SELECT RAISE(ABORT, 'closed_time'); END;
        {sqlite} CREATE TRIGGER journal_entry_balances BEFORE INSERT ON journal_entry
            WHEN json_array_length(NEW.postings) = 0 OR EXISTS (SELECT 1 FROM json_each(NEW.postings) AS p
                WHERE CASE WHEN p.type <> 'array' THEN 1 ELSE json_array_length(p.value) <> 3
                    OR json_type(p.value, '$[0]') <> 'text' OR json_type(p.value, '$[1]') <> 'text'
                    OR json_extract(p.value, '$[0]') = json_extract(p.value, '$[1]')
                    OR json_type(p.value, '$[2]') <> 'integer' OR json_extract(p.value, '$[2]') <= 0 END)
            BEGIN SELECT RAISE(ABORT, 'journal_entry_balances'); END;
        {postgres} CREATE FUNCTION refuse_late_entry() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF EXISTS (SELECT 1 FROM added AS a JOIN ledger_close AS c
                    ON c.marketplace = a.marketplace AND c.closed_until > a.at)
                THEN RAISE EXCEPTION 'that time is closed' USING ERRCODE = '40001'; END IF; RETURN NULL; END $$;
        {postgres} CREATE TRIGGER journal_entry_not_late AFTER INSERT ON journal_entry REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_late_entry();
        CREATE TABLE ledger_balance (
            marketplace {text} NOT NULL, account {text} NOT NULL, currency {text} NOT NULL,
            debits {int where VALUE >= 0} NOT NULL, credits {int where VALUE >= 0} NOT NULL,
            until {int} NOT NULL, PRIMARY KEY (marketplace, account, currency)
        ) {table};
        CREATE INDEX ledger_balance_by_time ON ledger_balance (marketplace, until);
        CREATE TABLE ledger_period (
            marketplace {text} NOT NULL, account {text} NOT NULL, currency {text} NOT NULL, until {int} NOT NULL,
            debits {int where VALUE >= 0} NOT NULL, credits {int where VALUE >= 0} NOT NULL,
            PRIMARY KEY (marketplace, account, currency, until)
        ) {table};
        CREATE INDEX ledger_period_by_time ON ledger_period (marketplace, until);
        CREATE TABLE ledger_audit (
            marketplace {text} NOT NULL PRIMARY KEY REFERENCES marketplace (id), leased_by {text},
            leased_until {int}, begun_at {int}, completed_at {int},
            CHECK ((leased_by IS NULL) = (leased_until IS NULL)), CHECK ((begun_at IS NULL) = (completed_at IS NULL))
        ) {table};
        CREATE TABLE ledger_audit_finding (
            marketplace {text} NOT NULL REFERENCES marketplace (id), rule {text} NOT NULL,
            count {int where VALUE > 0} NOT NULL, PRIMARY KEY (marketplace, rule)
        ) {table};

        """
}
