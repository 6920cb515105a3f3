import Domain
import Testing
import TributaryTestKit

@Suite("Every operation at a PSP", .timeLimit(.minutes(10)))
struct OperationFaultTests {
    @Test(
        "ends where it ends without a failure, in the order and in the PSP's books, failed once and repeatedly",
        arguments: DatabaseEngine.allCases,
        FaultedOperation.all
    )
    func endsAlike(_ engine: DatabaseEngine, _ operation: FaultedOperation) async throws {
        try await GatewayHarness.with(engine) { harness in
            let expected = try await operation.ending("plain", nil, times: 0, in: harness)
            #expect(expected.attention.isEmpty)
            for fault in Fault.allCases {
                // An authorization that provably never left is not repeated: its payment has failed.
                if operation.kind == .authorize, fault == .neverLeft { continue }
                for times in [1, 3] {
                    let name = "\(fault)-\(times)"
                    let ending = try await operation.ending(name, fault, times: times, in: harness)
                    #expect(ending == expected, "\(operation.testDescription) \(name)")
                }
            }
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }
}
