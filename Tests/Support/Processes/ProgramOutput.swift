package import Foundation
import Synchronization

/// What a program writes, read by a thread of its own so that the program never waits for its reader.
package final class ProgramOutput: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isAtEnd = false
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Reads a pipe until its writers have closed it.
    package init(_ pipe: Pipe) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            while true {
                let data = handle.availableData
                guard !data.isEmpty else { break }
                append(data)
            }
            // A process object outlives its process, and its pipes would with it.
            try? handle.close()
            end()
        }
    }

    /// Everything so far.
    package var bytes: [UInt8] { state.withLock(\.bytes) }

    /// Everything so far, as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Waits until everything is read, which is soon after the program has ended, unless one that it started lives on and
    /// still holds its output.
    ///
    /// - Throws: ``ProgramFailure/outlived(said:)`` after `limit`.
    package func whole(within limit: Duration = .patience) async throws -> String {
        let reading = Task { await until { _, isAtEnd in isAtEnd ? true : nil } }
        let alarm = Task {
            try await Task.sleep(for: limit)
            reading.cancel()
        }
        defer { alarm.cancel() }
        let end = await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            reading.cancel()
        }
        try Task.checkCancellation()
        guard end != nil else { throw ProgramFailure.outlived(said: String(text.suffix(2000))) }
        return text
    }

    /// Waits for a whole line that contains `words`; nil if the program ended without it or the task is canceled.
    package func line(containing words: String) async -> String? {
        await until { bytes, _ in
            guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
            let lines = String(decoding: bytes[..<last], as: UTF8.self).split(separator: "\n")
            return lines.first { $0.contains(words) }.map(String.init)
        }
    }

    /// Looks each time something was read, until `look` answers or nothing more comes.
    @discardableResult
    private func until<Value>(_ look: (_ bytes: [UInt8], _ isAtEnd: Bool) -> Value?) async -> Value? {
        let (news, teller) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = teller
            return state.next
        }
        defer { state.withLock { $0.listeners[number] = nil } }
        teller.yield()
        for await _ in news {
            let (bytes, isAtEnd) = state.withLock { ($0.bytes, $0.isAtEnd) }
            if let value = look(bytes, isAtEnd) { return value }
            if isAtEnd { return nil }
        }
        return nil
    }

    private func append(_ data: Data) {
        tell { $0.bytes += data }
    }

    private func end() {
        tell { $0.isAtEnd = true }
    }

    private func tell(_ change: (inout State) -> Void) {
        let listeners = state.withLock { state in
            change(&state)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }
}
