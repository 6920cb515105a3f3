import Foundation

/// The lines that a process writes, as they come.
final class ChildOutput: Sendable {
    /// The lines, without their breaks; ends when the process closes its end.
    let lines: AsyncStream<String>

    /// Listens to a pipe's end, on a thread of its own.
    ///
    /// A readability handler would do it without one, but it rests on dispatch sources, which crash on Linux when they
    /// are taken down.
    init(_ handle: FileHandle) {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        Thread.detachNewThread {
            var rest: [UInt8] = []
            while case let bytes = handle.availableData, !bytes.isEmpty {
                rest += bytes
                var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = parts.popLast().map(Array.init) ?? []
                for line in parts { continuation.yield(String(decoding: line, as: UTF8.self)) }
            }
            if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            continuation.finish()
        }
    }
}
