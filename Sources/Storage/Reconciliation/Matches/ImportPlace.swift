package import Domain

/// Where a row of an imported file stands.
package struct ImportPlace: Hashable, Sendable {
    /// The import.
    package let file: ImportID
    /// The member of an archive, from 0.
    package let member: Int
    /// The row, counted as its reader counts.
    package let row: Int

    /// Makes a place.
    package init(file: ImportID, member: Int = 0, row: Int) {
        self.file = file
        self.member = member
        self.row = row
    }
}
