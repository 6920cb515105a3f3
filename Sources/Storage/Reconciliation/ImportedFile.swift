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

/// An entry of a bank's statement, flat, as it is stored.
package struct ImportedBankEntry: Hashable, Sendable {
    /// The member of an archive, from 0.
    package var member: Int
    /// The entry, counted as its reader counts.
    package var row: Int
    /// 128 bits that tell it from entries of other contents.
    package var hash: [UInt8]
    /// The bank account, as the statement names it.
    package var account: String
    /// The amount: above zero for credits.
    package var amount: SettlementAmount
    /// When it was booked, `YYYY-MM-DD`.
    package var bookedOn: String?
    /// When it counts, `YYYY-MM-DD`.
    package var valuedOn: String?
    /// The reference that the payer gave it end to end.
    package var reference: String?
    /// The bank's own name of it.
    package var bankReference: String?
    /// What is written about it.
    package var details: String?

    /// Makes an entry.
    package init(
        member: Int = 0,
        row: Int,
        hash: [UInt8],
        account: String,
        amount: SettlementAmount,
        bookedOn: String? = nil,
        valuedOn: String? = nil,
        reference: String? = nil,
        bankReference: String? = nil,
        details: String? = nil
    ) {
        self.member = member
        self.row = row
        self.hash = hash
        self.account = account
        self.amount = amount
        self.bookedOn = bookedOn
        self.valuedOn = valuedOn
        self.reference = reference
        self.bankReference = bankReference
        self.details = details
    }
}
