/// Where a line of an imported file stands.
package struct LinePlace: Hashable, Sendable, Comparable {
    /// The SHA-256 of the file as it was handed in, 64 hexadecimal digits in lower case.
    package let file: String
    /// The member of an archive, from 0; 0 for a plain file.
    package let member: Int
    /// The row, counted as its reader counts.
    package let row: Int

    /// Makes a place.
    package init(file: String, member: Int = 0, row: Int) {
        self.file = file
        self.member = member
        self.row = row
    }

    /// By file, then member, then row.
    package static func < (left: LinePlace, right: LinePlace) -> Bool {
        (left.file, left.member, left.row) < (right.file, right.member, right.row)
    }
}
