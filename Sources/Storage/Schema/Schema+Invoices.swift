extension Schema {
    /// Commission invoices, and how far each marketplace's numbers have got.
    ///
    /// A number is taken in the transaction that stores its invoice, from a row that is locked until that ends, so that
    /// none is left out; an invoice never changes (`append_only`).
    static let invoices = """
        CREATE TABLE invoice_series (
            marketplace {text} NOT NULL PRIMARY KEY REFERENCES marketplace (id), issued {int where VALUE > 0} NOT NULL
        ) {table};
        CREATE TABLE invoice (
            id {text} NOT NULL PRIMARY KEY, marketplace {text} NOT NULL REFERENCES marketplace (id),
            merchant {text} NOT NULL REFERENCES merchant (id), currency {text} NOT NULL,
            number {int where VALUE > 0} NOT NULL, from_at {int} NOT NULL, to_at {int} NOT NULL,
            first_day {text} NOT NULL, last_day {text} NOT NULL, time_zone {text} NOT NULL, issued_at {int} NOT NULL,
            tax_basis_points {int} NOT NULL, volume {int} NOT NULL, items {text} NOT NULL, issuer {text} NOT NULL,
            recipient {text} NOT NULL, CHECK (from_at < to_at),
            CONSTRAINT invoice_number UNIQUE (marketplace, number),
            CONSTRAINT invoice_of_time UNIQUE (marketplace, merchant, currency, from_at)
        ) {table};
        CREATE INDEX invoice_by_merchant ON invoice (marketplace, merchant, number);

        """
}
