import SQL

extension Schema {
    /// How far a merchant's payouts in a currency have been told, and what each of them was told to pay for.
    ///
    /// Payouts from before are counted as told, though nobody was: numbers have to begin somewhere. What they pay for
    /// is not known, so `covers` is NULL, and `closing` until the next one.
    static let payoutSeries = Migration(
        name: "0013-payout-series",
        text: """
            CREATE TABLE payout_series (
                marketplace {text} NOT NULL REFERENCES marketplace (id),
                merchant {text} NOT NULL REFERENCES merchant (id), currency {text} NOT NULL,
                told {int} NOT NULL CHECK (told > 0), covered_to {int} NOT NULL, closing {int},
                PRIMARY KEY (marketplace, merchant, currency)
            ) {table};
            INSERT INTO payout_series
                SELECT marketplace, merchant, currency, COUNT(*) + COUNT(failed_at), MAX(recorded_at) / 1000 * 1000,
                    CAST(NULL AS {int})
                FROM payout GROUP BY marketplace, merchant, currency;
            ALTER TABLE payout ADD COLUMN covers {text};

            """
    )
}
