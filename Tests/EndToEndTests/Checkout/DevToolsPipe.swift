import Foundation
import StrictJSON
import Synchronization
import TributaryTestKit

/// A Chromium without windows, spoken to in the DevTools protocol over two pipes.
///
/// The program reads messages from its descriptor 3 and writes them to 4, each JSON with a NUL behind it, so that neither
/// a port nor a WebSocket is needed.
final class DevToolsPipe: Sendable {
    /// Why the browser did not do what it was asked.
    enum Failure: Error, CustomStringConvertible {
        /// It refused; its own words.
        case refused(String)
        /// It ended, or said nothing in time.
        case silent(String)

        var description: String {
            switch self {
            case .refused(let words): "the browser refused: \(words)"
            case .silent(let method): "the browser did not answer \(method)"
            }
        }
    }

    /// Where the program is; nil where it is not installed.
    static let program: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private struct State {
        var next: Int64 = 0
        var waiting: [Int64: CheckedContinuation<JSON, any Error>] = [:]
        var events: [JSON] = []
        var hasEnded = false
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let state = Mutex(State())
    private let ends: AsyncStream<Void>

    /// Starts the browser.
    ///
    /// - Parameter folder: where it keeps its profile.
    /// - Throws: what the system says if it cannot be started.
    init(profileIn folder: String) throws {
        // The shell gives the pipes the numbers that the browser expects, and becomes the browser: the number of the
        // process stays.
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null", Self.program ?? "chromium",
            "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--user-data-dir=" + folder, "about:blank",
        ]
        process.standardInput = input
        process.standardOutput = output
        // A browser that has ended is an error of whoever writes to it, not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        let (ends, end) = AsyncStream<Void>.makeStream()
        self.ends = ends
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        let reading = output.fileHandleForReading
        Thread.detachNewThread { [weak self] in
            var rest: [UInt8] = []
            while case let bytes = reading.availableData, !bytes.isEmpty {
                rest += bytes
                var messages = rest.split(separator: 0, omittingEmptySubsequences: false)
                rest = messages.popLast().map(Array.init) ?? []
                for message in messages { self?.take(Array(message)) }
            }
            self?.finish()
        }
    }

    /// Ends the browser on the spot, by the number of its process, and returns when it is gone.
    func stop() async {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        for await _ in ends {}
        finish()
    }

    /// Everything that it told of by itself so far, of one kind.
    func events(_ method: String) -> [JSON] {
        state.withLock { $0.events }.filter { $0["method"]?.stringValue == method }.compactMap { $0["params"] }
    }

    /// Asks for something and waits for the answer.
    ///
    /// - Throws: ``Failure``.
    func call(_ method: String, _ parameters: JSON = [:], session: String? = nil) async throws -> JSON {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let message = JSON.object(omittingAbsent: [
            "id": .integer(number), "method": .string(method), "params": parameters,
            "sessionId": session.map(JSON.string),
        ])
        let alarm = Task {
            try await Task.sleep(for: .patience)
            answer(number, .failure(Failure.silent(method)))
        }
        defer { alarm.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting[number] = continuation }
                return state.hasEnded
            }
            guard !hasEnded else { return continuation.resume(throwing: Failure.silent(method)) }
            do {
                try input.fileHandleForWriting.write(contentsOf: Data(message.bytes + [0]))
            } catch {
                answer(number, .failure(Failure.silent(method)))
            }
        }
    }

    private func take(_ bytes: [UInt8]) {
        guard let message = try? JSON.parse(bytes, depthLimit: 512) else { return }
        guard let number = message["id"]?.integerValue else { return state.withLock { $0.events.append(message) } }
        if let error = message["error"] {
            answer(number, .failure(Failure.refused(error["message"]?.stringValue ?? error.text)))
        } else {
            answer(number, .success(message["result"] ?? .null))
        }
    }

    private func answer(_ number: Int64, _ result: Result<JSON, any Error>) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
        waiting?.resume(with: result)
    }

    private func finish() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(throwing: Failure.silent("anything")) }
    }
}
