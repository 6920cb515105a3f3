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
