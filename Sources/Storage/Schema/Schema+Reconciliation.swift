import SQL

extension Schema {
    /// Files of PSPs and banks as they were taken in, what their lines were matched to, and what differs.
    ///
    /// Nothing of a file counts before its import is `done`, and nothing after it is `superseded`: matches stand and
    /// fall with the state of their imports, so that one row decides.
    ///
    /// An operation says when its effect was posted, so that effects can be gone through by PSP account and time. The
    /// journal's tables are made anew, because an entry may be about an import or a break, and of no merchant, which
    /// SQLite cannot be told of tables that exist.
    static let reconciliation = Migration(
        name: "0012-reconciliation",
        text: imports + matches + breaks + effects + entries + appendOnly
    )

    private static let imports = """
        CREATE TABLE import_file (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
            sha256 {text} NOT NULL, name {text} NOT NULL, format {text} NOT NULL, psp {text}, psp_account {text},
            document {text}, size {int} NOT NULL CHECK (size >= 0), row_count {int} NOT NULL CHECK (row_count >= 0),
            unusable {int} NOT NULL CHECK (unusable >= 0 AND unusable <= row_count), totals {text} NOT NULL,
            first_day {text}, last_day {text},
            state {text} NOT NULL CHECK (state IN ('importing', 'done', 'superseded')),
            superseded_by {text} REFERENCES import_file (id), imported_at {int} NOT NULL, done_at {int},
            CHECK ((state = 'superseded') = (superseded_by IS NOT NULL)),
            CHECK ((state = 'importing') = (done_at IS NULL)), CHECK ((psp IS NULL) = (psp_account IS NULL))
        ) {table};
        CREATE UNIQUE INDEX import_file_bytes ON import_file (marketplace, sha256) WHERE state <> 'superseded';
        CREATE INDEX import_file_by_format ON import_file (marketplace, format, psp_account);
        CREATE TABLE reconciliation_turn (marketplace {text} NOT NULL PRIMARY KEY REFERENCES marketplace (id)) {table};
        CREATE TABLE settlement_line (
            import_id {text} NOT NULL REFERENCES import_file (id), member {int} NOT NULL, line {int} NOT NULL,
            marketplace {text} NOT NULL, hash {bytes} NOT NULL, kind {text} NOT NULL, type {text} NOT NULL,
            account {text}, submerchant {text}, reference {text}, attempt_id {text}, operation_id {text},
            payment_reference {text}, object_reference {text}, entry_reference {text}, batch {text},
            presentment {text}, gross {text}, fee {text}, net {text}, exchange_rate {text}, occurred_on {text},
            booked_on {text}, paid_on {text}, day {text}, currency {text}, decimals {int}, change_units {int},
            fee_units {int}, sold_currency {text}, sold_decimals {int}, sold_units {int},
            PRIMARY KEY (import_id, member, line),
            CHECK ((currency IS NULL) = (change_units IS NULL AND fee_units IS NULL AND decimals IS NULL))
        ) {table};
        CREATE INDEX settlement_line_by_batch ON settlement_line (marketplace, batch) WHERE batch IS NOT NULL;
        CREATE INDEX settlement_line_payouts ON settlement_line (marketplace, import_id, member, line)
            WHERE kind = 'payout';
        CREATE TABLE bank_entry (
            import_id {text} NOT NULL REFERENCES import_file (id), member {int} NOT NULL, line {int} NOT NULL,
            marketplace {text} NOT NULL, hash {bytes} NOT NULL, account {text} NOT NULL, currency {text} NOT NULL,
            decimals {int} NOT NULL, units {int} NOT NULL, booked_on {text}, valued_on {text}, reference {text},
            bank_reference {text}, details {text}, PRIMARY KEY (import_id, member, line)
        ) {table};

        """

    private static let matches = """
        CREATE TABLE line_match (
            import_id {text} NOT NULL REFERENCES import_file (id), member {int} NOT NULL, line {int} NOT NULL,
            position {int} NOT NULL, marketplace {text} NOT NULL, rule {text} NOT NULL,
            is_exact {int} NOT NULL CHECK (is_exact IN (0, 1)),
            subject_kind {text} CHECK (subject_kind IN ('operation', 'chargeback', 'chargeback_reversal')),
            subject_id {text}, order_id {text} NOT NULL, payment_id {text} NOT NULL, attempt_id {text} NOT NULL,
            merchant {text} NOT NULL, PRIMARY KEY (import_id, member, line, position),
            CHECK ((subject_kind IS NULL) = (subject_id IS NULL))
        ) {table};
        CREATE INDEX line_match_by_subject ON line_match (subject_id, subject_kind) WHERE subject_id IS NOT NULL;
        CREATE INDEX line_match_by_order ON line_match (order_id);
        CREATE TABLE batch_match (
            import_id {text} NOT NULL REFERENCES import_file (id), batch {text} NOT NULL,
            payout_import {text} NOT NULL REFERENCES import_file (id), payout_member {int} NOT NULL,
            payout_line {int} NOT NULL, marketplace {text} NOT NULL, rule {text} NOT NULL,
            PRIMARY KEY (import_id, batch, payout_import, payout_member, payout_line)
        ) {table};
        CREATE INDEX batch_match_by_payout ON batch_match (payout_import, payout_member, payout_line);
        CREATE TABLE bank_match (
            bank_import {text} NOT NULL REFERENCES import_file (id), bank_member {int} NOT NULL,
            bank_line {int} NOT NULL, position {int} NOT NULL, marketplace {text} NOT NULL, rule {text} NOT NULL,
            payout_import {text} REFERENCES import_file (id), payout_member {int}, payout_line {int},
            payout_id {text} REFERENCES payout (id), PRIMARY KEY (bank_import, bank_member, bank_line, position),
            CHECK ((payout_import IS NULL) = (payout_line IS NULL)),
            CHECK ((payout_import IS NULL) = (payout_member IS NULL)),
            CHECK ((payout_import IS NULL) <> (payout_id IS NULL))
        ) {table};
        CREATE INDEX bank_match_by_line ON bank_match (payout_import, payout_member, payout_line)
            WHERE payout_import IS NOT NULL;
        CREATE INDEX bank_match_by_payout ON bank_match (payout_id) WHERE payout_id IS NOT NULL;

        """

    private static let breaks = """
        CREATE TABLE recon_break (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
            key {text} NOT NULL, type {text} NOT NULL, currency {text}, amount {int} NOT NULL, day {text}, psp {text},
            psp_account {text}, merchant {text}, order_id {text}, payment_id {text},
            subject_kind {text} CHECK (subject_kind IN ('operation', 'chargeback', 'chargeback_reversal')),
            subject_id {text}, places {text} NOT NULL, explanation {text} NOT NULL, suggestion {text} NOT NULL,
            state {text} NOT NULL
                CHECK (state IN ('open', 'investigating', 'matched', 'written_off', 'corrected', 'forced')),
            opened_at {int} NOT NULL, as_of {text} NOT NULL, import_id {text} REFERENCES import_file (id),
            member {int}, line {int}, seen_in {text} NOT NULL, resolved_at {int}, actions {int} NOT NULL,
            CONSTRAINT recon_break_key UNIQUE (marketplace, key),
            CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
            CHECK ((state IN ('open', 'investigating')) = (resolved_at IS NULL)),
            CHECK (currency IS NOT NULL OR amount = 0)
        ) {table};
        CREATE INDEX recon_break_by_state ON recon_break (marketplace, state, id);
        CREATE INDEX recon_break_by_import ON recon_break (import_id) WHERE import_id IS NOT NULL;
        CREATE INDEX recon_break_by_order ON recon_break (order_id) WHERE order_id IS NOT NULL;
        CREATE TABLE break_action (
            break_id {text} NOT NULL REFERENCES recon_break (id), number {int} NOT NULL, actor {text} NOT NULL,
            reason {text} NOT NULL, at {int} NOT NULL, from_state {text} NOT NULL, to_state {text} NOT NULL,
            PRIMARY KEY (break_id, number)
        ) {table};

        """

    /// What was posted before is given the moment of its entry, or of the PSP's first answer.
    private static let effects = """
        ALTER TABLE operation ADD COLUMN psp_account {text};
        ALTER TABLE operation ADD COLUMN posted_at {int};
        UPDATE operation SET psp_account = (SELECT a.psp_account FROM attempt AS a WHERE a.id = operation.attempt_id);
        UPDATE operation SET posted_at = COALESCE(
            (SELECT MIN(e.at) FROM journal_entry AS e WHERE e.operation_id = operation.id
                AND e.kind IN ('capture', 'refund', 'correction')), replied_at, created_at)
            WHERE kind IN ('capture', 'refund', 'reverse') AND done_amount > 0;
        CREATE INDEX operation_posted ON operation (marketplace, psp_account, posted_at, id)
            WHERE posted_at IS NOT NULL;
        CREATE INDEX payment_by_reference ON payment (reference) WHERE reference IS NOT NULL;

        """

    private static let entries = """
        CREATE TABLE journal_entry_of_cause (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL, merchant {text},
            order_id {text}, payment_id {text}, operation_id {text}, dispute_id {text},
            payout_id {text} REFERENCES payout (id), import_id {text} REFERENCES import_file (id),
            break_id {text} REFERENCES recon_break (id), cause {text}, reverses {text}, kind {text} NOT NULL,
            currency {text} NOT NULL, at {int} NOT NULL,
            CONSTRAINT journal_entry_of_operation_once UNIQUE (operation_id, kind),
            CHECK ((order_id IS NULL) = (payment_id IS NULL)),
            CHECK ((order_id IS NULL) = (operation_id IS NULL AND dispute_id IS NULL)),
            CHECK ((cause IS NULL) = (import_id IS NULL AND break_id IS NULL)),
            CHECK (merchant IS NOT NULL OR cause IS NOT NULL), CHECK (reverses IS NULL OR cause IS NOT NULL),
            CHECK (CASE WHEN operation_id IS NULL THEN 0 ELSE 1 END + CASE WHEN dispute_id IS NULL THEN 0 ELSE 1 END
                + CASE WHEN payout_id IS NULL THEN 0 ELSE 1 END + CASE WHEN import_id IS NULL THEN 0 ELSE 1 END
                + CASE WHEN break_id IS NULL THEN 0 ELSE 1 END = 1)
        ) {table};
        INSERT INTO journal_entry_of_cause
            SELECT id, marketplace, merchant, order_id, payment_id, operation_id, dispute_id, payout_id, NULL, NULL,
                NULL, NULL, kind, currency, at
            FROM journal_entry;
        CREATE TABLE posting_of_cause (
            entry_id {text} NOT NULL REFERENCES journal_entry_of_cause (id), position {int} NOT NULL,
            marketplace {text} NOT NULL, debit {text} NOT NULL, credit {text} NOT NULL,
            currency {text} NOT NULL, amount {int} NOT NULL CHECK (amount > 0),
            PRIMARY KEY (entry_id, position), CHECK (debit <> credit)
        ) {table};
        INSERT INTO posting_of_cause
            SELECT entry_id, position, marketplace, debit, credit, currency, amount FROM posting;
        DROP TABLE posting;
        DROP TABLE journal_entry;
        {postgres} DROP FUNCTION refuse_change();
        {postgres} DROP FUNCTION refuse_late_entry();
        ALTER TABLE journal_entry_of_cause RENAME TO journal_entry;
        ALTER TABLE posting_of_cause RENAME TO posting;
        CREATE INDEX journal_entry_by_time ON journal_entry (marketplace, at, id);
        CREATE INDEX journal_entry_by_order ON journal_entry (order_id);
        CREATE INDEX journal_entry_by_merchant ON journal_entry (marketplace, merchant, currency, at, id);
        CREATE UNIQUE INDEX journal_entry_of_payout ON journal_entry (payout_id, kind) WHERE payout_id IS NOT NULL;
        CREATE UNIQUE INDEX journal_entry_of_import ON journal_entry (import_id, kind, currency, cause)
            WHERE import_id IS NOT NULL AND reverses IS NULL;
        CREATE UNIQUE INDEX journal_entry_of_break ON journal_entry (break_id, kind, currency, cause)
            WHERE break_id IS NOT NULL AND reverses IS NULL;
        CREATE UNIQUE INDEX journal_entry_reversed ON journal_entry (reverses) WHERE reverses IS NOT NULL;
        CREATE INDEX journal_entry_of_dispute ON journal_entry (dispute_id, kind, at, id)
            WHERE dispute_id IS NOT NULL;
        CREATE INDEX journal_entry_disputed ON journal_entry (marketplace, at, id) WHERE dispute_id IS NOT NULL;

        """
}
