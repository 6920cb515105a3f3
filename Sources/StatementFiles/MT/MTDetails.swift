/// Reads `:86:`, which has three dialects: subfields after a sign, codes between slashes, and free text.
struct MTDetails {
    private let lines: [[UInt8]]

    init(_ lines: [[UInt8]]) { self.lines = lines }

    /// The transaction that they describe; nil if they say nothing.
    ///
    /// The original is which way the money moved, or, of a reversal, the money that is taken back.
    func transaction(line: Int, original: CreditDebit) -> BankTransaction? {
        var transaction = BankTransaction(line: line)
        var party = BankParty()
        let text = MTText.trimmed(joined[...])
        if let subfields = MTSubfields(text) {
            subfields.read(into: &transaction, &party)
        } else if MTSlashCodes.begins(text) {
            MTSlashCodes(text).read(into: &transaction, &party)
        } else {
            transaction.remittance = lines.compactMap { MTText.optional($0[...]) }
        }
        if !party.isEmpty {
            if original == .credit { transaction.debtor = party } else { transaction.creditor = party }
        }
        return transaction == BankTransaction(line: line) ? nil : transaction
    }

    private var joined: [UInt8] {
        // Where every line but the first ends in a space, the spaces are the bank's and not the text's.
        let isPadded = lines.dropFirst().allSatisfy { $0.last == 0x20 }
        return lines.reduce(into: []) { text, line in
            var line = line[...]
            while isPadded, line.last == 0x20 { line.removeLast() }
            text += line
        }
    }
}

/// The subfields ?20 to ?29 and ?60 to ?63: one text, in which SEPA's fields begin with four letters and `+`.
struct MTPurpose {
    private static let tags: Set<String> = [
        "EREF", "KREF", "MREF", "CRED", "DEBT", "COAM", "OAMT", "SVWZ", "ABWA", "ABWE", "IBAN", "BIC", "PURP",
    ]

    private var texts: [(tag: String?, text: [UInt8])] = []

    init(_ subfields: [ArraySlice<UInt8>]) {
        for subfield in subfields {
            var rest = subfield
            // A field begins where a subfield does, or behind a space in it.
            while let start = Self.nextTag(rest, isStart: rest.startIndex == subfield.startIndex) {
                append(rest[..<start.index])
                texts.append((start.tag, []))
                rest = rest[(start.index + start.tag.utf8.count + 1)...]
            }
            append(rest)
        }
    }

    func read(into transaction: inout BankTransaction, _ party: inout BankParty) {
        for (tag, bytes) in texts {
            guard let text = MTText.optional(bytes[...]) else { continue }
            switch tag {
            case "EREF": transaction.references.endToEnd = text == "NOTPROVIDED" ? nil : text
            case "KREF": transaction.references.instruction = text
            case "MREF": transaction.references.mandate = text
            case "CRED": transaction.references.creditorScheme = text
            case "ABWA": transaction.ultimateDebtor = BankParty(name: text)
            case "ABWE": transaction.ultimateCreditor = BankParty(name: text)
            case "IBAN": party.account = party.account ?? text
            case "BIC": party.agent = party.agent ?? text
            case "PURP": transaction.purpose = text
            case "SVWZ", nil: transaction.remittance.append(text)
            case .some(let other):
                transaction.references.others.append(BankReference(type: other, value: text))
            }
        }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        if texts.isEmpty { texts.append((nil, [])) }
        texts[texts.count - 1].text += bytes
    }

    private static func nextTag(_ bytes: ArraySlice<UInt8>, isStart: Bool) -> (index: Int, tag: String)? {
        for plus in bytes.indices where bytes[plus] == UInt8(ascii: "+") {
            let letters = bytes[..<plus].suffix(4)
            for tag in [letters, letters.suffix(3)] {
                let isAtStart = tag.startIndex == bytes.startIndex && isStart
                guard isAtStart || tag.startIndex > bytes.startIndex && bytes[tag.startIndex - 1] == 0x20 else {
                    continue
                }
                let text = String(decoding: tag, as: UTF8.self)
                if tags.contains(text) { return (tag.startIndex, text) }
            }
        }
        return nil
    }
}

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

/// `:86:` as German, Austrian and Polish banks write it: three digits, then `?` and two digits before each subfield.
///
/// The sign may be another one. The numbers are those of the Deutsche Kreditwirtschaft's DFÜ agreement, annex 3.
struct MTSubfields {
    /// The three digits: the kind of transaction (Geschäftsvorfallcode).
    private let code: ArraySlice<UInt8>
    private let fields: [(number: Int, text: ArraySlice<UInt8>)]

    /// Divides the text; nil if it is not of this form.
    init?(_ text: ArraySlice<UInt8>) {
        let code = text.prefix(3)
        let rest = text.dropFirst(3)
        guard code.count == 3, Digits.number(code) != nil, let sign = rest.first, Self.isSign(sign) else { return nil }
        let starts = rest.indices.filter { index in
            rest[index] == sign && index + 2 < rest.endIndex && Digits.number(rest[index + 1...index + 2]) != nil
        }
        guard starts.first == rest.startIndex else { return nil }
        let ends = starts.dropFirst() + [rest.endIndex]
        self.code = code
        fields = zip(starts, ends).map { start, end in
            (Digits.number(rest[start + 1...start + 2]) ?? 0, rest[start + 3..<end])
        }
    }

    func read(into transaction: inout BankTransaction, _ party: inout BankParty) {
        transaction.bankTransactionCode = BankTransactionCode(proprietary: MTText.string(code), issuer: "DK")
        var purpose: [ArraySlice<UInt8>] = []
        var name: [UInt8] = []
        for field in fields {
            switch field.number {
            case 0: transaction.additionalInformation = MTText.optional(field.text)
            case 20...29, 60...63: purpose.append(field.text)
            case 30: party.agent = MTText.optional(field.text)
            case 31: party.account = party.account ?? MTText.optional(field.text)
            case 32, 33: name += field.text
            case 38: party.account = MTText.optional(field.text)
            default: break
            }
        }
        party.name = MTText.optional(name[...])
        MTPurpose(purpose).read(into: &transaction, &party)
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !Digits.isDigit(byte) && byte != UInt8(ascii: "/")
            && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
    }
}
