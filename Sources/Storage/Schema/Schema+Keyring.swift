extension Schema {
    /// What shows that a ring's keys are those that this database was used with, and the key of bodies' hashes.
    ///
    /// `keyring_check` has a row for each key of the ring that ever served: a known text, sealed with it. A name stays that
    /// key's for ever. `hashing_key` has one row for each purpose: a key that was drawn once, sealed with a key of the ring.
    static let keyring = """
        CREATE TABLE keyring_check (
            key_id {text} NOT NULL PRIMARY KEY, sealed {bytes} NOT NULL, created_at {int} NOT NULL
        ) {table};
        CREATE TABLE hashing_key (
            purpose {text} NOT NULL PRIMARY KEY, key_id {text} NOT NULL, sealed {bytes} NOT NULL,
            created_at {int} NOT NULL
        ) {table};

        """
}
