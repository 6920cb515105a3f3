import HTTPTransport
import Testing
import TributaryTestKit

/// One way for a server to fail, and what the caller must be told.
struct FaultCase: Sendable, CustomTestStringConvertible {
    static let replyLimitBytes = 4_096

    let testDescription: String
    let steps: [ServerStep]
    let expected: Verdict

    init(_ name: String, _ steps: [ServerStep], _ expected: Verdict) {
        testDescription = name
        self.steps = steps
        self.expected = expected
    }

    /// A request with a body long enough to stop within, and short of time where time is to run out.
    func request(to port: UInt16) -> HTTPRequest {
        HTTPRequest.loopback(port, body: String(repeating: "b", count: 20_000)).with {
            $0.replyLimitBytes = Self.replyLimitBytes
            if expected.reason == .timedOut { $0.totalTimeoutMilliseconds = 1_000 }
        }
    }
}
