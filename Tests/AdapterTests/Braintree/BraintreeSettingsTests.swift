import AdapterKit
import BraintreeAdapter
import Domain
import Testing

@Suite("Braintree's settings")
struct BraintreeSettingsTests {
    @Test("name a merchant account for each currency")
    func accounts() throws {
        let accounts = try #require(MerchantAccounts("USD=shop_usd,\n EUR = shop-eur "))
        #expect(accounts.account(for: try #require(Currency(code: "EUR"))) == "shop-eur")
        #expect(accounts.account(for: try #require(Currency(code: "GBP"))) == nil)
        #expect(accounts.contains("shop_usd") && !accounts.contains("USD") && !accounts.contains("sub_7"))
    }

    @Test(
        "are refused with merchant accounts of another form",
        arguments: [
            "", ",", "USD", "shop_usd", "USD=", "=shop", "USD=a=b", "USD=a,USD=b", "USD=a,", "ZZZ=a", "USD=a b",
        ]
    )
    func refused(text: String) throws {
        #expect(MerchantAccounts(text) == nil)
        var settings = try AdapterUnderTest.braintree.settings
        settings.credentials["merchant_accounts"] = Secret(text)
        #expect(throws: SettingsError.missingCredential("merchant_accounts")) {
            try BraintreeAdapter(settings: settings)
        }
    }

    @Test("are refused without a credential", arguments: ["public_key", "private_key", "merchant_accounts"])
    func missing(name: String) throws {
        var settings = try AdapterUnderTest.braintree.settings
        settings.credentials[name] = nil
        #expect(throws: SettingsError.missingCredential(name)) { try BraintreeAdapter(settings: settings) }
    }

    @Test(
        "are refused with a webhook secret that is no pair of keys",
        arguments: ["secret", "a|b|c", "|secret", "key|", "key|secret,other"]
    )
    func webhookSecrets(text: String) throws {
        var settings = try AdapterUnderTest.braintree.settings
        settings.credentials["webhook_secret"] = Secret(text)
        #expect(throws: SettingsError.missingCredential("webhook_secret")) { try BraintreeAdapter(settings: settings) }
    }

    @Test("promise no key, because Braintree offers its own to some accounts only")
    func capabilities() {
        let capabilities = BraintreeAdapter.capabilities
        #expect(capabilities.idempotency == .none)
        #expect(capabilities.inquiry == .byReference(visibilityDelayMilliseconds: 900_000))
        #expect(capabilities.credentials == [.pspToken, .networkToken])
        #expect(!capabilities.refundBeforeSettlement && !capabilities.multipleCapture && !capabilities.applicationFee)
    }
}
