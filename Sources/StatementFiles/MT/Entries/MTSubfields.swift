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
