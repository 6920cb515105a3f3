import Gateway
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Bodies of requests that were changed", .timeLimit(.minutes(60)))
struct BodyFuzzTests {
    /// What reads a body, and the operations whose examples it reads.
    struct Reader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let operations: [String]
        let read: @Sendable (JSON) throws -> Void
    }

    private static let limits = APILimits()

    /// Bodies of which `openapi.yaml` has no example.
    private static let others: [String: [JSON]] = [
        "agreements": [
            [
                "external_identifier": "gym", "type": "recurring", "currency": "USD", "amount": 1000,
                "description": "Monthly", "reference": "a-1",
            ],
            [
                "external_identifier": "card", "type": "automatic_reload", "currency": "EUR", "maximum_amount": 5000,
                "description": "Reload",
            ],
        ],
        "charges": [
            [
                "currency": "USD", "amount": 1000, "reason": "recurring", "capture": "manual", "reference": "c-1",
                "merchant_reference": "m-1", "commission": ["amount": 10, "tax_amount": 2], "metadata": ["k": "v"],
            ]
        ],
        "operators' words": [
            [
                "operation": "op_01ka524mnpzx45hy43kwjrp1xq", "outcome": "succeeded", "amount": 100,
                "psp_reference": "ch_1", "evidence": "dashboard", "reason": "asked",
            ]
        ],
    ]

    static let readers: [Reader] = [
        Reader(testDescription: "orders", operations: ["POST /v1/orders"]) {
            _ = try OrderDraftReader(limits: limits).draft($0)
        },
        Reader(testDescription: "agreements", operations: ["POST /v1/agreements"]) {
            _ = try AgreementReader.draft($0)
        },
        Reader(testDescription: "charges", operations: ["POST /v1/agreements/{id}/charges"]) {
            _ = try AgreementReader.charge($0)
        },
        Reader(testDescription: "captures", operations: ["POST /v1/orders/{id}/capture"]) {
            _ = try RequestReader.capture($0)
        },
        Reader(testDescription: "releases", operations: ["POST /v1/orders/{id}/release"]) {
            _ = try RequestReader.release($0)
        },
        Reader(testDescription: "refunds", operations: ["POST /v1/orders/{id}/refunds"]) {
            _ = try RequestReader.refund($0)
        },
        Reader(
            testDescription: "payment requests",
            operations: ["POST /v1/payment-requests", "PATCH /v1/payment-requests/{id}"]
        ) {
            let reader = PaymentRequestReader(contextLimit: limits.contexts, clock: ManualClock())
            do throws(InvalidDocument) { _ = try reader.revision($0) } catch { _ = try reader.draft($0) }
        },
        Reader(testDescription: "merchants", operations: ["PUT /v1/merchants/{id}", "POST /v1/merchants"]) {
            _ = try MerchantReader($0)
        },
        Reader(testDescription: "operators' words", operations: ["POST /v1/orders/{id}/resolve"]) {
            _ = try ActReader.resolution($0)
        },
    ]

    @Test("are read or refused, every violation with its place", arguments: readers)
    func bodies(reader: Reader) throws {
        let examples = try Contract().bodyExamples
        let own =
            examples.filter { reader.operations.contains($0.operation) }.map(\.body.bytes)
            + (Self.others[reader.testDescription] ?? []).map(\.bytes)
        let corpus =
            (own.isEmpty ? examples.map(\.body.bytes) : own)
            + (reader.testDescription == "orders" ? RefusalCase.all.map(\.body) : [])
        let broken = try Fuzzing("bodies of \(reader.testDescription)", corpus: corpus).run { document, _ in
            let json: JSON
            do throws(JSONRefusal) { json = try JSON.parse(document) } catch {
                return .refused("not JSON")
            }
            guard try JSON.parse(json.bytes) == json else { return .broken("is another document once it is written") }
            do {
                try reader.read(json)
                return .taken
            } catch let invalid as InvalidDocument {
                guard let first = invalid.violations.first else { return .broken("is refused without a reason") }
                return .refused(first.code)
            }
        }
        #expect(broken == nil)
    }
}
