package import AdapterKit

/// What is known of a file once it was read.
package struct ReconciledInput: Hashable, Sendable {
    /// What the lines of one currency come to.
    package struct Sum: Hashable, Sendable {
        /// The sum of what raised the balance.
        package var credits: SettlementAmount
        /// The sum of what lowered it, itself not above zero.
        package var debits: SettlementAmount
    }

    /// Something that a person should know of how the file was read.
    package struct Note: Hashable, Sendable {
        /// What it is about, for programs.
        package let code: String
        /// How often it occurs.
        package var count: Int
        /// The line of the first; of the archive's file ``member``, if it is one.
        package let firstLine: Int
        /// The name of the archive's file that has the first.
        package let member: String?
        /// A sentence.
        package let text: String
    }

    /// Its path, as it was named.
    package var path: String
    /// SHA-256 of its bytes.
    package var sha256: String
    /// How many bytes it has.
    package var byteCount: Int64
    /// The formats of what is in it, in its order, each once.
    package var formats: [String] = []
    /// The PSP account whose report it is; nil for a bank's file.
    package var account: PSPAccountName?
    /// How many rows it has, usable or not.
    package var rows = 0
    /// How many of them could not be read.
    package var unusableRows = 0
    /// What its lines come to, in the order of the currencies' codes.
    package var sums: [Sum] = []
    /// How many figures it states that its own rows do not come to.
    package var disagreements = 0
    /// What a person should know of how it was read, each kind once.
    package var notes: [Note] = []
    /// Whether it was taken in before, so that nothing of it was read again.
    package var isKnown = false

    init(path: String, sha256: String, byteCount: Int64) {
        self.path = path
        self.sha256 = sha256
        self.byteCount = byteCount
    }
}
