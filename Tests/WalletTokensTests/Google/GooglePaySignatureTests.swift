import Testing

@testable import WalletTokens

@Suite("The bytes that Google signs")
struct GooglePaySignatureTests {
    @Test("are each field after its length in 32 bits, least significant byte first")
    func layout() {
        let message = String(repeating: "é", count: 150)
        #expect(
            GooglePaySignature.signedBytes(["Google", "", message])
                == [6, 0, 0, 0] + Array("Google".utf8) + [0, 0, 0, 0] + [44, 1, 0, 0] + Array(message.utf8)
        )
    }
}
