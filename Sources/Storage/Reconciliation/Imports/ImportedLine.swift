package import Domain

/// A line of a settlement file as it is stored: with its member of an archive and its hash.
@dynamicMemberLookup
package struct ImportedLine: Hashable, Sendable {
    /// The member of an archive, from 0.
    package var member: Int
    /// 128 bits that tell it from lines of other contents.
    package var hash: [UInt8]
    /// What the file says.
    package var line: SettlementLine

    /// Makes a line of a file's member.
    package init(member: Int = 0, hash: [UInt8], line: SettlementLine) {
        self.member = member
        self.hash = hash
        self.line = line
    }

    /// Makes a line of which nothing but its place, hash and kind is known.
    package init(member: Int = 0, row: Int, hash: [UInt8], kind: SettlementKind, type: String) {
        self.init(member: member, hash: hash, line: SettlementLine(row: row, kind: kind, type: type))
    }

    /// What the file says.
    package subscript<Value>(dynamicMember path: WritableKeyPath<SettlementLine, Value>) -> Value {
        get { line[keyPath: path] }
        set { line[keyPath: path] = newValue }
    }

    /// What follows from what the file says.
    package subscript<Value>(dynamicMember path: KeyPath<SettlementLine, Value>) -> Value { line[keyPath: path] }

    /// The day it counts for, `YYYY-MM-DD`.
    var day: String? { line.occurredOn?.day ?? line.bookedOn?.day ?? line.paidOn?.day }
}
