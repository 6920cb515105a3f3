import AdapterKit
import Domain
import StatementFiles
import Testing

@Suite("Camt files as banks write them")
struct CamtWritingTests {
    private static let plain = CamtText.message(CamtText.entry("12.30", more: "<AddtlNtryInf>Zürich</AddtlNtryInf>"))

    @Test("with a prefix, in an envelope, or several in one")
    func envelopes() throws {
        let expected = try BankReading(camt: Self.plain)
        #expect(expected.entries.first?.additionalInformation == "Zürich")
        let names = [
            "Document", "BkToCstmrStmt", "GrpHdr", "MsgId", "Stmt", "Id", "Acct", "IBAN", "Ccy", "Ntry", "Amt",
        ]
        let more = ["CdtDbtInd", "Sts", "Cd", "BookgDt", "Dt", "ValDt", "AddtlNtryInf"]
        var prefixed = Self.plain.replacing("xmlns=", with: "xmlns:n=")
        for name in names + more {
            for end in [">", " "] {
                prefixed = prefixed.replacing("<\(name)\(end)", with: "<n:\(name)\(end)")
            }
            prefixed = prefixed.replacing("</\(name)>", with: "</n:\(name)>")
        }
        #expect(prefixed.contains("</n:Document>") && !prefixed.contains("<Ntry"))
        #expect(try BankReading(camt: prefixed) == expected)
        let body = Self.plain.dropFirst("<?xml version=\"1.0\"?>".count)
        let envelope =
            "<Env xmlns=\"urn:e\"><AppHdr xmlns=\"urn:iso:std:iso:20022:tech:xsd:head.001.001.02\"><Fr/></AppHdr>"
        let enclosed = try BankReading(camt: envelope + body + "</Env>")
        #expect(enclosed.entries.map(\.fingerprint) == expected.entries.map(\.fingerprint))
        let two = try BankReading(camt: envelope + body + body + "</Env>")
        #expect(two.heads.map(\.number) == [1, 2] && two.trailer.booked.summary == "EUR 24.60 0.00")
    }

    @Test("in UTF-16 of either order and in ISO-8859-1")
    func encodings() throws {
        let expected = try BankReading(camt: Self.plain)
        let little = Self.plain.utf16.reduce(into: [UInt8]([0xFF, 0xFE])) { $0 += [UInt8($1 & 0xFF), UInt8($1 >> 8)] }
        let big = Self.plain.utf16.reduce(into: [UInt8]([0xFE, 0xFF])) { $0 += [UInt8($1 >> 8), UInt8($1 & 0xFF)] }
        let declared = Self.plain.replacing("\"1.0\"?>", with: "\"1.0\" encoding=\"ISO-8859-1\"?>")
        let latin = declared.unicodeScalars.map { UInt8($0.value) }
        let marked = [0xEF, 0xBB, 0xBF] + Array(Self.plain.utf8)
        for bytes in [little, big, latin, marked] {
            #expect(try BankReading(CamtReader(), bytes) { 3 } == expected)
        }
    }

    @Test("with elements of other namespaces, comments, CDATA and line ends in them")
    func decoration() throws {
        let expected = try BankReading(camt: Self.plain)
        let foreign = "<Amt xmlns=\"urn:x\" Ccy=\"USD\">9</Amt><SplmtryData><Envlp><Amt>8</Amt></Envlp></SplmtryData>"
        let text = Self.plain.replacing("<Sts>", with: foreign + "<!-- <Sts> --><Sts>")
            .replacing("Zürich", with: "\n <![CDATA[Zü]]>rich&#x20;\r\n")
        #expect(try BankReading(camt: text).entries.map(\.fingerprint) == expected.entries.map(\.fingerprint))
    }

    @Test("with an entry of more transactions than are kept: it is unusable, and the rest is read")
    func transactionLimit() throws {
        let transactions = { (count: Int) in
            "<NtryDtls>" + String(repeating: "<TxDtls><Refs><TxId>T</TxId></Refs></TxDtls>", count: count)
                + "</NtryDtls>"
        }
        let most = CamtText.entry("1.00", more: transactions(BankEntry.transactionLimit))
        let more = CamtText.entry("1.00", more: transactions(BankEntry.transactionLimit + 1))
        let reading = try BankReading(camt: CamtText.message(most + more + CamtText.entry("2.00")))
        #expect(reading.entries.map(\.transactions.count) == [BankEntry.transactionLimit, 0])
        #expect(reading.trailer.unusable == [UnusableEntry(line: 5, problem: .tooManyTransactions)])
    }

    @Test("with reversals: the indicator says which way the money went, the other party is the original's")
    func reversal() throws {
        let parties =
            "<RvslInd>true</RvslInd><NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Buyer</Nm></Dbtr><Cdtr><Nm>We</Nm></Cdtr>"
            + "</RltdPties></TxDtls></NtryDtls>"
        let entry = try #require(
            try BankReading(camt: CamtText.message(CamtText.entry("5.00", "DBIT", more: parties))).entries.first
        )
        #expect(entry.isReversal && entry.signedAmount.description == "-5.00 EUR")
        let transaction = try #require(entry.transactions.first)
        #expect(entry.counterparty(of: transaction)?.name == "Buyer")
    }
}
