import Domain
import Foundation
import OpenSSLCMS
import StrictJSON
import Testing
import WalletOrders

@Suite("Published packages")
struct PackageVectorTests {
    /// A package, and the check that has to refuse it.
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let expected: String
        let why: String
        let bytes: [UInt8]

        var testDescription: String { name }
    }

    private static let folder = Bundle.module.url(forResource: "Fixtures", withExtension: nil)
    private static let moment = Timestamp(seconds: 1_772_366_700)

    static let vectors: [Vector] = {
        guard let packages = folder?.appending(path: "packages"),
            let index = try? JSON.parse(Array(Data(contentsOf: packages.appending(path: "expected.json")))),
            let members = index["packages"]?.objectValue
        else { return [] }
        return members.compactMap { member in
            guard let bytes = try? Data(contentsOf: packages.appending(path: member.key)) else { return nil }
            return Vector(
                name: member.key,
                expected: member.value["expect"]?.stringValue ?? "",
                why: member.value["why"]?.stringValue ?? "",
                bytes: Array(bytes)
            )
        }
    }()

    @Test("All 23 are there")
    func all() {
        #expect(Self.vectors.count == 23)
        #expect(Self.vectors.count { $0.expected == "ok" } == 6)
    }

    @Test("Each has the verdict that others came to", arguments: vectors)
    func verdicts(vector: Vector) throws {
        let root = try #require(Self.folder?.appending(path: "root.pem"))
        let verdict = WalletOrderVerifier.verify(
            vector.bytes,
            orderTypeIdentifier: "order.com.example.travel",
            roots: try TrustRoots(file: Array(Data(contentsOf: root))),
            at: Self.moment
        )
        #expect((verdict.failed?.rawValue ?? "ok") == vector.expected, "\(vector.why): \(verdict.reasons)")
        #expect(verdict.reasons.isEmpty == verdict.holds)
    }
}
