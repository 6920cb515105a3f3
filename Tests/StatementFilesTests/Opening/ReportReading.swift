import AdapterKit
import Domain
import Foundation
import StatementFiles

/// What a whole file gave.
struct ReportReading {
    var members: [ReportMember] = []
    var items: [BankItem] = []
    var trailers: [BankTrailer] = []
    var lines: [SettlementLine] = []
    var settlementTrailers: [SettlementTrailer] = []
    var digest: FileDigest?
    var sizeBytes: Int64 = 0

    init(
        path: String,
        formats: ReportFormats = ReportFormats(),
        chosen: String? = nil,
        limits: ReportFileLimits = ReportFileLimits()
    ) throws(ReportFileProblem) {
        let file = try ReportFile(path: path, formats: formats, chosen: chosen, limits: limits)
        sizeBytes = file.sizeBytes
        while let item = try file.next() {
            switch item {
            case .member(let member): members.append(member)
            case .settlementLines(let more): lines += more
            case .settlementEnd(let trailer): settlementTrailers.append(trailer)
            case .bankItems(let more): items += more
            case .bankEnd(let trailer): trailers.append(trailer)
            case .end(let end): digest = end
            }
        }
    }

    /// Reads bytes, out of a file that is removed again.
    init(
        _ bytes: [UInt8],
        formats: ReportFormats = ReportFormats(),
        chosen: String? = nil,
        limits: ReportFileLimits = ReportFileLimits()
    ) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try self.init(path: url.path, formats: formats, chosen: chosen, limits: limits)
    }
}
