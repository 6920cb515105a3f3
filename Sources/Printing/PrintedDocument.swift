/// A document for print, whatever it becomes: a page of HTML or a PDF.
///
/// Texts may come from outside; whoever writes them escapes them.
package struct PrintedDocument: Hashable, Sendable {
    /// A part of a document.
    package enum Block: Hashable, Sendable {
        /// A heading above what follows.
        case heading(String)
        /// Parties side by side, each with what it is and its lines.
        case parties([Party])
        /// What is known, name by name.
        case facts([Fact])
        /// A table.
        case table(Table)
        /// A sentence or a few.
        case note(String)
    }

    /// Somebody whom a document is from, for or about.
    package struct Party: Hashable, Sendable {
        /// What it is.
        package let role: String
        /// Its name, its address and what else there is.
        package let lines: [String]

        /// Makes a party.
        package init(role: String, lines: [String]) {
            self.role = role
            self.lines = lines
        }
    }

    /// A name and a value.
    package struct Fact: Hashable, Sendable {
        /// What it is called.
        package let name: String
        /// What it is.
        package let value: String

        /// Makes a fact.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Rows under columns.
    package struct Table: Hashable, Sendable {
        /// A column.
        package struct Column: Hashable, Sendable {
            /// What stands above it.
            package let title: String
            /// How wide it is beside the others.
            package let weight: Double
            /// Whether it has numbers, which end at its right edge.
            package let isNumeric: Bool

            /// Makes a column.
            package init(_ title: String, weight: Double = 1, isNumeric: Bool = false) {
                self.title = title
                self.weight = weight
                self.isNumeric = isNumeric
            }
        }

        /// A row of as many cells as there are columns.
        package struct Row: Hashable, Sendable {
            /// The cells.
            package let cells: [String]
            /// Whether it is a sum or a balance.
            package let isSum: Bool

            /// Makes a row.
            package init(_ cells: [String], isSum: Bool = false) {
                self.cells = cells
                self.isSum = isSum
            }
        }

        /// The columns.
        package let columns: [Column]
        /// The rows.
        package let rows: [Row]

        /// Makes a table.
        ///
        /// - Precondition: every row has as many cells as there are columns.
        package init(columns: [Column], rows: [Row]) {
            precondition(rows.allSatisfy { $0.cells.count == columns.count }, "a row has a cell for each column")
            self.columns = columns
            self.rows = rows
        }
    }

    /// What it is called.
    package let title: String
    /// When it was made, as RFC 3339 writes it.
    package let created: String
    /// Its parts, from the top.
    package let blocks: [Block]

    /// Makes a document.
    package init(title: String, created: String, blocks: [Block]) {
        self.title = title
        self.created = created
        self.blocks = blocks
    }
}
