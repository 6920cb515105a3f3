import Domain
import SpillFiles

/// What is reported again.
extension GroupMatcher {
    /// Takes out lines whose entry another line of the group has.
    mutating func dropRepeatedEntries() {
        guard lines.count > 1 else { return }
        var seen: [ArraySlice<UInt8>: Int] = [:]
        for place in lines.indices where !lines[place].entry.isEmpty {
            let entry = lines[place].bytes[lines[place].entry]
            if let first = seen[entry] {
                outcomes.append(.repeated(line: place, of: first))
                close([place])
            } else {
                seen[entry] = place
            }
        }
    }

    /// Takes out lines that equal one that was matched: the same movement twice.
    mutating func dropRepeatedMovements() {
        guard !confirmedLines.isEmpty else { return }
        for place in lines.indices where lineIsOpen[place] && lines[place].header.kind < 4 {
            guard let twin = confirmedLines.first(where: { isTwin(place, of: $0) }) else { continue }
            outcomes.append(.repeated(line: place, of: twin))
            close([place])
        }
    }

    /// Whether two lines tell of one movement, as far as they say.
    func isTwin(_ place: Int, of other: Int) -> Bool {
        let (line, twin) = (lines[place], lines[other])
        guard line.header.kind == twin.header.kind, line.header.currency == twin.header.currency,
            line.header.trillionths == twin.header.trillionths
        else { return false }
        return line.bytes.equals(line.object, twin.bytes, twin.object)
            && line.bytes.equals(line.operation, twin.bytes, twin.operation)
    }

    /// Takes out lines of which we expect nothing, and that come to nothing: a refund and its failure.
    mutating func dropCanceled() {
        for kind in Expectation.Kind.allCases {
            let open = openLines(kind)
            guard open.count > 1, openExpectations(kind).isEmpty, let first = open.first,
                sum(lines: open, in: lines[first].header.currency) == 0
            else { continue }
            outcomes.append(.canceled(lines: open))
            close(open)
        }
    }
}
