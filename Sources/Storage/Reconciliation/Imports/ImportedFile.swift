package import Domain

/// A file of a PSP or bank that was taken in, or is being.
package struct ImportedFile: Hashable, Sendable {
    /// How far it has come.
    package enum State: String, Sendable {
        /// Its rows are being stored; nothing of it counts yet.
        case importing
        /// All of it counts.
        case done
        /// Another file took its place; nothing of it counts any more.
        case superseded
    }

    /// The PSP account that a settlement file is of.
    package struct Account: Hashable, Sendable {
        /// The PSP.
        package let psp: String
        /// The PSP account.
        package let name: String

        /// Names an account.
        package init(psp: String, name: String) {
            self.psp = psp
            self.name = name
        }
    }

    /// What the file itself says of its contents, which is known once all of it is read.
    package struct Contents: Hashable, Sendable {
        /// The statement or report, as its maker names it; nil if it has no name.
        package var document: String?
        /// How many rows it has, usable or not.
        package var rows: Int64
        /// How many of them could not be read.
        package var unusable: Int64
        /// The control totals, as JSON text.
        package var totals: String
        /// The first day it names, `YYYY-MM-DD`.
        package var firstDay: String?
        /// The last day it names.
        package var lastDay: String?

        /// Makes contents.
        package init(
            document: String? = nil,
            rows: Int64 = 0,
            unusable: Int64 = 0,
            totals: String = "[]",
            firstDay: String? = nil,
            lastDay: String? = nil
        ) {
            self.document = document
            self.rows = rows
            self.unusable = unusable
            self.totals = totals
            self.firstDay = firstDay
            self.lastDay = lastDay
        }
    }

    /// Its identifier.
    package let id: ImportID
    /// Whose books it is about.
    package let marketplace: String
    /// The SHA-256 of its bytes, 64 hexadecimal digits in lower case.
    package let sha256: String
    /// The name it had when it was handed in.
    package let name: String
    /// Its format.
    package let format: String
    /// The PSP account; nil for a bank's file.
    package let account: Account?
    /// Its length in bytes.
    package let size: Int64
    /// What it says of itself.
    package var contents: Contents
    /// How far it has come.
    package let state: State
    /// The file that took its place.
    package let supersededBy: ImportID?
    /// When it was begun.
    package let importedAt: Timestamp
    /// When it came to count.
    package let doneAt: Timestamp?

    /// Makes a file that is to be taken in.
    package init(
        id: ImportID,
        marketplace: String,
        sha256: String,
        name: String,
        format: String,
        account: Account?,
        size: Int64,
        contents: Contents = Contents(),
        importedAt: Timestamp
    ) {
        self.init(
            id: id,
            marketplace: marketplace,
            sha256: sha256,
            name: name,
            format: format,
            account: account,
            size: size,
            contents: contents,
            state: .importing,
            supersededBy: nil,
            importedAt: importedAt,
            doneAt: nil
        )
    }

    /// Makes a file as it is stored.
    init(
        id: ImportID,
        marketplace: String,
        sha256: String,
        name: String,
        format: String,
        account: Account?,
        size: Int64,
        contents: Contents,
        state: State,
        supersededBy: ImportID?,
        importedAt: Timestamp,
        doneAt: Timestamp?
    ) {
        self.id = id
        self.marketplace = marketplace
        self.sha256 = sha256
        self.name = name
        self.format = format
        self.account = account
        self.size = size
        self.contents = contents
        self.state = state
        self.supersededBy = supersededBy
        self.importedAt = importedAt
        self.doneAt = doneAt
    }
}
