import Glibc

/// An open file from which blocks are read, by any number of callers at once; closed with its last owner.
final class OpenFile: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Reads blocks, one behind the other, and puts more behind them.
    func read(_ blocks: [SpillBlock], followedBy rest: [UInt8]) throws(SpillProblem) -> [UInt8] {
        let total = blocks.reduce(0) { $0 + $1.count }
        var problem: SpillProblem?
        var bytes = unsafe [UInt8](unsafeUninitializedCapacity: total + rest.count) { buffer, count in
            for block in blocks {
                let end = count + block.count
                while problem == nil, count < end {
                    let offset = block.offset + block.count - (end - count)
                    let found = unsafe pread(
                        descriptor,
                        buffer.baseAddress.map { unsafe $0 + count },
                        end - count,
                        offset
                    )
                    if found < 0, errno == EINTR { continue }
                    if found > 0 {
                        count += found
                    } else {
                        problem = found < 0 ? .notRead(errorNumber: errno) : .truncated
                    }
                }
            }
        }
        if let problem { throw problem }
        bytes.append(contentsOf: rest)
        return bytes
    }
}
