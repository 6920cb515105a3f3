import SQL

extension Schema {
    /// The keys that credentials are sealed with, themselves sealed with a key of the ring.
    ///
    /// They are destroyed minutes after they were made, and then nothing in any file may open them: on PostgreSQL the
    /// table is not logged, so that neither the log nor what is made of it (replicas, archives) ever has them, and it is
    /// emptied into a new file; on SQLite what is deleted is overwritten and the log cut. After a crash of PostgreSQL the
    /// table is empty; an instance that lives on writes its own keys down again.
    static let credentialKeys = Migration(
        name: "0020-credential-keys",
        text: """
            {sqlite} CREATE TABLE credential_key (
                id {text} NOT NULL PRIMARY KEY, key_id {text} NOT NULL, sealed {bytes} NOT NULL,
                created_at {int} NOT NULL
            ) {table};
            {postgres} CREATE UNLOGGED TABLE credential_key (
                id {text} NOT NULL PRIMARY KEY, key_id {text} NOT NULL, sealed {bytes} NOT NULL,
                created_at {int} NOT NULL
            ) {table};

            """
    )
}
