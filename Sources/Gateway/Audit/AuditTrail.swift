package import SQL
package import Storage
import StrictJSON

/// The audit trail of a marketplace as it is read: verified, and exported.
package struct AuditTrail: Sendable {
    /// How many entries are read at once.
    private static let pageSize = 500

    /// Where a chain is not what it was.
    package enum Finding: Hashable, Sendable, CustomStringConvertible {
        /// There is no entry with the number, and there is one behind it.
        case missing(Int64)
        /// The entry's hash is not the one of what it says behind the entry before.
        case changed(Int64, id: String)
        /// The chain does not have the head that somebody has written down: the hash at its number is another, or nil if
        /// the chain ends before it.
        case lost(AuditHead, found: String?)

        /// In a sentence.
        package var description: String {
            switch self {
            case .missing(let number): "there is no entry \(number), though there are later ones"
            case .changed(let number, let id): "the entry \(number) (\(id)) or its hash was changed"
            case .lost(let head, let found?): "the entry \(head.number) has the hash \(found), not \(head.hash)"
            case .lost(let head, nil): "the chain ends before the entry \(head.number), which it has had"
            }
        }
    }

    /// What a verification came to.
    package struct Verification: Hashable, Sendable {
        /// How many sealed entries there are.
        package internal(set) var count: Int64 = 0
        /// How far the chain is.
        package internal(set) var head = AuditHead.empty
        /// What is wrong, the first places only.
        package internal(set) var findings: [Finding] = []
        /// What is not sealed yet.
        package internal(set) var unsealed: AuditTrailTable.Unsealed
    }

    /// The most findings that are told.
    package static let findingLimit = 100

    private let database: any Database
    private let marketplace: String

    /// The trail of a marketplace.
    package init(of marketplace: String, in database: any Database) {
        self.database = database
        self.marketplace = marketplace
    }

    /// Goes through the whole chain, and holds every entry to the one before.
    ///
    /// - Parameter heads: heads of the chain that somebody has written down, each of which it has to have.
    /// - Returns: what was found.
    /// - Throws: `SQLError`, or `CancellationError`.
    package func verify(having heads: [AuditHead] = []) async throws -> Verification {
        var result = Verification(
            unsealed: try await database.read { [marketplace] session in
                try AuditTrailTable.unsealed(of: marketplace, in: session)
            }
        )
        var wanted: [Int64: Set<String>] = [:]
        for head in heads { wanted[head.number, default: []].insert(head.hash) }
        func compare(_ place: AuditHead) {
            for hash in wanted.removeValue(forKey: place.number) ?? [] where hash != place.hash {
                result.add(.lost(AuditHead(number: place.number, hash: hash), found: place.hash))
            }
        }
        compare(.empty)
        try await forEach { entry, seal in
            let place = AuditHead(seal)
            if seal.number > result.head.number + 1 { result.add(.missing(result.head.number + 1)) }
            let hash = AuditHash.hash(entry.canonicalText, number: seal.number, after: result.head.hash)
            if seal.number == result.head.number + 1, seal.hash != hash {
                result.add(.changed(seal.number, id: entry.id))
            }
            compare(place)
            result.count += 1
            // From here on by what stands there, so that one change is found once.
            result.head = place
        }
        for (number, hashes) in wanted.sorted(by: { $0.key < $1.key }) {
            for hash in hashes.sorted() { result.add(.lost(AuditHead(number: number, hash: hash), found: nil)) }
        }
        return result
    }

    /// Hands out the chain from the first entry on, a line of JSON for each: `{"number":…,"previous":…,"hash":…,"entry":…}`,
    /// where `entry` is the canonical text that the hash is over.
    ///
    /// - Returns: the head of what was handed out.
    /// - Throws: `SQLError`, `CancellationError`, and what `write` throws.
    package func export(_ write: (_ line: String) throws -> Void) async throws -> AuditHead {
        var head = AuditHead.empty
        try await forEach { entry, seal in
            let line: JSON = [
                "number": .integer(seal.number), "previous": .string(head.hash), "hash": .string(seal.hash),
                "entry": .string(entry.canonicalText),
            ]
            try write(line.text)
            head = AuditHead(seal)
        }
        return head
    }

    /// Goes through the chain in pages, so that memory does not grow with it.
    private func forEach(_ body: (AuditTrailTable.Entry, AuditTrailTable.Seal) throws -> Void) async throws {
        var last: Int64 = 0
        while true {
            try Task.checkCancellation()
            let page = try await database.read { [marketplace, last] session in
                try AuditTrailTable.chain(of: marketplace, after: last, limit: Self.pageSize, in: session)
            }
            for entry in page {
                guard let seal = entry.seal else { continue }
                try body(entry, seal)
                last = seal.number
            }
            if page.count < Self.pageSize { return }
        }
    }
}

extension AuditTrail.Verification {
    /// Keeps a finding, unless there are many already.
    fileprivate mutating func add(_ finding: AuditTrail.Finding) {
        if findings.count < AuditTrail.findingLimit { findings.append(finding) }
    }
}

/// Reads an export again, line by line, and holds it to itself.
package struct AuditExportReader: Sendable {
    /// How far it is.
    package private(set) var head = AuditHead.empty

    /// Reads from the first line on.
    package init() {}

    /// Takes the next line; false if it is no line of an export, or does not follow the one before.
    package mutating func take(_ line: [UInt8]) -> Bool {
        guard case .object(let members)? = try? JSON.parse(line) else { return false }
        let fields = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        guard case .integer(let number)? = fields["number"], case .string(let hash)? = fields["hash"],
            case .string(let entry)? = fields["entry"], number == head.number + 1,
            hash == AuditHash.hash(entry, number: number, after: head.hash)
        else { return false }
        head = AuditHead(number: number, hash: hash)
        return true
    }
}
