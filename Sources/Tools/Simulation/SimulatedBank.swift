import Domain

/// The marketplace's bank: it books what PSPs pay out, and tells it in statements.
struct SimulatedBank: Sendable {
    /// Something that was booked.
    struct Entry: Sendable {
        /// Credited if above zero, in minor units.
        var amount: Int64
        /// What it is called, end to end: at most 16 letters and digits.
        let reference: String
    }

    /// The currency of the account.
    let currency: Currency
    /// Whether it writes MT940; camt.053 if not.
    let writesMT: Bool
    /// What the account holds, in minor units.
    private(set) var balance: Int64 = 0
    /// How many statements there were.
    private(set) var statements = 0
    private var lastDay: CalendarDay

    /// Opens an empty account.
    init(_ currency: Currency, writesMT: Bool, on day: CalendarDay) {
        (self.currency, self.writesMT, lastDay) = (currency, writesMT, day)
    }

    /// Books entries on a day, and writes the statement of all that was booked since the last one.
    mutating func statement(of entries: [Entry], on day: CalendarDay) -> [UInt8] {
        let (opening, first) = (balance, lastDay)
        balance += entries.reduce(0) { $0 + $1.amount }
        statements += 1
        lastDay = day
        let text = writesMT ? swift(entries, first, opening, day) : camt(entries, first, opening, day)
        return Array(text.utf8)
    }

    private func swift(_ entries: [Entry], _ first: CalendarDay, _ opening: Int64, _ day: CalendarDay) -> String {
        func mark(_ amount: Int64) -> String { amount < 0 ? "D" : "C" }
        func money(_ amount: Int64) -> String {
            let text = decimal(amount)
            return text.contains(".") ? text.replacing(".", with: ",") : text + ","
        }
        func short(_ day: CalendarDay) -> String { String(day.description.dropFirst(2).replacing("-", with: "")) }
        let lines = entries.map { entry in
            ":61:\(short(day))\(mark(entry.amount))\(money(entry.amount))NTRF\(entry.reference)\n"
        }
        return ":20:STATEMENT\(statements)\n:25:DE0012345678\n:28C:\(statements)/1\n"
            + ":60F:\(mark(opening))\(short(first))\(currency.code)\(money(opening))\n" + lines.joined()
            + ":62F:\(mark(balance))\(short(day))\(currency.code)\(money(balance))\n-\n"
    }

    private func camt(_ entries: [Entry], _ first: CalendarDay, _ opening: Int64, _ day: CalendarDay) -> String {
        func money(_ amount: Int64) -> String {
            "<Amt Ccy=\"\(currency.code)\">\(decimal(amount))</Amt><CdtDbtInd>\(amount < 0 ? "DBIT" : "CRDT")</CdtDbtInd>"
        }
        func held(_ code: String, _ amount: Int64, _ day: CalendarDay) -> String {
            "<Bal><Tp><CdOrPrtry><Cd>\(code)</Cd></CdOrPrtry></Tp>\(money(amount))<Dt><Dt>\(day)</Dt></Dt></Bal>"
        }
        let booked = entries.map { entry in
            """
            <Ntry>\(money(entry.amount))<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>\(day)</Dt></BookgDt>\
            <ValDt><Dt>\(day)</Dt></ValDt><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd>\
            <NtryDtls><TxDtls><Refs><EndToEndId>\(entry.reference)</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>
            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
            <GrpHdr><MsgId>M\(statements)</MsgId><CreDtTm>\(day)T23:00:00Z</CreDtTm></GrpHdr>
            <Stmt><Id>S\(statements)</Id><ElctrncSeqNb>\(statements)</ElctrncSeqNb><CreDtTm>\(day)T23:00:00Z</CreDtTm>
            <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>\(currency.code)</Ccy></Acct>
            \(held("OPBD", opening, first))\(held("CLBD", balance, day))
            \(booked.joined(separator: "\n"))
            </Stmt></BkToCstmrStmt></Document>

            """
    }

    /// An amount without its sign, in major units.
    private func decimal(_ amount: Int64) -> String {
        let (digits, exponent) = (String(amount.magnitude), currency.exponent)
        guard exponent > 0 else { return digits }
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.utf8.count)) + digits
        return "\(padded.dropLast(exponent)).\(padded.suffix(exponent))"
    }
}
