import AdapterKit
import Domain
import Testing

@testable import Gateway

@Suite("A stored credential")
struct CredentialDocumentTests {
    private static let networkToken = Credential.networkToken(
        NetworkToken(
            number: Secret("4242424242424242"),
            expiryMonth: 12,
            expiryYear: 2030,
            cryptogram: Secret("AAAA"),
            eci: nil,
            source: .applePay
        )
    )

    @Test(
        "is read back as it was written",
        arguments: [
            .pspToken(Secret("pm_1")), .pspToken(Secret("pm_1"), customer: Secret("cus_1")), networkToken,
        ] as [Credential]
    )
    func roundTrip(credential: Credential) {
        let details = AuthorizationDetails(credential)
        #expect(AuthorizationDetails(document: details.document) == details)
    }

    @Test("of before tokens had customers is read as one without")
    func old() {
        let document = Array(#"{"kind":"psp_token","token":"pm_1"}"#.utf8)
        #expect(AuthorizationDetails(document: document) == AuthorizationDetails(.pspToken(Secret("pm_1"))))
        #expect(AuthorizationDetails(.pspToken(Secret("pm_1"))).document == document)
    }
}
