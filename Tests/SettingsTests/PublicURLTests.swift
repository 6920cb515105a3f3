import Settings
import Testing

@Suite("A public URL")
struct PublicURLTests {
    @Test(
        "is a scheme and a host",
        arguments: [
            "https://pay.example", "http://127.0.0.1:8080", "https://[2001:db8::1]:443", "https://a.example/b/c",
        ]
    )
    func taken(text: String) { #expect(PublicURL(text)?.text == text) }

    @Test(
        "is nothing else",
        arguments: [
            "", "pay.example", "ftp://pay.example", "https://", "https:///path", "https://:443", "https://a b",
            "https://user@pay.example", "https://pay.example?x=1", "https://pay.example#x", "HTTPS://pay.example",
            "https://pay.ex\u{E4}mple",
        ]
    )
    func refused(text: String) { #expect(PublicURL(text) == nil) }
}
