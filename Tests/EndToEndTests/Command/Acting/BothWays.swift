import StrictJSON
import Testing
import TributaryTestKit

/// A counter whose server answers, and the same commands on both ways: over HTTP with a key, and on the database.
struct BothWays: Sendable {
    let counter: Counter
    /// Acts on the database.
    let direct: Workplace
    /// Acts over HTTP, with a key of every scope that acts.
    let http: Workplace
    /// The server's URL.
    let url: String
    /// What the key is called.
    static let keyName = "night shift"

    /// Lends both ways while a server answers, in a place that `prepare` has a hand in, with these words for the server.
    static func with(
        _ engine: DatabaseEngine,
        serving words: [String] = [],
        preparing prepare: (inout Workplace) async throws -> Void = { _ in },
        _ body: (BothWays) async throws -> Void
    ) async throws {
        try await Counter.with(engine) { counter in
            var place = counter.place
            try await prepare(&place)
            let key = try await key(place, "operator", "adjuster", "admin", "checkout", named: keyName)
            let prepared = place
            try await prepared.whileServing(["serve", "--stop-when-stdin-closes"] + words) { url in
                try await body(
                    BothWays(counter: counter, direct: prepared, http: prepared.acting(with: key, at: url), url: url)
                )
            }
        }
    }

    /// Makes a key of these scopes on the database, and answers its text.
    static func key(
        _ place: Workplace,
        _ scopes: String...,
        named name: String? = nil,
        more: [String] = []
    ) async throws -> String {
        let typed = scopes.flatMap { ["--scope", $0] } + (name.map { ["--name", $0] } ?? []) + more
        return try #require(await place.json(["keys", "create"] + typed)["key"]?.stringValue)
    }

    /// How a command ends on both ways: on the database with the first words, over HTTP with the others.
    func end(_ typed: [String], _ others: [String]? = nil) async throws -> (direct: Finished, http: Finished) {
        (try await direct.run(typed), try await http.run(others ?? typed))
    }

    /// Runs a command on both ways, each about something of its own, and holds what is said to each other.
    ///
    /// - Parameters:
    ///   - typed: the words, in which `@` stands for `a` on the database, and for `b` over HTTP.
    ///   - status: how both end.
    /// - Throws: what running either throws.
    func expectSame(_ typed: [String], status: Int32 = 0) async throws {
        func words(_ letter: String) -> [String] { typed.map { $0.replacing("@", with: letter) } }
        let (direct, http) = try await end(words("a"), words("b"))
        #expect(direct.status == status && http.status == status, "\(typed): \(direct.err) \(http.err)")
        #expect(Self.plain(direct.out) == Self.plain(http.out), "\(typed)")
        #expect(Self.plain(direct.err) == Self.plain(http.err), "\(typed)")
    }

    /// What is said without what is another's each time: identifiers, moments, secrets, which of the two it is about, and
    /// how wide a column is for them.
    static func plain(_ text: String) -> String {
        text.replacing(/\b(sim|cart|way|S|table|json|csv)-[ab]\b/) { "\($0.1)-@" }
            .replacing(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "TIME")
            .replacing(/\b([a-z]+)_[0-9a-z]{26}\b/) { "\($0.1)_ID" }
            .replacing(/\b(tk|pk)_(test|live)_[0-9a-f]+/, with: "KEY")
            .replacing(/after \d+ ms/, with: "after a while")
            .replacing(/whsec_[A-Za-z0-9+\/=]+/, with: "SECRET")
            .replacing(/\b(auth|cap|ref|void)_\w+/, with: "PSP")
            .replacing(/"version": \d+/, with: "VERSION")
            .replacing(/[ ]+/, with: " ")
    }
}

extension Workplace {
    /// The same, acting over HTTP with a key.
    func acting(with key: String, at url: String) -> Workplace {
        var place = self
        place.environment["TRIBUTARY_API_KEY"] = key
        place.environment["TRIBUTARY_URL"] = url
        return place
    }
}
