import Testing

@testable import HTTPAPI

@Suite("The URL a PSP may have signed")
struct WebhookAddressTests {
    @Test("is the public one if there is one, else the host's")
    func url() {
        let path = "/v1/psp/square/sq-main/webhooks?a=b"
        let known = WebhookAddress(publicURL: "http://127.0.0.1:8080/t")
        #expect(known.url(authority: "inner:1", path: path) == "http://127.0.0.1:8080/t" + path)
        let unknown = WebhookAddress(publicURL: nil)
        #expect(unknown.url(authority: "pay.example", path: path) == "https://pay.example" + path)
        #expect(unknown.url(authority: nil, path: path) == "https://" + path)
    }
}
