import Domain
import Foundation
import OpenSSLCMS
import Testing
import TributaryTestKit
import WalletOrders

@Suite("Packages of orders that were changed", .timeLimit(.minutes(60)))
struct PackageFuzzTests {
    @Test("are refused with reasons, or say what they said")
    func packages() throws {
        let root = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil)).appending(
            path: "root.pem"
        )
        let roots = try TrustRoots(file: Array(Data(contentsOf: root)))
        let holding = Set(PackageVectorTests.vectors.filter { $0.expected == "ok" }.map(\.bytes))
        func verdict(on bytes: [UInt8]) -> WalletOrderVerifier.Verdict {
            WalletOrderVerifier.verify(
                bytes,
                orderTypeIdentifier: "order.com.example.travel",
                roots: roots,
                at: Timestamp(seconds: 1_772_366_700)
            )
        }
        let orders = Set(holding.compactMap { verdict(on: $0).order })
        let corpus = PackageVectorTests.vectors.map(\.bytes)
        let broken = try Fuzzing("Wallet packages", corpus: corpus, cost: 4).run { document, _ in
            let verdict = verdict(on: document)
            guard let failed = verdict.failed else {
                // What is in no file of it may differ: an archive's dates, say.
                return verdict.order.map(orders.contains) == true ? .taken : .broken("holds, and says something else")
            }
            return verdict.reasons.isEmpty ? .broken("is refused without a reason") : .refused(failed.rawValue)
        }
        #expect(broken == nil)
    }
}
