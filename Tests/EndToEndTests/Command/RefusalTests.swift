import SQL
import Testing
import TributaryTestKit

@Suite("Commands refuse", .timeLimit(.minutes(10)))
struct RefusalTests {
    /// What is typed, and what has to be answered on standard error.
    struct Case: Sendable, CustomTestStringConvertible {
        var typed: [String]
        var status: Int32 = 2
        var says: [String]

        var testDescription: String { typed.joined(separator: " ") }
    }

    @Test(
        "what cannot be used, in a sentence on standard error and with nothing on standard output",
        arguments: [
            Case(typed: ["frobnicate", "--config", "x"], says: ["no command 'frobnicate'", "tributary --help"]),
            Case(typed: ["orders", "list", "--frob"], says: ["Unknown option '--frob'"]),
            Case(typed: ["orders", "list", "--limit", "0"], says: ["--limit"]),
            Case(typed: ["orders", "list", "--status", "lost"], says: ["lost", "requires_action"]),
            Case(typed: ["orders", "list", "--format", "xml"], says: ["xml", "table", "json", "csv"]),
            Case(typed: ["orders", "list", "--marketplace", "moon"], says: ["there is no marketplace moon"]),
            Case(typed: ["orders", "show", "ord_0"], status: 1, says: ["there is no order ord_0"]),
            Case(typed: ["orders", "find", "--psp-reference", "x"], status: 1, says: ["no order"]),
            Case(typed: ["merchants", "list"], says: ["there is no marketplace yet", "tributary apply"]),
            Case(typed: ["keys", "create"], says: ["--scope"]),
            Case(typed: ["keys", "create", "--scope", "root"], says: ["root", "checkout", "operator", "merchant:"]),
            Case(typed: ["keys", "create", "--scope", "checkout"], says: ["there is no marketplace yet"]),
            Case(
                typed: ["keys", "create", "--scope", "merchant:a", "--scope", "merchant:b"],
                says: ["a key is for one merchant"]
            ),
            Case(typed: ["keys", "create", "--scope", "checkout", "--expires", "tomorrow"], says: ["RFC 3339"]),
            Case(
                typed: ["keys", "create", "--scope", "checkout", "--expires", "2020-01-01T00:00:00Z"],
                says: ["--expires is a time that is over"]
            ),
            Case(typed: ["keys", "revoke", "nonsense"], says: ["nonsense is no key's id"]),
            Case(typed: ["keys", "revoke", "key_00000000000000000000000000"], status: 1, says: ["there is no key"]),
            Case(typed: ["apply", "absent.yaml"], says: ["absent.yaml", "no such file"]),
            Case(typed: ["migrate", "--config", "absent.yaml"], says: ["absent.yaml", "no such file"]),
            Case(typed: ["migrate", "--print-grants"], says: ["--print-grants and --role need each other"]),
            Case(typed: ["migrate", "--print-grants", "--role", "gate"], says: ["an embedded database has no roles"]),
            Case(
                typed: ["migrate", "--database", "mysql://here"],
                says: ["--database", "sqlite:PATH or postgres://"]
            ),
            Case(
                typed: ["orders", "list", "--database", "postgres://db.example/books"],
                says: ["add sslmode=verify-full", "sslmode=disable"]
            ),
            Case(typed: ["bench", "orders", "--stored", "10000,many"], says: ["--stored is a list of numbers"]),
            Case(typed: ["bench", "orders", "--in-flight", "0"], says: ["--in-flight is 1 to 10000"]),
            Case(typed: ["bench", "orders", "--plans"], says: ["--plans goes with --stored"]),
            Case(typed: ["serve", "--port", "70000"], says: ["--port"]),
            Case(typed: ["serve", "--port", "http"], says: ["--port"]),
            Case(typed: ["simulate-psp", "--port", "-1"], says: ["--port"]),
            Case(typed: ["simulate-psp", "--port", "0", "--books", "/nowhere/books"], says: ["/nowhere/books"]),
            Case(
                typed: ["orders", "list", "--database", "sqlite:elsewhere.sqlite"],
                says: ["there is no database at elsewhere.sqlite", "`tributary migrate` creates it"]
            ),
        ]
    )
    func refusal(_ row: Case) async throws {
        try await Workplace.withDatabase { place in
            let ending = try await place.run(row.typed)
            #expect(ending.status == row.status)
            #expect(ending.out.isEmpty)
            for part in row.says { #expect(ending.err.contains(part), "\(ending.err)") }
        }
    }

    @Test("a file that breaks a rule, with the place of everything that is wrong")
    func places() async throws {
        try await Workplace.withDatabase { place in
            try place.write(
                "marketplace: { id: travel, name: Travel Now, colour: blue }\npsp_accounts: []\nmerchants: {}\n",
                to: "bad.yaml"
            )
            let ending = try await place.run("apply", "bad.yaml")
            #expect(ending.status == 2)
            #expect(ending.err.contains("bad.yaml:1:"), "\(ending.err)")
            #expect(ending.err.contains("colour"))
            #expect(ending.err.contains("bad.yaml:3:"), "\(ending.err)")
        }
    }

    @Test("to serve without a key, and says how to make one")
    func missingKey() async throws {
        try await Workplace.withDatabase { place in
            var place = place
            place.environment["TRIBUTARY_KEY"] = nil
            let ending = try await place.run("serve", "--port", "0")
            #expect(ending.status == 2)
            #expect(ending.err.contains("openssl rand -hex 32"))
            #expect(ending.err.contains("TRIBUTARY_KEY"))
            place.environment["TRIBUTARY_KEY"] = "too short"
            let short = try await place.run("serve", "--port", "0")
            #expect(short.status == 2)
            #expect(short.err.contains("64 hexadecimal digits"))
            #expect(!short.err.contains("too short"))
        }
    }

    @Test("to serve from a database that was never migrated, and leaves no file behind")
    func noSchema() async throws {
        try await Workplace.with { place in
            let absent = try await place.run("serve", "--port", "0")
            #expect(absent.status == 2)
            #expect(absent.err.contains("tributary migrate"))
            #expect(!place.has("tributary.sqlite"))
            try place.write("", to: "tributary.sqlite")
            let empty = try await place.run("serve", "--port", "0")
            #expect(empty.status == 2)
            #expect(empty.err.contains("run `tributary migrate`"), "\(empty.err)")
        }
    }

    @Test("to serve from a schema that a newer build made")
    func newerSchema() async throws {
        try await Workplace.withDatabase { place in
            try await DatabaseLocation.sqlite(path: place.path("tributary.sqlite")).withOpen { database in
                try await database.write { session in
                    try session.run("INSERT INTO schema_migration (name, checksum) VALUES ('9999-future', 'x')")
                }
            }
            let ending = try await place.run("serve", "--port", "0")
            #expect(ending.status == 2)
            #expect(ending.err.contains("9999-future"))
            #expect(ending.err.contains("newer build"))
        }
    }

    @Test("to migrate or serve from a schema that was written anew since")
    func outdatedSchema() async throws {
        try await Workplace.withDatabase { place in
            try await DatabaseLocation.sqlite(path: place.path("tributary.sqlite")).withOpen { database in
                try await database.write { session in
                    try session.run("UPDATE schema_migration SET name = '0001-directory'")
                }
            }
            for command in [["migrate"], ["serve", "--port", "0"]] {
                let ending = try await place.run(command)
                #expect(ending.status == 2)
                #expect(ending.err.contains("0001-directory"))
                #expect(ending.err.contains("make a new database"))
            }
        }
    }

    @Test("an unreachable server without showing its password")
    func password() async throws {
        try await Workplace.with { place in
            var place = place
            place.environment["TRIBUTARY_DATABASE_URL"] = "postgres://gateway:hunter2@127.0.0.1:1/tributary"
            let ending = try await place.run("orders", "list")
            #expect(ending.status == 2)
            #expect(ending.err.contains("the database cannot be reached"), "\(ending.err)")
            #expect(!ending.err.contains("hunter2"))
        }
    }
}
