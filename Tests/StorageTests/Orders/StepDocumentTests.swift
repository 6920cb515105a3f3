import SQL
import Storage
import StrictJSON
import Testing

@Suite("The document of a step")
struct StepDocumentTests {
    private static let documents: [JSON] = [
        ["facts": [], "events": []],
        [
            "facts": [[23149, "succeeded", 32196, "gateway", "pi_3OvXk2ü", 1000]],
            "events": [
                [5, 38981, "payment.authorized", 32196, 23151, 23149, ["amount": 1000, "psp_reference": true]],
                [6, 38986, "order.cleared", 32196, .null, .null, ["reason": "policy_satisfied"]],
            ],
            "told": [[6225, "payment.authorized", 1, 0, 0]],
        ],
        // Longer than what is unpacked at once, and than the window.
        ["facts": [], "events": .array((0..<3000).map { [.integer($0), .string("order.noted \($0 * 7919)")] })],
    ]

    @Test("is read back as it was packed", arguments: documents)
    func roundTrip(_ document: JSON) throws {
        let bytes = StepDocument.packed(document)
        #expect(try StepDocument.read(bytes) == document)
        #expect(bytes.count < document.bytes.count)
    }

    @Test("takes less than half of its text where it says what most say")
    func size() {
        let document = Self.documents[1]
        #expect(StepDocument.packed(document).count * 2 < document.bytes.count)
    }

    /// A stream of zlib's (RFC 1950) names its dictionary behind its first two bytes.
    @Test("names its dictionary, which is not changed once documents are packed with it")
    func dictionary() {
        #expect(StepDocument.packed(Self.documents[0])[..<6] == [72, 168, 136, 145, 13, 234])
    }

    private static let bytes = StepDocument.packed(documents[1])

    /// The bytes with one of them changed.
    private static func changed(at place: Int) -> [UInt8] {
        var bytes = bytes
        bytes[place] ^= 1
        return bytes
    }

    private static let broken: [String: [UInt8]] = [
        "nothing": [],
        "text": documents[1].bytes,
        "an end that is missing": Array(bytes.dropLast()),
        "something behind it": bytes + [0],
        "another dictionary": changed(at: 5),
        // RFC 1950, as everybody else writes it.
        "no dictionary": [
            72, 137, 171, 86, 74, 75, 76, 46, 41, 86, 178, 138, 142, 213, 81, 74, 45, 75, 205, 131, 176, 107, 1, 101,
            158, 8, 55,
        ],
        "another checksum": changed(at: bytes.count - 1),
        "a byte that is another": changed(at: 20),
    ]

    @Test("is not read with anything else than what was packed", arguments: broken.keys.sorted())
    func refusals(_ name: String) throws {
        let bytes = try #require(Self.broken[name])
        #expect(throws: SQLError.unexpectedValue(column: "order_step.document")) {
            try StepDocument.read(bytes)
        }
    }
}
