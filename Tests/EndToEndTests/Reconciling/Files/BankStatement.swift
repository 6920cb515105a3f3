/// A bank's statement of October 2025 over a dollar account, in either of two formats.
struct BankStatement: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case mt940, camt053
    }

    struct Entry: Sendable {
        /// Credited if above zero, in cents.
        var amount: Int64
        var reference: String
        /// `2025-10-31`.
        var day = SettledBooks.lastDay
    }

    var entries: [Entry]

    /// What arrived of the payouts of reports.
    init(paying reports: [PSPReport]) {
        entries = reports.filter { $0.paidOut != 0 }.map { Entry(amount: $0.paidOut, reference: $0.psp.payout) }
    }

    private var balance: Int64 { entries.reduce(0) { $0 + $1.amount } }

    /// The file.
    func text(_ format: Format) -> String { format == .mt940 ? swift : camt }

    private var swift: String {
        func money(_ amount: Int64) -> String { abs(amount).dollars.replacing(".", with: ",") }
        func mark(_ amount: Int64) -> String { amount < 0 ? "D" : "C" }
        func short(_ day: String) -> String { String(day.dropFirst(2).replacing("-", with: "")) }
        let end = short(SettledBooks.lastDay)
        let lines = entries.map { entry in
            ":61:\(short(entry.day))\(mark(entry.amount))\(money(entry.amount))NTRF\(entry.reference)\n"
        }
        return ":20:OCTOBER\n:25:DE0012345678\n:28C:10/1\n:60F:C251001USD0,00\n" + lines.joined()
            + ":62F:\(mark(balance))\(end)USD\(money(balance))\n-\n"
    }

    private var camt: String {
        func amount(_ amount: Int64) -> String {
            "<Amt Ccy=\"USD\">\(abs(amount).dollars)</Amt><CdtDbtInd>\(amount < 0 ? "DBIT" : "CRDT")</CdtDbtInd>"
        }
        func balance(_ code: String, _ cents: Int64, _ day: String) -> String {
            "<Bal><Tp><CdOrPrtry><Cd>\(code)</Cd></CdOrPrtry></Tp>\(amount(cents))<Dt><Dt>\(day)</Dt></Dt></Bal>"
        }
        let entries = entries.map { entry in
            """
            <Ntry>\(amount(entry.amount))<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>\(entry.day)</Dt></BookgDt>\
            <ValDt><Dt>\(entry.day)</Dt></ValDt><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd>\
            <NtryDtls><TxDtls><Refs><EndToEndId>\(entry.reference)</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>
            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
            <GrpHdr><MsgId>M10</MsgId><CreDtTm>\(SettledBooks.lastDay)T23:00:00Z</CreDtTm></GrpHdr>
            <Stmt><Id>S10</Id><ElctrncSeqNb>10</ElctrncSeqNb><CreDtTm>\(SettledBooks.lastDay)T23:00:00Z</CreDtTm>
            <Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>USD</Ccy></Acct>
            \(balance("OPBD", 0, "2025-10-01"))\(balance("CLBD", self.balance, SettledBooks.lastDay))
            \(entries.joined(separator: "\n"))
            </Stmt></BkToCstmrStmt></Document>

            """
    }
}
