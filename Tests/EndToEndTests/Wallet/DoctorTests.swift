import Domain
import Foundation
import StrictJSON
import Testing
import TributaryTestKit

@Suite("doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
    private static let identifier = "merchant.test.marketplace"

    private static func declaration(_ identifier: String = identifier) -> String {
        MarketplaceFile(
            extra: """
                  - external_identifier: agency
                    name: Agency
                    kind: marketplace
                    merchant_identifier: \(identifier)
                    routes: [{ psp_account: sim }]
                apple_pay:
                  processing_certificates:
                    - { certificate: "file:certificate.pem", key: "file:key.pem" }
                """
        ).text
    }

    /// Writes a processing certificate that ends in so many days, and its key.
    private static func write(certificateEndingIn days: Int, to place: Workplace) throws {
        let end = Int64(Date().timeIntervalSince1970) + Int64(days) * 86_400
        let wallet = try TestWallet(merchantIdentifier: identifier, certificateEnd: end)
        try place.write(wallet.certificatePEM(), to: "certificate.pem")
        try place.write(wallet.keyPEM(), to: "key.pem")
    }

    /// Lends a place with a marketplace that opens tokens with a certificate for another ninety days.
    private static func with(_ body: (Workplace) async throws -> Void) async throws {
        try await Workplace.withDatabase { place in
            try write(certificateEndingIn: 90, to: place)
            try place.write(declaration(), to: "marketplace.yaml")
            let applied = try await place.run("apply", "marketplace.yaml")
            try #require(applied.status == 0, "\(applied.err)")
            try await body(place)
        }
    }

    /// The severities and findings.
    private static func findings(_ ending: Finished) throws -> [[String]] {
        try (JSON.parse(text: ending.out).arrayValue ?? []).map { row in
            ["severity", "finding"].map { row[$0]?.stringValue ?? "" }
        }
    }

    @Test("finds nothing wrong where nothing is, as check-config does")
    func good() async throws {
        try await Self.with { place in
            let ending = try await place.run("doctor", "--format", "json")
            #expect(ending.status == 0, "\(ending.out)")
            #expect(try Self.findings(ending).isEmpty)
            #expect(ending.err.contains("nothing wrong was found"))
            #expect(try await place.run("check-config", "marketplace.yaml").status == 0)
        }
    }

    @Test("warns of a certificate that expires within 30 days, and exits 0 all the same", arguments: [1, 29])
    func expiring(_ days: Int) async throws {
        try await Self.with { place in
            try Self.write(certificateEndingIn: days, to: place)
            let ending = try await place.run("doctor", "--format", "json")
            #expect(ending.status == 0)
            let found = try Self.findings(ending)
            #expect(found.count == 1)
            #expect(found.first?.first == "warning")
            #expect(found.first?.last?.contains("request another one from Apple now") == true)
            let checked = try await place.run("check-config", "marketplace.yaml")
            #expect(checked.status == 0)
            #expect(checked.err.contains("warning: apple_pay: file:certificate.pem: the certificate expires at"))
        }
    }

    /// What an operator does to the files of a marketplace that works.
    enum Mistake: String, CaseIterable, Sendable {
        case expired = "the certificate expired at"
        case otherKey = "the private key is not that of the certificate"
        case noKey = "there is no private key that can be read"
        case otherMerchant = "no merchant has that merchant_identifier"
        case lostFile = "certificate.pem"

        func make(in place: Workplace) throws {
            switch self {
            case .expired: try DoctorTests.write(certificateEndingIn: -1, to: place)
            case .otherKey: try place.write(TestWallet().keyPEM(), to: "key.pem")
            case .noKey: try place.write("nonsense", to: "key.pem")
            case .otherMerchant:
                let wallet = try TestWallet(merchantIdentifier: "merchant.test.other")
                try place.write(wallet.certificatePEM(), to: "certificate.pem")
                try place.write(wallet.keyPEM(), to: "key.pem")
            case .lostFile: try FileManager.default.removeItem(atPath: place.path("certificate.pem"))
            }
        }
    }

    @Test("exits 1 for what does not work, as check-config does", arguments: Mistake.allCases)
    func mistakes(_ mistake: Mistake) async throws {
        try await Self.with { place in
            try mistake.make(in: place)
            let ending = try await place.run("doctor", "--format", "json")
            #expect(ending.status == 1)
            let found = try Self.findings(ending)
            #expect(found.count == 1, "\(found)")
            #expect(found.first?.first == "error")
            #expect(found.first?.last?.contains(mistake.rawValue) == true, "\(found)")
            let checked = try await place.run("check-config", "marketplace.yaml")
            #expect(checked.status == 1)
            #expect(checked.out.contains(mistake.rawValue))
        }
    }

    @Test("a route that would pass tokens on to a PSP that takes none is refused before it is applied")
    func passThrough() async throws {
        try await Workplace.withDatabase { place in
            let text = MarketplaceFile().text.replacing(
                "routes: [{ psp_account: sim }]",
                with: "routes: [{ psp_account: sim, apple_pay: pass_through }]"
            )
            try place.write(text, to: "marketplace.yaml")
            let sentence = "the route to sim says apple_pay: pass_through, and simulator takes no encrypted token"
            let applied = try await place.run("apply", "marketplace.yaml")
            #expect(applied.status == 2)
            #expect(applied.err.contains("merchant airline-1: " + sentence), "\(applied.err)")
            let checked = try await place.run("check-config", "marketplace.yaml")
            #expect(checked.status == 1)
            #expect(checked.out.contains(sentence))
        }
    }
}
