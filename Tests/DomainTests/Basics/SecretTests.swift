import Domain
import Testing

@Suite("Secret")
struct SecretTests {
    private struct Holder {
        let name = "holder"
        let secret: Secret
        let maybe: Secret?
        let several: [Secret]
        let named: [String: Secret]
    }

    private let text = "sk_test_never-to-be-seen"

    @Test("gives its text to whoever asks for it by name, and to nobody else")
    func reveals() { #expect(Secret(text).reveal() == text) }

    @Test("compares by its text") func compares() {
        #expect(Secret(text) == Secret(text))
        #expect(Secret(text) != Secret(text + "x"))
        #expect(Set([Secret(text), Secret(text)]).count == 1)
    }

    @Test("shows a mask in every description of itself")
    func masksItself() {
        let secret = Secret(text)
        var dumped = ""
        dump(secret, to: &dumped)
        let shown = [
            secret.description, secret.debugDescription, String(describing: secret), String(reflecting: secret),
            "\(secret)", dumped, "\(Mirror(reflecting: secret))", "\(Mirror(reflecting: secret).children.map(\.value))",
        ]
        for description in shown { #expect(!description.contains("never")) }
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect("\(secret)" == "•••")
    }

    @Test("shows a mask inside of whatever holds it")
    func masksItselfInside() {
        let secret = Secret(text)
        let holder = Holder(secret: secret, maybe: secret, several: [secret], named: ["key": secret])
        var dumped = ""
        dump(holder, to: &dumped)
        let shown = [
            "\(holder)", String(reflecting: holder), String(describing: holder), dumped,
            "\(Optional(secret) as Any)", "\([secret])", String(reflecting: [secret: 1]), "\((secret, 1))",
            "\(Result<Secret, MoneyError>.success(secret))",
        ]
        for description in shown { #expect(!description.contains("never"), "\(description)") }
        #expect(dumped.contains("•••"))
    }
}
