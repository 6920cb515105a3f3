import Foundation
import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("What wallet tokens hold", .timeLimit(.minutes(10)))
struct WalletSecrecyTests {
    /// What the operator sees of an order, in the forms in which secrets are looked for too.
    private static let marker = "seen-and-found-31415926"

    /// Doubts are looked into soon.
    private static let settings = """
        timings:
          psp_timeout: 2s
          psp_connect_timeout: 1s
          lease: 60s
          grace: 30s
          poll: 50ms
          unknown_schedule: [100ms, 300ms, 1s]
        """

    @Test(
        "leaves no trace in the database, in logs or in what a server writes, and is erased once its fate is certain",
        arguments: DatabaseEngine.allCases
    )
    func traces(_ engine: DatabaseEngine) async throws {
        let secrets = WalletSecrets()
        try await WalletPlace.with(engine, settings: Self.settings) { stage in
            let (server, url) = try await stage.serve()
            #expect(try Self.coreLimits(of: server) == ["0", "0"])
            try await Self.payAndFail(secrets, stage, url)
            #expect(try await Self.credentials(at: stage.location) == 0)
            try await Self.search(stage, server, secrets)

            let doubtful = WalletPlace.order(
                [1000],
                try stage.applePay(Self.payment(1000, secrets.silent, secrets.cryptograms[6]))
            )
            let answer = Task { try await stage.post(doubtful, key: "doubtful", to: url) }
            try await Self.credentials(at: stage.location, are: 1)
            try await Self.search(stage, server, secrets)
            #expect(try await answer.value.status < 300)
            try await Self.credentials(at: stage.location, are: 0)
            await server.stop()
            try await Self.search(stage, server, secrets)
        }
    }

    /// Pays with every kind of credential; has one declined, one refused as used, and sends some that are malformed.
    private static func payAndFail(_ secrets: WalletSecrets, _ stage: WalletPlace, _ url: String) async throws {
        let (numbers, cryptograms) = (secrets.numbers, secrets.cryptograms)
        func post(_ payment: JSON, _ key: String, amounts: [Int64] = [1000]) async throws -> (status: Int, json: JSON) {
            let order = WalletPlace.order(amounts, payment, reference: "\(marker)-\(key)")
            return try await stage.post(order, key: key, to: url)
        }
        let token: JSON = ["type": "psp_token", "token": .string(secrets.token), "psp_account": "sim"]
        #expect(try await post(token, "token").json["status"] == "paid")
        #expect(try await post(secrets.networkToken, "network").json["status"] == "paid")
        let single = try stage.applePay(payment(1000, numbers[1], cryptograms[1]))
        #expect(try await post(single, "single").json["status"] == "paid")
        let used = try await post(single, "used")
        #expect(used.json.at("errors/0/stage") == "replay")
        var several = payment(3000, numbers[2], cryptograms[2])
        several.responses = [
            .init(merchantHash: "aa", amount: 1000, cryptogram: cryptograms[3]),
            .init(merchantHash: "bb", amount: 2000, cryptogram: cryptograms[4]),
        ]
        let bundle = try await post(try stage.applePay(several), "bundle", amounts: [1000, 2000])
        #expect(bundle.json["status"] == "paid", "\(bundle.json.text)")
        let declined = try await post(
            try stage.applePay(payment(1000, secrets.declined, cryptograms[5])),
            "declined"
        )
        #expect(declined.json["status"] == "failed", "\(declined.json.text)")
        let other = try await post(try stage.applePay(payment(999, numbers[1], cryptograms[1])), "other")
        #expect(other.json.at("errors/0/stage") == "order_mismatch")
        #expect(try await post(secrets.networkToken.with("expiry_month", 13), "wrong").status == 422)
        // What is found of the marker in these forms would be found of a secret.
        for (key, form) in [("hex", hexadecimal(marker)), ("base64", Data(("x" + marker).utf8).base64EncodedString())] {
            let order = WalletPlace.order([1000], token, reference: form)
            #expect(try await stage.post(order, key: key, to: url).status == 201)
        }
    }

    private static func payment(_ amount: Int64, _ number: String, _ cryptogram: String) -> TestApplePayment {
        var payment = TestApplePayment(amount: amount)
        payment.number = number
        payment.cryptogram = cryptogram
        return payment
    }

    private static func hexadecimal(_ text: String) -> String {
        text.utf8.map { String(256 + Int($0), radix: 16).dropFirst() }.joined()
    }

    /// How large a core of a process may be, softly and at most.
    private static func coreLimits(of program: RunningProgram) throws -> [String] {
        let limits = try String(contentsOfFile: "/proc/\(program.id)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        return line.dropFirst("Max core file size".count).split(separator: " ").prefix(2).map(String.init)
    }

    /// How many credentials are kept.
    private static func credentials(at location: DatabaseLocation) async throws -> Int64 {
        try await location.withOpen { database in
            try await database.read { session in
                try session.rows("SELECT COUNT(*) AS kept FROM credential").first?.integer("kept") ?? 0
            }
        }
    }

    /// Waits until so many are kept.
    private static func credentials(at location: DatabaseLocation, are count: Int64) async throws {
        let end = ContinuousClock.now + .patience
        while try await credentials(at: location) != count {
            try #require(ContinuousClock.now < end, "\(count) credentials should be kept")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func search(_ stage: WalletPlace, _ server: RunningProgram, _ secrets: WalletSecrets) async throws {
        let stored = try await stored(at: stage.location)
        #expect(secrets.traces.found(in: stored) == [])
        for form in [marker, hexadecimal(marker), Data(("x" + marker).utf8).base64EncodedString()] {
            #expect(Traces(of: [marker]).found(in: Array(form.utf8)) == [marker])
            #expect(stored.contains(Array(form.utf8)), "what is stored is searched in whole")
        }
        #expect(stored.contains(Array("order.placed".utf8)), "the documents of steps are searched")
        let written = server.output.bytes + server.errors.bytes
        #expect(!written.isEmpty)
        #expect(secrets.traces.found(in: written) == [])
    }

    /// All that is stored: the file and what stands beside it, or every row of every table as text, and the documents of
    /// steps, which stand there packed.
    private static func stored(at location: DatabaseLocation) async throws -> [UInt8] {
        let documents = try await location.withOpen { database in
            try await database.read { session in try StoredStep.all(in: session).flatMap { Array($0.text.utf8) } }
        }
        return documents + (try await rows(at: location))
    }

    private static func rows(at location: DatabaseLocation) async throws -> [UInt8] {
        if case .sqlite(let path) = location {
            return ["", "-wal", "-shm"].flatMap { suffix in
                FileManager.default.contents(atPath: path + suffix).map(Array.init) ?? []
            }
        }
        return try await location.withOpen { database in
            try await database.read { session in
                let tables = try session.rows(
                    "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
                )
                let names = try tables.map { try $0.text("table_name") }
                #expect(names.count > 15)
                return try names.flatMap { name -> [UInt8] in
                    try session.rows(SQL(stringLiteral: "SELECT \(name)::text AS line FROM \(name)")).flatMap { row in
                        Array((try row.text("line") + "\n").utf8)
                    }
                }
            }
        }
    }
}
