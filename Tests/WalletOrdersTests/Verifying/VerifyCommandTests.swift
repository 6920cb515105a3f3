import Domain
import Foundation
import OpenSSLCMS
import StrictJSON
import Testing
import TributaryTestKit
import WalletTwins

@Suite("wallet-orders verify", .timeLimit(.minutes(10)))
struct VerifyCommandTests {
    private static let time = ["--at", TestPackage.moment.wholeSeconds]

    private static func run(
        _ arguments: [String],
        in folder: TemporaryFolder
    ) async throws -> (status: RunningProgram.Ending, out: String, err: String) {
        try await Programs.with { programs in
            let program = try programs.start(.tributary, ["wallet-orders", "verify"] + arguments, in: folder.url)
            program.closeInput()
            let status = try await program.ended(within: .patience)
            return (status, try await program.output.whole(), try await program.errors.whole())
        }
    }

    private static func with(_ body: (TemporaryFolder) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let package = try TestPackage.full()
            let root = try TestPackage.keys.get().root.certificate.pem()
            for (name, bytes) in [("good.order", package), ("bad.order", package + [0]), ("root.pem", root)] {
                try Data(bytes).write(to: folder.url.appending(path: name))
            }
            try await body(folder)
        }
    }

    @Test("says that a package holds, and what it says of itself, without its token")
    func holds() async throws {
        try await Self.with { folder in
            let typed = ["good.order", "--root", "root.pem"] + Self.time
            let json = try await Self.run(typed + ["--format", "json"], in: folder)
            #expect(json.status == .exited(0), "\(json.err)")
            let answer = try JSON.parse(text: json.out)
            #expect(answer["verified"] == true)
            #expect(answer["failed_check"] == .null)
            #expect(answer["passed_checks"]?.arrayValue?.count == 7)
            #expect(answer["order_identifier"] == "order-1")
            #expect(answer["payment_status"] == "paid")
            let table = try await Self.run(typed, in: folder)
            #expect(table.status == .exited(0))
            #expect(table.out.contains("order.com.example.travel"))
            #expect(!(table.out + json.out).contains(TestOrder.token.reveal()))
        }
    }

    @Test("names the check that fails, and exits 1")
    func fails() async throws {
        try await Self.with { folder in
            for (package, more, check) in [
                ("bad.order", [], "archive"), ("good.order", ["--order-type", "order.other"], "order_type"),
            ] {
                let typed = [package, "--root", "root.pem", "--format", "json"] + Self.time + more
                let finished = try await Self.run(typed, in: folder)
                #expect(finished.status == .exited(1))
                #expect(try JSON.parse(text: finished.out)["failed_check"]?.stringValue == check)
            }
        }
    }

    @Test("exits 2 for what cannot be used")
    func unusable() async throws {
        try await Self.with { folder in
            for typed in [
                ["good.order"], ["missing.order", "--root", "root.pem"], ["good.order", "--root", "good.order"],
                ["-", "--root", "-"],
            ] {
                let finished = try await Self.run(typed, in: folder)
                #expect(finished.status == .exited(2), "\(typed)")
                #expect(finished.out.isEmpty)
            }
        }
    }
}
