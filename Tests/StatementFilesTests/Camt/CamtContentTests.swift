import AdapterKit
import Domain
import StatementFiles
import Testing

@Suite("What camt files say")
struct CamtContentTests {
    @Test("of a message, a statement and its account")
    func head() throws {
        let reading = try BankReading(CamtReader(), Fixture.bytes("genkgo/camt052.v6.xml"))
        let head = try #require(reading.heads.first)
        #expect(head.kind == .report && head.number == 1 && head.line == 30)
        #expect(head.message == "AAAASESS-FP-ACCR001" && head.identifier == "AAAASESS-FP-ACCR001")
        #expect(head.messageCreatedOn == SettlementDate("2007-10-18T12:30:00+01:00"))
        #expect(head.electronicSequence == "12312" && head.legalSequence == "12312" && head.copyDuplicate == "CODU")
        #expect(head.page == 2 && head.isLastPage == true)
        #expect(head.from?.text == "2007-10-18T08:00:00+01:00" && head.to?.text == "2007-10-18T12:30:00+01:00")
        let account = BankAccount(
            identifier: "CH2801234000123456789",
            isIBAN: true,
            owner: "UNIFITS GmbH",
            servicer: "UBSWCHZH80A"
        )
        #expect(head.account == account)
        let end = try #require(reading.ends.first)
        #expect(end.additionalInformation == "Additional Information")
        #expect(end.balance(.interimBooked)?.amount.description == "10022.15 CHF")
        #expect(end.balance(.interimBooked)?.date?.text == "2020-04-04")
    }

    @Test("of every kind of balance")
    func balances() throws {
        let reading = try BankReading(CamtReader(), Fixture.bytes("genkgo/camt053.v2.all-balance-types.xml"))
        let balances = try #require(reading.ends.first).balances
        #expect(
            balances.map { "\($0.kind.rawValue) \($0.amount.decimal)" } == [
                "OPBD 1.01", "PRCD 2.02", "OPAV 3.03", "CLBD 4.04", "CLAV 5.05", "FWAV 6.06", "INFO 7.07", "ITAV 8.08",
                "ITBD 9.09", "XPCD 10.10",
            ]
        )
        #expect(balances.map(\.line).first == 32)
        let debit = try BankReading(CamtReader(), Fixture.bytes("genkgo/camt053.v8.xml"))
        #expect(debit.ends.first?.balance(.closingBooked)?.amount.description == "-27.00 SEK")
        #expect(debit.ends.first?.balance(.closingAvailable)?.amount.description == "-2700 JPY")
    }

    @Test("of a batch: what each transaction is, and that they do not add up")
    func batch() throws {
        let reading = try BankReading(CamtReader(), Fixture.bytes("genkgo/camt054.v4.xml"))
        let entry = try #require(reading.entries.first)
        #expect(entry.line == 63 && entry.summary == "2007-10-18 2007-10-18 -200000.00 SEK BOOK")
        #expect(entry.accountServicerReference == "ACSR160617103200001" && entry.additionalInformation == "Order")
        let code = BankTransactionCode(domain: "PMNT", family: "ICDT", subfamily: "DMCT", proprietary: "Z24")
        #expect(entry.bankTransactionCode == code)
        #expect(entry.batch?.count == 2 && entry.batch?.total?.description == "6.30 CHF")
        #expect(entry.batch?.creditDebit == .debit && entry.batch?.message == "UXC06170000006")
        #expect(entry.transactions.map(\.amount?.description) == ["3.10 CHF", "3.20 CHF", "3.20 CHF"])
        #expect(entry.transactions.map(\.creditDebit) == [.credit, .credit, .credit])
        #expect(entry.transactions.map(\.line) == [94, 179, 258])
        #expect(entry.transactionsDiscrepancy == nil)
        let last = try #require(entry.transactions.last)
        #expect(last.references.endToEnd == "UXC06170000006PI00001EE00002")
        #expect(last.references.instruction == "UXC06170000006PI00001II00002")
        #expect(last.references.paymentInformation == "UXC06170000006PI00001")
        #expect(last.remittance.count == 2 && last.remittance[1] == "Unstructured Remittance Information V3 block 2")
        #expect(last.creditorReferences == ["Ref number V3 block 1", "Ref number V3 block 2"])
        #expect(last.structuredInformation.count == 2)
        let creditor = BankParty(name: "Example Creditor 3 - V3", account: "CH7212345003232323232", agent: "BANKCHBE")
        #expect(last.creditor == creditor)
        #expect(entry.transactions[0].creditor?.agent == "100")
        #expect(last.debtor?.name == "UNIFITS GmbH")
        // The transaction says credit, whose other party is the debtor.
        #expect(entry.counterparty(of: last) == last.debtor)
    }

    @Test("of parties, charges and exchange in each version's way")
    func parties() throws {
        let eight = try BankReading(CamtReader(), Fixture.bytes("genkgo/camt053.v8.xml"))
        let entry = try #require(eight.entries.first)
        #expect(entry.bookedOn?.text == "2014-12-31T13:15:00+01:00" && entry.status == .booked)
        let transaction = try #require(entry.transactions.first)
        #expect(transaction.debtor == BankParty(name: "NAME NAME", account: "NL56AGDH9619008421"))
        #expect(transaction.references.others == [BankReference(type: "LegalSequenceNumber", value: "100")])
        #expect(transaction.creditorReferences == ["4654654654654654"])
        #expect(transaction.amount?.description == "0.00 SEK")
        let institution = try BankReading(
            CamtReader(),
            Fixture.bytes("genkgo/camt054.v8-with-financial-institution.xml")
        )
        #expect(institution.transactions.first?.creditor?.name == "Example Creditor 3 - V1")
        let uetr = try BankReading(CamtReader(), Fixture.bytes("genkgo/camt054.v8-with-UETR.xml"))
        #expect(uetr.transactions.first?.references.uetr == "255ae394-9965-4438-ac86-f406feada396")
        let ultimate = try BankReading(CamtReader(), Fixture.bytes("genkgo/camt053.v2.minimal.ultimate.xml"))
        #expect(ultimate.transactions.first?.ultimateDebtor == BankParty(name: "DEBTOR NAME NM"))
        #expect(ultimate.transactions.first?.ultimateCreditor == BankParty(name: "CREDITOR NAME NM"))
        let charged = try BankReading(CamtReader(), Fixture.bytes("genkgo/camt052.v6.Amt-zero.xml"))
        let charge = try #require(charged.entries.first?.charges.first)
        #expect(charge.amount.description == "0.00 CHF" && charge.creditDebit == .debit && charge.type == "32")
        #expect(charge.isIncluded == false)
        #expect(charged.transactions.first?.exchangeRate == "0.9253030601")
        #expect(charged.transactions.first?.instructedAmount?.description == "0.00 USD")
    }

    @Test("of version 1: the account and the batch stand elsewhere")
    func versionOne() throws {
        let reading = try BankReading(CamtReader(), Fixture.bytes("genkgo/camt052.v1.xml"))
        let account = try #require(reading.heads.first?.account)
        #expect(account.identifier == "CH2801234000123456789" && !account.isIBAN)
        #expect(account.owner == "FINPETROL" && account.servicer == "AAAA BANKEN")
        #expect(reading.entries.first?.batch?.count == 20)
        #expect(reading.entries.first?.batch?.message == "FINP-0055")
    }

    @Test("the same entry has the same fingerprint, another one has not")
    func fingerprint() throws {
        let text = try Fixture.text("genkgo/camt053.v2.minimal.xml")
        let original = try BankReading(camt: text).entries[0].fingerprint
        let moved = text.replacing("    ", with: "\t\r\n").replacing("<Stmt>", with: "<Stmt><!-- moved -->")
        #expect(try BankReading(camt: moved).entries[0].fingerprint == original)
        for (old, new) in [
            ("8.85", "8.86"), ("NAME NAME", "NAME NAMF"), ("2015-01-02", "2015-01-03"), ("CRDT", "DBIT"),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            #expect(try BankReading(camt: changed).entries[0].fingerprint != original)
        }
    }
}
