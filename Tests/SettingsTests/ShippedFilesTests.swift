import Domain
import Foundation
import Reconciliation
import Settings
import StatementFiles
import Storage
import Testing

@Suite("Shipped files")
struct ShippedFilesTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Config")

    private let surroundings = Surroundings(environment: [:]) { path in
        (try? Data(contentsOf: URL(filePath: path))).map { Array($0) }
    }

    @Test("the default file says what the defaults in code say, and names the keyring's variable")
    func defaultFile() throws {
        let path = Self.folder.appending(path: "tributary.yaml").path()
        var settings = try ServerSettings.load(path: path, isRequired: true, surroundings: surroundings)
        #expect(settings.keyring?.keys == ["k1": .variable("TRIBUTARY_KEY")])
        settings.keyring = nil
        #expect(settings == ServerSettings())
    }

    @Test("the rules of reconciliation say what the defaults in code say, also with the examples in them")
    func reconciliationFile() throws {
        let path = Self.folder.appending(path: "reconciliation.yaml").path()
        let settings = try ReconciliationSettings.load(path: path, isRequired: true, surroundings: surroundings)
        #expect(settings == ReconciliationSettings())
        let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        let open = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("#  ") ? $0.dropFirst() : $0 == "# bank_tables:" ? $0.dropFirst(2) : $0 }
        let all = try ReconciliationSettings.parse(open.joined(separator: "\n"), file: "all.yaml")
        #expect(all.bankTables.map(\.name) == ["my-bank"])
        #expect(all.bankTables.first?.columns.remittance == [.name("Verwendungszweck")])
        let adyen = all.rules.terms(for: PSPAccountName(psp: "adyen", account: "any"))
        #expect(
            adyen.fee
                == FeeSchedule(
                    basisPoints: 290,
                    fixed: [try #require(Currency(code: "USD")): 30],
                    toleranceMinorUnits: 1
                )
        )
    }

    @Test("the example marketplace can be applied as it is")
    func exampleFile() throws {
        let path = Self.folder.appending(path: "marketplace.example.yaml").path()
        let declaration = try Declaration.load(path: path, surroundings: surroundings)
        #expect(declaration.marketplace.id == "travel")
        #expect(declaration.marketplace.callback?.secret == .variable("TRAVEL_WEBHOOK_SECRET"))
        #expect(declaration.pspAccounts.map(\.id) == ["stripe-main", "sim-a"])
        #expect(declaration.merchants.map(\.externalIdentifier) == ["airline-1", "hotel-7", "travel"])
        let airline = try #require(declaration.merchants.first)
        #expect(airline.commission == CommissionRule(basisPoints: 1000, fixed: ["USD": 30, "EUR": 25]))
        #expect(declaration.commissionWarnings == [])
        #expect(airline.routes.map(\.settlesTo) == [.merchant, .marketplace])
        #expect(declaration.merchants.last?.kind == .marketplace)
    }

    @Test("the example's wallets can be switched on")
    func exampleCertificates() throws {
        let path = Self.folder.appending(path: "marketplace.example.yaml").path()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let head = try #require(text.range(of: "# apple_pay:"))
        let switchedOn = text[..<head.lowerBound] + ("\n" + text[head.lowerBound...]).replacing("\n# ", with: "\n")
        let declaration = try Declaration.parse(String(switchedOn), file: "m.yaml")
        let apple = try #require(declaration.applePay)
        #expect(apple.processingCertificates.count == 1)
        #expect(apple.environment == .production)
        #expect(apple.signingTimeWindow == 300_000)
        #expect(apple.merchantIdentity != nil)
        #expect(apple.domainAssociation != nil)
        #expect(declaration.googlePay?.recipient == "merchant:12345678901234567890")
        #expect(declaration.googlePay?.gatewayMerchantID == "travel")
    }
}
