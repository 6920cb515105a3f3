import StatementFiles

/// A statement of as many entries as are wanted, written piece by piece.
///
/// Entry n is a debit if n is divisible by three; its amount in cents is 100 + n modulo 99,900.
enum LongStatement: String, CaseIterable, Sendable {
    case camt053
    case mt940

    var reader: any BankReader {
        switch self {
        case .camt053: CamtReader()
        case .mt940: MTReader()
        }
    }

    /// What stands before the entries; the opening balance is zero.
    var start: [UInt8] {
        switch self {
        case .camt053:
            Array(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>
                <Stmt><Id>S</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>
                \(CamtText.balance("OPBD", "0.00"))

                """.utf8
            )
        case .mt940: Array(":20:LONG\n:25:DE02120300000000202051\n:28C:1/1\n:60F:C261120EUR0,00\n".utf8)
        }
    }

    func entries(_ rows: Range<Int>) -> [UInt8] {
        rows.reduce(into: []) { text, row in text += (self == .camt053 ? Self.camt(row) : Self.mt(row)).utf8 }
    }

    /// What stands behind the entries, with the closing balance that they come to.
    func end(_ count: Int) -> [UInt8] {
        let net = Self.credits(count) - Self.debits(count)
        let closing = Self.digits(net, mark: self == .camt053 ? "." : ",")
        return switch self {
        case .camt053: Array((CamtText.balance("CLBD", closing) + "</Stmt></BkToCstmrStmt></Document>").utf8)
        case .mt940: Array(":62F:C261120EUR\(closing)\n-\n".utf8)
        }
    }

    static func credits(_ count: Int) -> Int64 { (0..<count).reduce(0) { $0 + ($1 % 3 == 0 ? 0 : cents($1)) } }

    static func debits(_ count: Int) -> Int64 { (0..<count).reduce(0) { $0 + ($1 % 3 == 0 ? cents($1) : 0) } }

    private static func cents(_ row: Int) -> Int64 { Int64(100 + row % 99_900) }

    private static func digits(_ cents: Int64, mark: String) -> String {
        "\(cents / 100)\(mark)\(String(100 + cents % 100).dropFirst())"
    }

    private static func mt(_ row: Int) -> String {
        """
        :61:2611201120\(row % 3 == 0 ? "D" : "C")\(digits(cents(row), mark: ","))NTRFE2E-\(row)//BANK-\(row)
        :86:166?00GUTSCHRIFT?20EREF+E2E-\(row)?21SVWZ+Order \(row)?31DE89370400440532013000?32A. Buyer

        """
    }

    private static func camt(_ row: Int) -> String {
        """
        <Ntry>
            <Amt Ccy="EUR">\(digits(cents(row), mark: "."))</Amt>
            <CdtDbtInd>\(row % 3 == 0 ? "DBIT" : "CRDT")</CdtDbtInd>
            <Sts><Cd>BOOK</Cd></Sts>
            <BookgDt><Dt>2026-11-20</Dt></BookgDt>
            <ValDt><Dt>2026-11-20</Dt></ValDt>
            <AcctSvcrRef>BANK-\(row)</AcctSvcrRef>
            <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
            <NtryDtls>
                <TxDtls>
                    <Refs><EndToEndId>E2E-\(row)</EndToEndId><TxId>TX-\(row)</TxId></Refs>
                    <Amt Ccy="EUR">\(digits(cents(row), mark: "."))</Amt>
                    <CdtDbtInd>\(row % 3 == 0 ? "DBIT" : "CRDT")</CdtDbtInd>
                    <RltdPties>
                        <Dbtr><Pty><Nm>A. Buyer</Nm></Pty></Dbtr>
                        <DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
                    </RltdPties>
                    <RmtInf><Ustrd>Order \(row)</Ustrd></RmtInf>
                </TxDtls>
            </NtryDtls>
        </Ntry>

        """
    }
}
