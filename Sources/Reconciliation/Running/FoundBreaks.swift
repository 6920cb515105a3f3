import Domain
import SpillFiles
import StrictJSON

/// Breaks that a run found, put aside until it ends: a wrong file may have as many as it has rows.
struct FoundBreaks {
    private let file: SpillFile
    private var blocks: [SpillBlock] = []

    init(in directory: String) throws(ReconciliationFailure) {
        do throws(SpillProblem) {
            file = try SpillFile(in: directory)
        } catch {
            throw .spill(error)
        }
    }

    /// Puts a page aside.
    mutating func append(_ page: [Break]) throws(ReconciliationFailure) {
        do throws(SpillProblem) {
            blocks.append(try file.append(JSON.array(page.map(\.json)).bytes))
        } catch {
            throw .spill(error)
        }
    }

    /// The breaks, for whoever stores them.
    var sealed: Pages { Pages(blocks: file.sealed(blocks)) }

    /// Breaks page by page, as often as they are asked for.
    struct Pages: Sendable {
        let blocks: SpilledBlocks

        /// Hands over page after page, in the order in which they were found.
        func handOver(to body: ([Break]) throws -> Void) throws {
            try blocks.handOver { bytes in
                let documents = try JSON.parse(bytes).arrayValue ?? []
                let page = documents.compactMap(Break.init)
                guard page.count == documents.count else { throw ReconciliationFailure.spill(.truncated) }
                try body(page)
            }
        }
    }
}
