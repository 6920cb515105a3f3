import AdapterKit
import Domain
import StatementFiles
import Testing

@Suite("What MT940 files say")
struct MTContentTests {
    private static func entries(_ file: String) throws -> [BankEntry] {
        try BankReading(MTReader(), Fixture.bytes(file)).entries
    }

    @Test("of a German bank: subfields, wrapped lines and SEPA's fields")
    func german() throws {
        let entries = try Self.entries("cmxl/mt940.sta")
        let salary = try #require(entries.dropFirst().first)
        #expect(salary.summary == "2002-11-02 2002-11-02 3000.00 EUR BOOK")
        #expect(salary.ownerReference == nil && salary.accountServicerReference == "55555")
        #expect(salary.bankTransactionCode == BankTransactionCode(proprietary: "NTRF", issuer: "SWIFT"))
        let transaction = try #require(salary.transactions.first)
        #expect(transaction.bankTransactionCode?.proprietary == "051")
        #expect(transaction.additionalInformation == "UEBERWEISUNG")
        #expect(transaction.remittance == ["Gehalt OktoberFirmaMustermannGmbH"])
        #expect(transaction.debtor == BankParty(name: "MUELLER", account: "0847564700", agent: "50060400"))
        #expect(salary.counterparty(of: transaction) == transaction.debtor)
        let message = """
            :20:D\n:25:DE02120300000000202051\n:28C:1\n:60F:C140901EUR10,
            \(try Fixture.text("cmxl/statement_details.sta"))
            :62F:C140901EUR8,38\n-\n
            """
        let debit = try #require(try BankReading(mt: message).entries.first)
        #expect(debit.ownerReference == "0000549855700010" && debit.accountServicerReference == "025498557/000001")
        #expect(debit.summary == "2014-09-02 2014-09-01 -1.62 EUR BOOK")
        let sepa = try #require(debit.transactions.first)
        #expect(sepa.references.endToEnd == "TRX-0A4A47C3-F846-4729-8A1B-5DF620F")
        #expect(sepa.references.mandate == "CAC97D2144174318AC18D9BF815BD4FB")
        #expect(sepa.references.creditorScheme == "DE98ZZZ09999999999")
        #expect(sepa.remittance == ["FOO TRX-0A4A47C3-F846-4729-8A1B-5DF620F"])
        #expect(
            sepa.creditor == BankParty(name: "Peter Pan", account: "HUkkbbbsssskcccccccccccccccx", agent: "HYVEDEMMXXX")
        )
    }

    @Test("of a Polish bank: an account in ?38, spaces behind each line, and letters that are not SWIFT's")
    func polish() throws {
        let entries = try Self.entries("cmxl/mt940.sta")
        let card = try #require(entries.dropFirst(2).first)
        #expect(card.summary == "2003-10-20 2003-10-20 20000.00 PLN BOOK")
        #expect(card.additionalInformation == "Card transaction")
        let transaction = try #require(card.transactions.first)
        #expect(transaction.debtor?.account == "PL08106000760000777777777777")
        // The space behind UL is one that the bank wraps with, as far as can be told.
        #expect(transaction.debtor?.name == "HUTA SZKLA TOPIC ULPRZEMYSLOWA 67 32-669 WROCLAW")
        #expect(transaction.remittance.first?.contains("FAKTURA 333/2003.") == true)
        #expect(entries[3].ownerReference == "REF 25611247")
        #expect(entries[4].transactions.first?.additionalInformation == "Uznanie kwotą odsetek")
    }

    @Test("of Dutch banks: codes between slashes, names behind references, several :86: and marks of their own")
    func dutch() throws {
        let iban = try Self.entries("jejik/rabobank-iban.sta")
        #expect(iban[0].ownerReference == "EREF" && iban[0].additionalInformation == "NL70ABNA0987654321")
        #expect(iban[0].transactions.first?.references.endToEnd == "01-01-2013 12:00 0030000987654321")
        #expect(iban[0].transactions.first?.creditor?.name == "CONTRA ACCOUNT HOLDER")
        #expect(iban[1].transactions.first?.remittance == ["Reference 201301234"])
        #expect(iban[0].bookedOn == nil && iban[0].valueOn?.text == "2013-01-01")
        let old = try Self.entries("jejik/rabobank.sta")
        #expect(old[0].ownerReference == "0121470966" && old[0].additionalInformation == "W.P. Jansen")
        #expect(old[0].transactions.first?.remittance.count == 4)
        #expect(old[0].transactions.first?.remittance.last == "20095731")
        let triodos = try Self.entries("jejik/triodos.sta")
        let party = try #require(triodos[0].transactions.first?.creditor)
        #expect(party.account == "0390123456")
        let text = triodos[0].transactions.first?.remittance
        #expect(text == ["ALGEMENE TUSSENREKENING KOSTEN VAN 01-10-2010 TOT EN MET 31-12-2010"])
        let knab = try Self.entries("jejik/knab.sta")
        #expect(knab[2].ownerReference == "29-07-2014 10:05" && knab[2].amount.description == "500.00 EUR")
        let ing = try BankReading(MTReader(), Fixture.bytes("jejik/ing.sta"))
        #expect(ing.entries[2].ownerReference == "TMG TANGO")
        #expect(ing.entries[0].transactions.first?.remittance.count == 3)
        #expect(ing.ends.first?.additionalInformation == "D000004C000002D25,24C28,71")
    }

    @Test("of accounts, numbers and pages")
    func heads() throws {
        let heads = try BankReading(MTReader(), Fixture.bytes("jejik/postfinance.sta")).heads
        #expect(heads.map(\.electronicSequence) == ["999", "999"] && heads.map(\.page) == [1, 2])
        #expect(heads.map(\.identifier) == ["2014040708285927", "2014040708285928"])
        #expect(heads.map(\.line) == [1, 15] && heads.allSatisfy { $0.kind == .statement })
        let iban = try #require(try BankReading(MTReader(), Fixture.bytes("jejik/rabobank-iban.sta")).heads.first)
        // Its check digits are wrong.
        #expect(iban.account == BankAccount(identifier: "NL71RABO0123456789", isIBAN: false))
        let legacy = try #require(try BankReading(MTReader(), Fixture.bytes("jejik/rabobank.sta")).heads.first?.account)
        #expect(legacy.identifier == "1291.99.348" && legacy.currency?.code == "EUR" && !legacy.isIBAN)
        let german = try BankReading(MTReader(), Fixture.bytes("cmxl/mt940.sta")).heads
        #expect(german[1].relatedReference == "9876543210" && german[1].account?.identifier == "10020030/1234567")
    }

    @Test("of which statement it is: two weeks under one :20: and :28C: are two, and a correction is the same")
    func names() throws {
        let account = "DE02120300000000202051"
        #expect(
            try BankReading(MTReader(), Fixture.bytes("jejik/rabobank-iban.sta")).names == [
                "NL71RABO0123456789/940S130101/0//2013-01-01/2013-01-08",
                "NL71RABO0123456789/940S130101/0//2013-01-08/2013-01-15",
            ]
        )
        let lines = [(":61:261120C5,NTRFA", "C261120EUR105,00"), (":61:261120C6,NTRFA", "C261120EUR106,00")]
        for (line, closing) in lines {
            let reading = try BankReading(mt: MTMessageText.statement(line, closing: closing))
            #expect(reading.names == ["\(account)/REF-1/7/1/2026-11-20/2026-11-20"])
        }
        let report = try BankReading(mt: MTMessageText.report)
        #expect(report.names == ["\(account)/INTRADAY/1/1/2026-11-20T10:30:00+01:00"])
        // A camt statement has an Id of its own.
        #expect(try BankReading(camt: CamtText.message(CamtText.entry("1.00"))).names == ["\(account)/S-1//"])
    }
}
