import Foundation
import Glibc
import Logging
import NIOCore
import NIOFileSystem
import PSPSimulator
import StrictJSON
import Testing

@Suite("Books on disk", .timeLimit(.minutes(10)))
struct BooksFileTests {
    @Test("come back after a restart, keys and pending operations included")
    func restart() async throws {
        try await withPath { path in
            let before = try await withSimulator(books: .file(path: path)) { _, client in
                let made = try await client.authorize("tok_approve+capture_timeout_after", reference: "att_1")
                let id = try #require(made.json?["id"]?.stringValue)
                let body: JSON = ["reference": "op_1", "amount": 400]
                _ = try await client.post("/v1/authorizations/\(id)/captures", key: "c", body)
                _ = try await client.authorize("tok_timeout_before", reference: "att_2")
                _ = try await client.authorize("tok_action_60000", reference: "att_3")
                return try #require(try await client.get("/books").json)
            }
            try await withSimulator(books: .file(path: path)) { _, client in
                #expect(try await client.get("/books").json == before)
                let replay = try await client.authorize("tok_approve+capture_timeout_after", reference: "att_1")
                #expect(replay.header("Idempotent-Replayed") == "true")
                let struck = try await client.authorize("tok_timeout_before", reference: "att_2")
                #expect(struck.json?["status"] == "authorized")
                let action = try await client.get("/v1/authorizations?reference=att_3")
                let id = try #require(action.json?["data"]?[0]?["id"]?.stringValue)
                #expect(try await client.get("/actions/\(id)").json?["status"] == "authorized")
            }
            try await withSimulator(books: .file(path: path)) { simulator, _ in
                let statuses = await simulator.authorizations(of: "shop").map(\.status)
                #expect(statuses == [.captured, .authorized, .authorized])
            }
        }
    }

    @Test("hold everything that was answered, without waiting for the simulator to stop")
    func durability() async throws {
        try await withPath { path in
            try await withSimulator(books: .file(path: path)) { simulator, client in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...20 {
                        group.addTask { _ = try await client.authorize("tok_approve", reference: "att_\(number)") }
                    }
                    try await group.waitForAll()
                }
                try await FileSystem.shared.copyItem(at: FilePath(path), to: FilePath(path + ".copy"))
                let original = await simulator.read { books, _ in books }
                try await withSimulator(books: .file(path: path + ".copy")) { copy, _ in
                    #expect(await copy.read { books, _ in books } == original)
                }
            }
        }
    }

    @Test("lose only a last line that was never finished")
    func tornLine() async throws {
        try await withPath { path in
            try await withSimulator(books: .file(path: path)) { _, client in
                _ = try await client.authorize("tok_approve", reference: "att_1")
            }
            try await append("{\"at\":17", to: path)
            try await withSimulator(books: .file(path: path)) { simulator, client in
                #expect(await simulator.authorizations(of: "shop").count == 1)
                _ = try await client.authorize("tok_approve", reference: "att_2")
            }
            try await withSimulator(books: .file(path: path)) { simulator, _ in
                #expect(await simulator.authorizations(of: "shop").count == 2)
            }
        }
    }

    @Test("are refused if a line is none of theirs", arguments: ["{\"at\":1}", "nonsense", "", "{\"at\":1,\"at\":2}"])
    func unreadable(line: String) async throws {
        try await withPath { path in
            try await withSimulator(books: .file(path: path)) { _, _ in }
            try await append(line + "\n", to: path)
            await #expect(throws: BooksFileError.unreadable(path: path, line: 2)) {
                try await withSimulator(books: .file(path: path)) { _, _ in }
            }
        }
    }

    @Test("are refused while another simulator has them open")
    func inUse() async throws {
        try await withPath { path in
            try await withSimulator(books: .file(path: path)) { _, _ in
                let error = await #expect(throws: BooksFileError.self) {
                    try await withSimulator(books: .file(path: path)) { _, _ in }
                }
                #expect(error == .inUse(path: path))
            }
        }
    }

    @Test("are free once their simulator has stopped, though a program that is just being started has them open, too")
    func inherited() async throws {
        try await withPath { path in
            let copies = try await withSimulator(books: .file(path: path)) { _, _ in
                try Self.descriptors(of: path).map { dup($0) }
            }
            defer { for copy in copies { _ = close(copy) } }
            #expect(!copies.isEmpty && copies.allSatisfy { $0 >= 0 })
            try await withSimulator(books: .file(path: path)) { _, _ in }
        }
    }

    /// The open descriptors of this process that are of a file.
    private static func descriptors(of path: String) throws -> [Int32] {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return all.filter { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
        }
        .compactMap { Int32($0) }
    }

    @Test("hold no number of a network token")
    func networkToken() async throws {
        try await withPath { path in
            try await withSimulator(books: .file(path: path)) { _, client in
                let body: JSON = [
                    "reference": "att_1", "amount": 1000, "currency": "USD",
                    "network_token": [
                        "number": "4111111111111111", "expiry_month": 12, "expiry_year": 2030, "cryptogram": "AAAA",
                    ],
                ]
                _ = try await client.post("/v1/authorizations", key: "k", body)
            }
            let bytes = try await ByteBuffer(contentsOf: FilePath(path), maximumSizeAllowed: .mebibytes(1))
            let text = String(buffer: bytes)
            #expect(text.contains("1111"))
            #expect(!text.contains("411111111111"))
            #expect(!text.contains("AAAA"))
        }
    }

    private func withPath(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        try await FileSystem.shared.withTemporaryDirectory { _, directory in
            try await body("\(directory)/books.jsonl")
        }
    }

    private func append(_ text: String, to path: String) async throws {
        try await FileSystem.shared.withFileHandle(
            forWritingAt: FilePath(path),
            options: .modifyFile(createIfNecessary: false)
        ) { handle in
            let size = try await handle.info().size
            _ = try await handle.write(contentsOf: Array(text.utf8), toAbsoluteOffset: size)
        }
    }
}
