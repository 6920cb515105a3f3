import AdapterKit
import Crypto
import Domain
import Storage

/// A line as it is read and as it is stored.
extension ImportedLine {
    /// The line of a file's member as it is stored.
    init(_ line: SettlementLine, member: Int) {
        let kind = ImportedLine.Kind(rawValue: line.kind.rawValue) ?? .other
        self.init(member: member, row: line.row, hash: [], kind: kind, type: line.type)
        account = line.account
        submerchant = line.submerchant
        reference = line.reference
        attempt = line.attempt
        operation = line.operation
        paymentReference = line.paymentReference
        objectReference = line.objectReference
        entryReference = line.entryReference
        batch = line.batch
        presentment = line.presentment.flatMap(ExactAmount.init)
        gross = line.gross.flatMap(ExactAmount.init)
        fee = line.fee.flatMap(ExactAmount.init)
        net = line.net.flatMap(ExactAmount.init)
        exchangeRate = line.exchangeRate
        occurredOn = line.occurredOn?.text
        bookedOn = line.bookedOn?.text
        paidOn = line.paidOn?.text
        day = line.occurredOn?.day ?? line.bookedOn?.day ?? line.paidOn?.day
        hash = RowHash.of(texts)
    }

    /// Everything that the file says, for the hash.
    private var texts: [String?] {
        [
            kind.rawValue, type, account, submerchant, reference, paymentReference, objectReference, entryReference,
            batch, presentment?.text, gross?.text, fee?.text, net?.text, exchangeRate, occurredOn, bookedOn, paidOn,
        ]
    }

    /// The line as it was read.
    var settlementLine: SettlementLine {
        var line = SettlementLine(row: row, kind: SettlementKind(rawValue: kind.rawValue) ?? .other, type: type)
        line.account = account
        line.submerchant = submerchant
        line.reference = reference
        line.attempt = attempt
        line.operation = operation
        line.paymentReference = paymentReference
        line.objectReference = objectReference
        line.entryReference = entryReference
        line.batch = batch
        line.presentment = presentment.flatMap(SettlementAmount.init)
        line.gross = gross.flatMap(SettlementAmount.init)
        line.fee = fee.flatMap(SettlementAmount.init)
        line.net = net.flatMap(SettlementAmount.init)
        line.exchangeRate = exchangeRate
        line.occurredOn = occurredOn.map { SettlementDate($0) }
        line.bookedOn = bookedOn.map { SettlementDate($0) }
        line.paidOn = paidOn.map { SettlementDate($0) }
        return line
    }
}

extension ExactAmount {
    /// The same amount; nil never, for both have at most twelve decimals.
    init?(_ amount: SettlementAmount) {
        self.init(currency: amount.currency, units: amount.units, decimals: amount.decimals)
    }
}

extension SettlementAmount {
    /// The same amount; nil never.
    init?(_ amount: ExactAmount) {
        try? self.init(decimal: Array(amount.decimal.utf8)[...], currency: amount.currency)
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
