import StrictJSON
import Testing

@Suite("Object reader")
struct ObjectReaderTests {
    enum Capture: String, CaseIterable {
        case automatic
        case manual
    }

    struct Context: Equatable {
        let name: String
        let amount: Int64
    }

    struct Order: Equatable {
        let amount: Int64
        let currency: String
        let capture: Capture
        let reference: String?
        let contexts: [Context]
    }

    private static func order(_ body: ObjectReader) -> Order? {
        let amount = body.integer("amount", in: 1 ... .max)
        let currency = body.parsed("currency", expecting: "an ISO 4217 code") { $0.utf8.count == 3 ? $0 : nil }
        let capture = body.contains("capture") ? body.choice("capture", of: Capture.self) : .automatic
        let reference = body.string("reference", .optional, length: 1...20)
        let contexts = body.array("contexts", count: 1...3) { item -> Context? in
            let name = item.string("external_identifier", length: 1...10)
            let amount = item.integer("amount", in: 1 ... .max)
            guard let name, let amount else { return nil }
            return Context(name: name, amount: amount)
        }
        guard let amount, let currency, let capture, let contexts else { return nil }
        return Order(amount: amount, currency: currency, capture: capture, reference: reference, contexts: contexts)
    }

    private func violations(_ document: JSON) -> [String] {
        do throws(InvalidDocument) {
            _ = try document.read(Self.order)
            return []
        } catch {
            return error.violations.map { "\($0.pointer) \($0.code)" }
        }
    }

    private let valid: JSON = [
        "currency": "USD", "amount": 50000,
        "contexts": [
            ["external_identifier": "airline-1", "amount": 30000],
            ["external_identifier": "hotel-7", "amount": 15000],
        ],
    ]

    @Test("takes null for a value of the wrong type where it is no way to leave a member out")
    func refusesNull() throws {
        let document: JSON = ["a": .null, "b": ["c": .null]]
        let invalid = try #require(throws: InvalidDocument.self) {
            try document.read(refusingNull: true) { reader in
                _ = reader.integer("a", .optional)
                #expect(reader.contains("a"))
                return reader.object("b", .optional) { $0.string("c", .optional) == nil }
            }
        }
        #expect(invalid.violations.map { "\($0.pointer) \($0.code)" } == ["/a wrong_type", "/b/c wrong_type"])
        #expect(
            try document.read { reader in
                reader.ignore("a")
                return reader.object("b") { $0.bool("c", .optional) == nil }
            }
        )
    }

    @Test("reads a document that is as it should be")
    func reads() throws {
        let order = try valid.read(Self.order)
        let contexts = [Context(name: "airline-1", amount: 30000), Context(name: "hotel-7", amount: 15000)]
        #expect(
            order == Order(amount: 50000, currency: "USD", capture: .automatic, reference: nil, contexts: contexts)
        )
    }

    @Test("reports everything that is wrong at once, in the order of reading, unknown fields last")
    func collects() {
        let document: JSON = [
            "amount": 0, "currency": "dollar", "capture": "later", "reference": "", "tip": 1,
            "contexts": [["external_identifier": 7, "amount": .number("1.5"), "colour": "red"], "hotel", [:]],
        ]
        #expect(
            violations(document) == [
                "/amount out_of_range", "/currency not_allowed", "/capture not_allowed", "/reference empty",
                "/contexts/0/external_identifier wrong_type", "/contexts/0/amount not_an_integer",
                "/contexts/0/colour unknown_field", "/contexts/1 wrong_type",
                "/contexts/2/external_identifier missing_field", "/contexts/2/amount missing_field",
                "/tip unknown_field",
            ]
        )
    }

    @Test("reports missing fields and wrong types of containers")
    func containers() {
        #expect(violations([:]) == ["/amount missing_field", "/currency missing_field", "/contexts missing_field"])
        #expect(violations([]) == [" wrong_type"])
        #expect(violations(["amount": 1, "currency": "USD", "contexts": [:]]) == ["/contexts wrong_type"])
        #expect(violations(["amount": 1, "currency": "USD", "contexts": []]) == ["/contexts empty"])
        let four = JSON.array([JSON](repeating: ["external_identifier": "a", "amount": 1], count: 4))
        #expect(violations(["amount": 1, "currency": "USD", "contexts": four]) == ["/contexts too_many"])
    }

    @Test("null is absence for an optional field and a wrong type for a required one")
    func nulls() throws {
        let document: JSON = ["a": .null, "b": .null]
        let violations = Violations()
        let reader = try #require(ObjectReader(document, into: violations))
        #expect(reader.string("a", .optional) == nil)
        #expect(violations.isEmpty)
        #expect(reader.string("b") == nil)
        #expect(!reader.contains("a"))
        reader.finish()
        #expect(violations.all.map(\.code) == ["wrong_type"])
    }

    @Test(
        "counts length in Unicode scalars",
        arguments: zip(
            ["", "ab", "abc", "äöüßé", "äöüßéx"],
            [
                "empty", "too_short", "", "", "too_long",
            ]
        )
    )
    func lengths(text: String, code: String) throws {
        let violations = Violations()
        let reader = try #require(ObjectReader(["name": .string(text)], into: violations))
        #expect(reader.string("name", length: 3...5) == (code.isEmpty ? text : nil))
        #expect(violations.all.map(\.code) == (code.isEmpty ? [] : [code]))
    }

    @Test("says which integers are allowed")
    func ranges() throws {
        let violations = Violations()
        let reader = try #require(ObjectReader(["a": 0, "b": 9, "c": 5, "d": "5"], into: violations))
        #expect(reader.integer("a", in: 1 ... .max) == nil)
        #expect(reader.integer("b", in: .min...8) == nil)
        #expect(reader.integer("c", in: 6...7) == nil)
        #expect(reader.integer("d") == nil)
        let details = ["Must be at least 1.", "Must be at most 8.", "Must be from 6 to 7.", "Must be an integer."]
        #expect(violations.all.map(\.detail) == details)
    }

    @Test("reads lists of text and free dictionaries, and points at the element that is wrong")
    func lists() throws {
        let document: JSON = [
            "tags": ["a", "", 3], "words": ["x", "y"], "good": ["k/1": "v"], "bad": ["k/1": 1, "": "v"], "live": true,
        ]
        let violations = Violations()
        let reader = try #require(ObjectReader(document, into: violations))
        #expect(reader.strings("tags", count: 0...5) == nil)
        #expect(reader.strings("words", count: 0...5, expecting: "x") { $0 == "x" ? $0 : nil } == nil)
        #expect(reader.dictionary("good", count: 0...5)?.map(\.value) == ["v"])
        #expect(reader.dictionary("bad", count: 0...1) == nil)
        #expect(reader.bool("live") == true)
        reader.finish()
        let found = violations.all.map { "\($0.pointer) \($0.code)" }
        #expect(
            found == [
                "/tags/1 empty", "/tags/2 wrong_type", "/words/1 not_allowed", "/bad too_many",
                "/bad/k~11 wrong_type", "/bad/ empty",
            ]
        )
    }

    @Test("takes violations of the caller's own rules and keeps raw values")
    func ownRules() throws {
        let violations = Violations()
        let reader = try #require(ObjectReader(["token": ["any": 1], "x": 1, "y": 2], into: violations))
        #expect(reader.value("token") == ["any": 1])
        reader.ignore("x")
        reader.refuse("token", "credential_covers_one_context", "One token cannot pay two merchants.")
        reader.finish()
        reader.finish()
        #expect(
            violations.all.map { "\($0.pointer) \($0.code)" } == [
                "/token credential_covers_one_context", "/y unknown_field",
            ]
        )
        let first = try #require(violations.all.first)
        #expect(first.json.text.hasPrefix(#"{"pointer":"/token","code":"credential_covers_one_context""#))
    }

    @Test("a body that gives up without a reason is still an invalid document")
    func silentNil() {
        let expected = InvalidDocument(violations: [
            Violation(pointer: "", code: "not_allowed", detail: "The document cannot be accepted.")
        ])
        #expect(throws: expected) { try JSON.object([]).read { _ -> Int? in nil } }
    }

    @Test("a tolerant reader and the readers inside it leave unknown fields alone but check known ones")
    func tolerance() throws {
        let violations = Violations()
        let document: JSON = ["new": 1, "list": [["new": 2, "known": 3]], "inner": ["new": 4]]
        let reader = try #require(ObjectReader(document, into: violations, toleratesUnknown: true))
        #expect(reader.array("list", count: 0...1) { $0.string("known") } == nil)
        #expect(reader.object("inner") { $0.integer("new") } == 4)
        reader.finish()
        #expect(violations.all.map { "\($0.pointer) \($0.code)" } == ["/list/0/known wrong_type"])
    }
}
