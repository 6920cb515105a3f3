import SQL

extension Schema {
    /// What endpoints are shown that ask for a client certificate: two references, both or none.
    static let callbackIdentities = Migration(
        name: "0014-callback-identities",
        text: """
            ALTER TABLE callback_endpoint ADD COLUMN client_certificate {text};
            ALTER TABLE callback_endpoint ADD COLUMN client_key {text}
                CHECK ((client_certificate IS NULL) = (client_key IS NULL));

            """
    )
}
