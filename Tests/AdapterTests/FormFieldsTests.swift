import AdapterKit
import Testing
import WireFormats

@Suite("Form fields")
struct FormFieldsTests {
    @Test("keep their order and leave out what is absent")
    func order() {
        var fields = FormFields()
        fields.append("b", "2")
        fields.append("none", nil as String?)
        fields.append("a[x]", 1)
        fields.append("none", nil as Int64?)
        fields.append("c", true)
        #expect(fields.encoded == "b=2&a%5Bx%5D=1&c=true")
        #expect(fields.bytes == Array("b=2&a%5Bx%5D=1&c=true".utf8))
    }

    @Test(
        "escape everything that is not unreserved",
        arguments: [
            ("aZ09-._~", "aZ09-._~"), ("a b+c", "a%20b%2Bc"), ("&=?#/", "%26%3D%3F%23%2F"), ("é€", "%C3%A9%E2%82%AC"),
            ("\n\u{0}", "%0A%00"), ("", ""),
        ]
    )
    func escapes(text: String, encoded: String) {
        #expect(FormFields.percentEncoded(text) == encoded)
    }

    @Test("show no value in a description")
    func descriptions() {
        var fields = FormFields()
        fields.append("number", Sample.number)
        SecrecyTests.expectNoSecret(in: fields, "form fields")
        #expect(fields.description == "form of 23 bytes")
    }
}
