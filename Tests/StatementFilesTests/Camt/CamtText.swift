/// A small camt.053 to be changed.
enum CamtText {
    static let namespace = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"

    /// An entry with its obligatory elements.
    static func entry(
        _ amount: String,
        _ direction: String = "CRDT",
        currency: String = "EUR",
        more: String = ""
    ) -> String {
        """
        <Ntry><Amt Ccy="\(currency)">\(amount)</Amt><CdtDbtInd>\(direction)</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>\
        <BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-21</Dt></ValDt>\(more)</Ntry>

        """
    }

    /// A balance.
    static func balance(_ code: String, _ amount: String, _ direction: String = "CRDT") -> String {
        """
        <Bal><Tp><CdOrPrtry><Cd>\(code)</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">\(amount)</Amt>\
        <CdtDbtInd>\(direction)</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>
        """
    }

    /// A message with one statement.
    static func message(_ content: String, namespace: String = namespace, prolog: String = "") -> String {
        """
        <?xml version="1.0"?>\(prolog)
        <Document xmlns="\(namespace)"><BkToCstmrStmt><GrpHdr><MsgId>M-1</MsgId></GrpHdr>
        <Stmt><Id>S-1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>
        \(content)</Stmt></BkToCstmrStmt></Document>
        """
    }
}
