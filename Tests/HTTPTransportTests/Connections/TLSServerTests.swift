import Foundation
import Testing
import TributaryTestKit

@Suite("The TLS server that tests connect to", .timeLimit(.minutes(10)))
struct TLSServerTests {
    @Test("holds nothing open that the process of the tests had open when it started")
    func inheritsNothing() async throws {
        let authority = try TestAuthority()
        let held = Pipe()
        let server = try TLSServer(authority.issue(.localhost))
        defer { server.stop() }
        let reading = ProgramOutput(held)
        try held.fileHandleForWriting.close()
        #expect(try await reading.whole() == "")
    }
}
