import AdapterKit

/// Reads one file, whatever it is written in.
enum MemberReader {
    case settlement(any SettlementReport)
    case bank(any BankReader)

    /// Reads on.
    mutating func read(_ chunk: ArraySlice<UInt8>, member: String?) throws(ReportFileProblem) -> [ReportItem] {
        switch self {
        case .settlement(var report):
            do throws(SettlementProblem) {
                let lines = try report.read(chunk)
                self = .settlement(report)
                return lines.isEmpty ? [] : [.settlementLines(lines)]
            } catch {
                throw .settlement(member: member, error)
            }
        case .bank(var reader):
            do throws(BankProblem) {
                let items = try reader.read(chunk)
                self = .bank(reader)
                return items.isEmpty ? [] : [.bankItems(items)]
            } catch {
                throw .bank(member: member, error)
            }
        }
    }

    /// Ends the reading.
    mutating func finish(member: String?) throws(ReportFileProblem) -> [ReportItem] {
        switch self {
        case .settlement(var report):
            do throws(SettlementProblem) {
                let trailer = try report.finish()
                return (trailer.lines.isEmpty ? [] : [.settlementLines(trailer.lines)]) + [.settlementEnd(trailer)]
            } catch {
                throw .settlement(member: member, error)
            }
        case .bank(var reader):
            do throws(BankProblem) {
                let (items, trailer) = try reader.finish()
                return (items.isEmpty ? [] : [.bankItems(items)]) + [.bankEnd(trailer)]
            } catch {
                throw .bank(member: member, error)
            }
        }
    }
}
