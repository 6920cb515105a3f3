extension Schema {
    /// Files of PSPs and banks as they were taken in, what their lines were matched to, and what differs.
    ///
    /// Nothing of a file counts before its import is `done`, and nothing after it is `superseded`: matches stand and
    /// fall with the state of their imports, so that one row decides.
    static let reconciliation = imports + matches + breaks

    /// Files, the lines of settlement reports and of bank statements, and how many reconciliations of a marketplace came to
    /// count, so that one can tell that another was faster.
    private static let imports = """
        CREATE TABLE import_file (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
            sha256 {text} NOT NULL, name {text} NOT NULL, format {text} NOT NULL, psp {text}, psp_account {text},
            document {text}, size {int where VALUE >= 0} NOT NULL, row_count {int where VALUE >= 0} NOT NULL,
            unusable {int} NOT NULL CHECK (unusable >= 0 AND unusable <= row_count), totals {text} NOT NULL,
            first_day {text}, last_day {text},
            state {text where VALUE IN ('importing', 'done', 'superseded')} NOT NULL,
            superseded_by {text} REFERENCES import_file (id), imported_at {int} NOT NULL, done_at {int},
            CHECK ((state = 'superseded') = (superseded_by IS NOT NULL)),
            CHECK ((state = 'importing') = (done_at IS NULL)), CHECK ((psp IS NULL) = (psp_account IS NULL))
        ) {table};
        CREATE UNIQUE INDEX import_file_bytes ON import_file (marketplace, sha256) WHERE state <> 'superseded';
        CREATE INDEX import_file_by_format ON import_file (marketplace, format, psp_account);
        CREATE TABLE reconciliation_turn (
            marketplace {text} NOT NULL PRIMARY KEY REFERENCES marketplace (id), number {int} NOT NULL DEFAULT 0
        ) {table};
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
        CREATE INDEX settlement_line_by_entry ON settlement_line (marketplace, entry_reference)
            WHERE kind IN ('fee', 'adjustment', 'reserve', 'other', 'payout');
        CREATE TABLE bank_entry (
            import_id {text} NOT NULL REFERENCES import_file (id), member {int} NOT NULL, line {int} NOT NULL,
            marketplace {text} NOT NULL, hash {bytes} NOT NULL, account {text} NOT NULL, currency {text} NOT NULL,
            decimals {int} NOT NULL, units {int} NOT NULL, booked_on {text}, valued_on {text}, reference {text},
            bank_reference {text}, details {text}, repeats_import {text} REFERENCES import_file (id), repeats_others {text},
            PRIMARY KEY (import_id, member, line), CHECK (repeats_import IS NOT NULL OR repeats_others IS NULL)
        ) {table};

        """

    /// Lines that nothing explains yet, and what the others were matched to.
    private static let matches = """
        CREATE TABLE open_line (
            import_id {text} NOT NULL REFERENCES import_file (id), member {int} NOT NULL, line {int} NOT NULL,
            marketplace {text} NOT NULL, psp_account {text} NOT NULL,
            PRIMARY KEY (marketplace, psp_account, import_id, member, line)
        ) {table};
        CREATE INDEX open_line_by_import ON open_line (import_id, member, line);
        CREATE TABLE line_match (
            import_id {text} NOT NULL REFERENCES import_file (id), member {int} NOT NULL, line {int} NOT NULL,
            position {int} NOT NULL, marketplace {text} NOT NULL, rule {text} NOT NULL,
            is_exact {int where VALUE IN (0, 1)} NOT NULL,
            subject_kind {text where VALUE IN ('operation', 'chargeback', 'chargeback_reversal')},
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

    /// What differs, and what was done about it.
    private static let breaks = """
        CREATE TABLE recon_break (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
            key {text} NOT NULL, type {text} NOT NULL, currency {text}, amount {int} NOT NULL, day {text}, psp {text},
            psp_account {text}, merchant {text}, order_id {text}, payment_id {text},
            subject_kind {text where VALUE IN ('operation', 'chargeback', 'chargeback_reversal')},
            subject_id {text}, places {text} NOT NULL, explanation {text} NOT NULL, suggestion {text} NOT NULL,
            state {text where VALUE IN ('open', 'investigating', 'matched', 'written_off', 'corrected', 'forced')} NOT NULL,
            opened_at {int} NOT NULL, as_of {text} NOT NULL, import_id {text} REFERENCES import_file (id),
            member {int}, line {int}, seen_in {text} NOT NULL, resolved_at {int}, actions {int} NOT NULL,
            CONSTRAINT recon_break_key UNIQUE (marketplace, key),
            CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
            CHECK ((state IN ('open', 'investigating')) = (resolved_at IS NULL)),
            CHECK (currency IS NOT NULL OR amount = 0)
        ) {table};
        CREATE INDEX recon_break_by_state ON recon_break (marketplace, state, id);
        CREATE INDEX recon_break_by_import ON recon_break (import_id, member, line) WHERE import_id IS NOT NULL;
        CREATE INDEX recon_break_by_order ON recon_break (order_id) WHERE order_id IS NOT NULL;
        CREATE TABLE break_action (
            break_id {text} NOT NULL REFERENCES recon_break (id), number {int} NOT NULL, actor {text} NOT NULL,
            reason {text} NOT NULL, at {int} NOT NULL, from_state {text} NOT NULL, to_state {text} NOT NULL,
            PRIMARY KEY (break_id, number)
        ) {table};

        """
}
