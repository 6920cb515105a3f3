import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The check of callbacks", .timeLimit(.minutes(10)))
struct CallbackCheckTests {
    /// A payload, its number, and what is complained about.
    private static let cases: [(payload: String, number: Int64, complaint: String)] = [
        (test(#""cbe_00000000000000000000000000""#), 1, ""),
        (test(#""cbe_1""#), 1, "does not fit"),
        (test(#""cbe_00000000000000000000000000","name":"x""#), 1, "undocumented member name"),
        (test(#""hotel""#), 1, "of hotel"),
        (test(#""cbe_00000000000000000000000000""#), 3, "another number"),
        (#"{"type":"order.unheard"}"#, 1, "no schema for the type order.unheard"),
    ]

    private static func test(_ endpoint: String) -> String {
        #"{"type":"endpoint.test","timestamp":"2026-11-21T00:00:00.000Z","sequence":1,"data":{"endpoint":\#(endpoint)}}"#
    }

    @Test("finds what breaks a schema, what is somebody else's, and what is stored otherwise", arguments: cases)
    func found(payload: String, number: Int64, complaint: String) async throws {
        let complaints = try await Self.complaints([(payload, number)])
        #expect(complaints.isEmpty == complaint.isEmpty, "\(complaints)")
        #expect(complaint.isEmpty || complaints.contains { $0.contains(complaint) }, "\(complaints)")
    }

    @Test("finds gaps and numbers told twice", arguments: [([1, 2, 3], true), ([1, 3], false), ([1, 1], false)])
    func gaps(numbers: [Int64], isFine: Bool) async throws {
        let payloads = numbers.map { number in
            (Self.cases[0].payload.replacing(#""sequence":1"#, with: #""sequence":\#(number)"#), number)
        }
        let complaints = try await Self.complaints(payloads).filter { $0.contains("has the numbers") }
        #expect(complaints.isEmpty == isFine, "\(complaints)")
    }

    private static func complaints(_ payloads: [(String, Int64)]) async throws -> [String] {
        try await withDatabase(.sqlite, prepare: .listening) { database in
            let airline = try #require(TestMarketplace.travel.merchants.first)
            let now = Timestamp(microseconds: 1_800_000_000_000_000)
            try await database.write { session in
                var ids = IdentifierSource()
                let callbacks = payloads.map { payload, number in
                    NewCallback(
                        id: ids.make(at: now),
                        marketplace: "travel",
                        merchant: airline.id,
                        order: nil,
                        payment: nil,
                        type: payload.contains("order.unheard") ? "order.unheard" : "endpoint.test",
                        sequence: number,
                        payload: payload,
                        at: now
                    )
                }
                try Outbox.insert(callbacks, in: session)
            }
            return try await CallbackCheck.complaints(about: database)
        }
    }
}
