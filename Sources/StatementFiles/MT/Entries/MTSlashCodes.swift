/// `:86:` as Dutch and many other banks write it: `/EREF/…/NAME/…/REMI/…`.
struct MTSlashCodes {
    private static let codes: Set<String> = [
        "TRTP", "TRCD", "PREF", "EREF", "IREF", "MARF", "MREF", "CSID", "CRED", "IBAN", "BIC", "NAME", "CNTP", "ORDP",
        "BENM", "ULTD", "ULTB", "ULTC", "REMI", "ISDT", "RTRN", "PURP", "ADDR", "ID", "SVCL", "CHGS", "OCMT", "EXCH",
    ]

    private var values: [(code: String, text: ArraySlice<UInt8>)] = []

    /// Whether the text begins with a code.
    static func begins(_ text: ArraySlice<UInt8>) -> Bool { code(text, at: text.startIndex) != nil }

    init(_ text: ArraySlice<UInt8>) {
        var current: (code: String, start: Int)?
        for index in text.indices where text[index] == UInt8(ascii: "/") {
            guard let code = Self.code(text, at: index), current.map({ $0.start <= index + 1 }) ?? true else {
                continue
            }
            if let current { values.append((current.code, text[min(current.start, index)..<index])) }
            current = (code, index + code.utf8.count + 2)
        }
        if let current { values.append((current.code, text[min(current.start, text.endIndex)...])) }
    }

    func read(into transaction: inout BankTransaction, _ party: inout BankParty) {
        var role = "CNTP"
        for (code, bytes) in values {
            if ["ORDP", "BENM", "ULTD", "ULTB", "ULTC", "CNTP"].contains(code) { role = code }
            guard let text = Self.text(bytes) else { continue }
            switch code {
            case "EREF": transaction.references.endToEnd = text == "NOTPROVIDED" ? nil : text
            case "PREF": transaction.references.paymentInformation = text
            case "IREF": transaction.references.instruction = text
            case "MARF", "MREF": transaction.references.mandate = text
            case "CSID", "CRED": transaction.references.creditorScheme = text
            case "IBAN": party.account = text
            case "BIC": party.agent = text
            case "NAME", "ULTD", "ULTB", "ULTC": Self.set(text, role, &transaction, &party)
            case "CNTP": Self.readCounterparty(text, &party)
            case "REMI": Self.readRemittance(text, &transaction)
            case "RTRN": transaction.returnReason = text
            case "PURP": transaction.purpose = text
            case "TRTP": transaction.additionalInformation = text
            default: transaction.references.others.append(BankReference(type: code, value: text))
            }
        }
    }

    private static func set(
        _ name: String,
        _ role: String,
        _ transaction: inout BankTransaction,
        _ party: inout BankParty
    ) {
        switch role {
        case "ULTD": transaction.ultimateDebtor = BankParty(name: name)
        case "ULTB", "ULTC": transaction.ultimateCreditor = BankParty(name: name)
        default: party.name = name
        }
    }

    /// Account, BIC and name, with slashes between them.
    private static func readCounterparty(_ text: String, _ party: inout BankParty) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { $0.isEmpty ? nil : String($0) }
        party.account = parts.first.flatMap { $0 }
        party.agent = parts.count > 1 ? parts[1] : nil
        party.name = parts.count > 2 ? parts[2] : nil
    }

    /// `USTD//text`, `STRD/CUR/reference`, or text.
    private static func readRemittance(_ text: String, _ transaction: inout BankTransaction) {
        if text.hasPrefix("USTD//") {
            transaction.remittance.append(String(text.dropFirst(6)))
        } else if text.hasPrefix("STRD/") {
            let reference = text.dropFirst(5).split(separator: "/", maxSplits: 1).last
            if let reference { transaction.creditorReferences.append(String(reference)) }
        } else {
            transaction.remittance.append(text)
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        var bytes = bytes
        while let last = bytes.last, last == UInt8(ascii: "/") || last == 0x20 { bytes.removeLast() }
        return MTText.optional(bytes.drop { $0 == UInt8(ascii: "/") })
    }

    /// The code between slashes that begins here.
    private static func code(_ text: ArraySlice<UInt8>, at index: Int) -> String? {
        guard index < text.endIndex, text[index] == UInt8(ascii: "/") else { return nil }
        let letters = text[(index + 1)...].prefix(5).prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        guard (2...4).contains(letters.count), letters.endIndex < text.endIndex,
            text[letters.endIndex] == UInt8(ascii: "/")
        else { return nil }
        let code = String(decoding: letters, as: UTF8.self)
        return codes.contains(code) ? code : nil
    }
}
