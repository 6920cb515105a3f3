/// Blocks of a temporary file, to be read any number of times and by any number of callers.
package struct SpilledBlocks: Sendable {
    private let file: OpenFile
    private let blocks: [SpillBlock]

    init(file: OpenFile, blocks: [SpillBlock]) {
        self.file = file
        self.blocks = blocks
    }

    /// Hands over block after block, in the order in which they were written.
    ///
    /// - Throws: ``SpillProblem``, and what the body throws.
    package func handOver(to body: ([UInt8]) throws -> Void) throws {
        for block in blocks { try body(file.read([block], followedBy: [])) }
    }
}
