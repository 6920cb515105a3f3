import Domain
import Gateway
import Keyring
import SQL
import Testing
import TributaryTestKit

@Suite("Agreements: what charges are paid with stays secret", .timeLimit(.minutes(10)))
struct AgreementSecretsTests {
    @Test(
        "no byte of it is in any file of the database, while it is charged and when it has ended",
        arguments: DatabaseEngine.allCases
    )
    func files(engine: DatabaseEngine) async throws {
        try await DatabaseFiles.with(engine) { files in
            let harness = try GatewayHarness(files.database)
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            // What is kept would stand in the clear so.
            let (token, method) = ("tok_first_ad8f1c0e", #""token":"sm_1""#)
            // The marketplace's name for the buyer is there, so the search can find what is there.
            let searched = [token, method, "buyer-1"].map { Array($0.utf8) }
            let id = try await instance.driving {
                let id = try await desk.make()
                let draft = try AgreementDesk.first(of: id, paidWith: token)
                let answer = try await instance.gateway.place(draft, under: TestCheckout.use("first"))
                _ = try await harness.orderAtRest(answer.order)
                #expect(try await desk.charge(id, key: "charge", on: instance).status == .paid)
                return id
            }
            #expect(try await desk.secrets(of: id) == 1)
            #expect(try await files.found(searched) == [Array("buyer-1".utf8)])
            _ = try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))
            #expect(await instance.gateway.removeMethods() == 1)
            #expect(try await desk.stored(id).state == .ended)
            #expect(try await desk.secrets(of: id) == 0)
            #expect(try await files.found(searched) == [Array("buyer-1".utf8)])
            await harness.end()
        }
    }

    @Test("a secret is sealed for its agreement alone")
    func sealed() async throws {
        try await GatewayHarness.with(.sqlite) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let (one, other) = try await instance.driving {
                (try await desk.begun(on: instance), try await desk.begun(on: instance))
            }
            let methods = try await [desk.stored(one).method, desk.stored(other).method]
            let (first, second) = (try #require(methods[0]), try #require(methods[1]))
            try await harness.database.write { session in
                try session.run(
                    """
                    UPDATE agreement_method SET sealed = (SELECT sealed FROM agreement_method WHERE id = \(second.id))
                    WHERE id = \(first.id)
                    """
                )
            }
            await #expect(throws: KeyringError.cannotOpen) { try await desk.charge(one, key: "charge", on: instance) }
            #expect(await harness.psp.count(.authorize, "sm_1") == 0)
        }
    }
}
