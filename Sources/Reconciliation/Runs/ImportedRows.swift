import Crypto
import Domain
import StatementFiles
import Storage

/// A line as it is read and as it is stored.
extension ImportedLine {
    /// The line of a file's member as it is stored.
    init(_ line: SettlementLine, member: Int) { self.init(member: member, hash: RowHash.of(line.words), line: line) }
}

extension SettlementLine {
    /// Everything that the file says, for the hash.
    fileprivate var words: [String?] {
        [
            kind.rawValue, type, account, submerchant, reference, paymentReference, objectReference, entryReference,
            batch, presentment?.description, gross?.description, fee?.description, net?.description, exchangeRate,
            occurredOn?.text, bookedOn?.text, paidOn?.text,
        ]
    }
}

/// 128 bits that tell a row from rows of other contents: the first half of a SHA-256.
enum RowHash {
    static func of(_ texts: [String?]) -> [UInt8] {
        var bytes: [UInt8] = []
        for text in texts {
            bytes.append(text == nil ? 0 : 1)
            bytes += (text ?? "").utf8
            bytes.append(0xFF)
        }
        return Array(SHA256.hash(data: bytes).prefix(16))
    }
}

/// A bank's entry as it is read, stored and compared.
extension ImportedBankEntry {
    /// The most characters of what a bank writes that are kept.
    private static let detailsLimit = 2_000

    /// The entry as it is stored, under its number in the file; nil if it names no account.
    init?(_ entry: BankEntry, number: Int, member: Int, account: String?) {
        guard let account = entry.account ?? account else { return nil }
        let texts = entry.ownReferences.dropFirst() + entry.texts
        self.init(
            member: member,
            row: number,
            hash: entry.fingerprint.bytes,
            account: account,
            amount: entry.signedAmount,
            bookedOn: entry.bookedOn?.day,
            valuedOn: entry.valueOn?.day,
            reference: entry.ownReferences.first,
            bankReference: entry.accountServicerReference ?? entry.entryReference,
            details: String(texts.joined(separator: "\n").prefix(Self.detailsLimit))
        )
    }

    /// The entry as it is compared; nil if it has no day, or a part of a minor unit.
    func movement(in file: String) -> BankMovement? {
        guard let amount = amount.minorUnits, let day = (bookedOn ?? valuedOn).flatMap({ CalendarDay($0) }) else {
            return nil
        }
        var movement = BankMovement(
            place: LinePlace(file: file, member: member, row: row),
            account: account,
            currency: self.amount.currency,
            amount: amount,
            day: day,
            references: [reference, bankReference].compactMap(\.self),
            text: details ?? ""
        )
        (movement.payerReference, movement.bankReference, movement.hash) = (reference, bankReference, hash)
        return movement
    }
}

extension BankEntry {
    /// The names that whoever ordered it gave it, the end-to-end reference first.
    fileprivate var ownReferences: [String] {
        let names = transactions.flatMap { transaction in
            let all = transaction.references
            return [
                all.endToEnd, all.instruction, all.transaction, all.paymentInformation, all.message, all.uetr,
            ].compactMap(\.self) + all.others.map(\.value) + transaction.creditorReferences
                + transaction.documentNumbers
        }
        return names + [ownerReference].compactMap(\.self)
    }

    /// What else is written about it.
    fileprivate var texts: [String] {
        let own = transactions.flatMap { $0.remittance + $0.structuredInformation + [$0.additionalInformation ?? ""] }
        return (own + [additionalInformation ?? ""]).filter { !$0.isEmpty }
    }
}

extension UInt128 {
    /// The sixteen bytes, the most significant first.
    fileprivate var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: self >> UInt128(120 - 8 * $0)) } }
}
