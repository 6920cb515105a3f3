import AdapterKit
import Domain
import Testing

@Suite("The mode of an account by its host")
struct AccountModeTests {
    private static let bases: [(url: String, mode: MarketplaceMode?)] = [
        ("https://test.psp.example", .test), ("https://eu.test.psp.example/v1", .test), ("https://psp.example", .live),
        ("https://second.example", .live), ("https://eu.second.example/", .live), ("HTTPS://PSP.Example", .live),
        ("https://test.psp.example.", .test), ("https://psp.example./v1", .live), ("https://psp.example..", nil),
        ("https://psp.example:443", .live), ("https://psp.example.:443/", .live), ("https://psp.example?a", .live),
        ("https://psp.example#a", .live), ("https://test.psp.example?.psp.example", .test),
        ("https://ada:secret@test.psp.example", .test), ("https://psp.example@test.psp.example:443/", .test),
        ("https://psp.example:1@other.example", nil), ("https://other.example/@psp.example", nil),
        ("https://other.example?.psp.example", nil), ("https://other.example#.psp.example", nil),
        ("https://mypsp.example", nil), ("http://psp.example", nil), ("https://", nil), ("", nil),
    ]

    @Test("is read off the host alone, whatever stands around it", arguments: bases)
    func hosts(url: String, mode: MarketplaceMode?) {
        let settings = AdapterSettings(account: "m/main", baseURL: url, credentials: [:])
        #expect(settings.mode(test: "test.psp.example", live: "psp.example", "second.example") == mode)
    }

    @Test(
        "may be the end of a host's first label",
        arguments: [
            ("https://checkout-test.adyen.com./", MarketplaceMode.test), ("https://a-live.adyenpayments.com", .live),
            ("https://a-live.adyenpayments.com.evil.example", nil),
        ]
    )
    func suffix(url: String, mode: MarketplaceMode?) {
        let settings = AdapterSettings(account: "m/main", baseURL: url, credentials: [:])
        #expect(settings.mode(test: "-test.adyen.com", live: "-live.adyenpayments.com") == mode)
    }
}
