import AdapterKit
import AdyenAdapter
import Domain
import StrictJSON
import Testing

@Suite("Adyen's splits")
struct AdyenSplitTests {
    static let operations = [SampleOperation.authorize, .capture, .refund]

    static func call(
        _ operation: SampleOperation,
        account: String?,
        fee: Int64?,
        amount: Int64 = 10_000,
        currency: String = "USD"
    ) throws -> Call {
        try Sample.call(
            operation,
            credential: Sample.credential(.encryptedApplePay),
            reference: operation == .authorize ? nil : AdyenSample.payment,
            amount: amount,
            currency: currency,
            merchantAccount: account,
            applicationFee: fee
        )
    }

    static func share(_ type: String, _ account: String?, _ value: Int64) -> JSON {
        .object(omittingAbsent: [
            "type": .string(type), "account": account.map(JSON.string), "amount": ["value": .integer(value)],
            "reference": .string("op_01ka524mnpzx45hy43kwjrp1xp.\(type)"),
        ])
    }

    @Test("give the merchant's balance account what is left of the fee, at each step", arguments: operations)
    func fee(operation: SampleOperation) throws {
        let body = try AdyenRequestTests.body(Self.call(operation, account: AdyenSample.balanceAccount, fee: 500))
        let merchant = Self.share("BalanceAccount", AdyenSample.balanceAccount, 9500)
        #expect(body["splits"] == [merchant, Self.share("Commission", nil, 500)])
        #expect(body["store"] == nil)
    }

    @Test("give the merchant everything if there is no fee", arguments: operations, [nil, 0] as [Int64?])
    func withoutFee(operation: SampleOperation, fee: Int64?) throws {
        let body = try AdyenRequestTests.body(Self.call(operation, account: AdyenSample.balanceAccount, fee: fee))
        #expect(body["splits"] == [Self.share("BalanceAccount", AdyenSample.balanceAccount, 10_000)])
    }

    @Test("give the platform everything if the fee is everything", arguments: operations)
    func wholeFee(operation: SampleOperation) throws {
        let body = try AdyenRequestTests.body(Self.call(operation, account: AdyenSample.balanceAccount, fee: 10_000))
        #expect(body["splits"] == [Self.share("Commission", nil, 10_000)])
    }

    @Test("are refused for a fee above the amount, or below zero", arguments: operations, [10_001, -1] as [Int64])
    func tooMuch(operation: SampleOperation, fee: Int64) throws {
        let call = try Self.call(operation, account: AdyenSample.balanceAccount, fee: fee)
        #expect(try AdyenRequestTests.rejection(call).reason == .unsupported)
    }

    @Test("are counted in Adyen's unit, or refused")
    func units() throws {
        let call = try Self.call(.capture, account: AdyenSample.balanceAccount, fee: 30, amount: 1000, currency: "CLP")
        let body = try AdyenRequestTests.body(call)
        #expect(body["amount"] == ["value": 100_000, "currency": "CLP"])
        let merchant = Self.share("BalanceAccount", AdyenSample.balanceAccount, 97_000)
        #expect(body["splits"] == [merchant, Self.share("Commission", nil, 3000)])
        let odd = try Self.call(.capture, account: AdyenSample.balanceAccount, fee: 50, amount: 1000, currency: "IDR")
        #expect(try AdyenRequestTests.rejection(odd).code == "splits")
    }

    @Test("are left out where the platform is paid, which owes the merchant", arguments: operations)
    func platform(operation: SampleOperation) throws {
        var call = try Self.call(operation, account: AdyenSample.balanceAccount, fee: nil)
        call.settlesToMerchant = false
        #expect(try AdyenRequestTests.body(call)["splits"] == nil)
        let own = try Self.call(operation, account: nil, fee: 500)
        #expect(try AdyenRequestTests.body(own)["splits"] == nil)
    }

    @Test("name the store of a merchant that has one, where Adyen takes it")
    func store() throws {
        let account = "\(AdyenSample.balanceAccount)/harbour_7-b"
        for operation in Self.operations {
            let body = try AdyenRequestTests.body(Self.call(operation, account: account, fee: nil))
            #expect(body["store"] == (operation == .capture ? nil : "harbour_7-b"))
            #expect(body["splits"]?[0]?["account"]?.stringValue == AdyenSample.balanceAccount)
            let reference = try #require(body["reference"]?.stringValue)
            #expect(reference.hasSuffix(".\(account)") && reference.utf8.count <= 80)
            #expect(MerchantReference(reference)?.merchantAccount == account)
        }
    }

    @Test(
        "need a balance account",
        arguments: [
            "", "BA", "AH123", "BA1/", "BA1/a b", "BA1/a/b", "BA1:2", "BA-1", "/BA1",
            "BA1/" + String(repeating: "s", count: 46),
        ]
    )
    func malformedAccounts(account: String) throws {
        let rejection = try AdyenRequestTests.rejection(try Self.call(.authorize, account: account, fee: nil))
        #expect(rejection.reason == .configuration && rejection.code == "merchant_account")
    }

    @Test("fit the longest account into a reference of 80 characters")
    func longestAccount() throws {
        let account = "BA1/" + String(repeating: "s", count: 45)
        let body = try AdyenRequestTests.body(try Self.call(.authorize, account: account, fee: nil))
        #expect(body["reference"]?.stringValue?.utf8.count == 80)
    }
}
