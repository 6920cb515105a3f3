import Testing
import TributaryTestKit

@testable import WalletTokens

@Suite("Base64")
struct StrictBase64Tests {
    @Test(
        "is read as RFC 4648 writes its examples",
        arguments: zip(
            ["f", "fo", "foo", "foob", "fooba", "foobar"],
            [
                "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
            ]
        )
    )
    func examples(text: String, encoded: String) {
        #expect(StrictBase64.bytes(encoded) == Array(text.utf8))
    }

    @Test("of every byte and of every length reads back")
    func everyByte() {
        for length in 1...257 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) }
            #expect(StrictBase64.bytes(GooglePaySender.base64(bytes)) == bytes)
        }
    }

    @Test(
        "in any other form is refused",
        arguments: [
            "", "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "====", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm-_", "Z=g=",
            "Zm9vÄ===",
        ]
    )
    func others(_ text: String) {
        #expect(StrictBase64.bytes(text) == nil)
    }
}
