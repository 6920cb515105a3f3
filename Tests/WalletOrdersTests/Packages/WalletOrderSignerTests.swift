import Domain
import OpenSSLCMS
import Testing
import WalletOrders
import WalletTwins

@Suite("What signs packages")
struct WalletOrderSignerTests {
    private static let day: Int64 = 86_400_000

    @Test("The issuer is found among all that are configured, wherever it stands")
    func issuer() throws {
        let keys = try TestPackage.keys.get()
        let others = try (0..<2).map { _ in
            try OrderTypeKeys(orderTypeIdentifier: "order.other", notBefore: TestOrder.placedAt)
        }
        let decoys = try others.map { try $0.authority.certificate.pem() }
        let own = try keys.authority.certificate.pem()
        for intermediates in [[own] + decoys, decoys + [own], [decoys[0] + own + decoys[1]]] {
            let signer = try WalletOrderSigner(
                certificate: keys.orderType.certificate.pem(),
                key: keys.orderType.key.pem(),
                intermediates: intermediates
            )
            let package = try WalletOrderPackage(WalletOrderDocument(TestOrder.full()), images: TestPackage.images)
            #expect(try TestPackage.verdict(package.archive(signedBy: signer, at: TestPackage.moment)).holds)
        }
        // They have the same name, and other keys.
        #expect(
            refusal(certificate: try keys.orderType.certificate.pem(), key: try keys.orderType.key.pem(), decoys)
                == "no_issuer"
        )
    }

    @Test("What cannot be used is refused by its reason")
    func unusable() throws {
        let keys = try TestPackage.keys.get()
        let other = try keys.sibling("order.com.example.other")
        let (certificate, key) = (try keys.orderType.certificate.pem(), try keys.orderType.key.pem())
        let authority = [try keys.authority.certificate.pem()]
        #expect(refusal(certificate: [], key: key, authority) == "unreadable_certificate")
        #expect(refusal(certificate: certificate, key: certificate, authority) == "unreadable_key")
        #expect(refusal(certificate: certificate, key: try other.orderType.key.pem(), authority) == "key_mismatch")
        #expect(refusal(certificate: certificate, key: key, [[1, 2, 3]]) == "unreadable_intermediate")
        #expect(refusal(certificate: certificate, key: key, []) == "no_issuer")
    }

    private func refusal(certificate: [UInt8], key: [UInt8], _ intermediates: [[UInt8]]) -> String? {
        do {
            _ = try WalletOrderSigner(certificate: certificate, key: key, intermediates: intermediates)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "A certificate is warned of 30 days before it ends, and refused from its end on",
        arguments: [
            (-1, "not_yet_valid", true), (0, nil, false), (334, nil, false), (335, "expires_soon", false),
            (364, "expires_soon", false), (365, "expired", true),
        ] as [(Int64, String?, Bool)]
    )
    func validity(day: Int64, code: String?, isError: Bool) throws {
        let signer = try TestPackage.signer()
        let moment = signer.notBefore.adding(milliseconds: day * Self.day)
        let findings = signer.findings(orderTypeIdentifier: "order.com.example.travel", at: moment)
        #expect(findings.map(\.code) == (code.map { [$0] } ?? []))
        #expect(findings.allSatisfy { $0.isError == isError })
        #expect(signer.isValid(at: moment) == !isError)
    }

    @Test("A certificate of another order type is an error")
    func orderType() throws {
        let signer = try TestPackage.signer()
        let findings = signer.findings(orderTypeIdentifier: "order.com.example.other", at: TestPackage.moment)
        #expect(findings.map(\.code) == ["order_type_mismatch"])
        #expect(
            findings.first?.detail
                == "the certificate is for order.com.example.travel, not for order.com.example.other"
        )
    }
}
