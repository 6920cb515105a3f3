import Domain
import SeededRandom
import StrictJSON
import Testing
import TributaryTestKit

@testable import WalletTokens

/// Changed tokens, both wallets'; `TokenFuzz` changes the elements of Apple's signatures too, and takes longer.
@Suite("Wallet tokens that were changed", .timeLimit(.minutes(60)))
struct TokenFuzzTests {
    @Test("of Apple's are refused, or come to what the token came to")
    func apple() throws {
        let subjects = try ApplePayVector.all.map { vector in
            let opener = vector.opener()
            return (vector, opener, try opener.open(vector.token, at: vector.signingTime))
        }
        let broken = try Fuzzing("Apple Pay tokens", corpus: subjects.map(\.0.token), cost: 2).run { document, random in
            let (vector, opener, _) = random.one(of: subjects)
            do throws(TokenRefusal) {
                let again = try opener.open(document, at: vector.signingTime)
                // Several tokens are encrypted for the same key.
                return subjects.contains { $0.2 == again } ? .taken : .broken("comes to something else")
            } catch {
                return .refused(error.stage.rawValue)
            }
        }
        #expect(broken == nil)
    }

    @Test("of Google's are refused, or come to what the token came to")
    func google() throws {
        let fixture = GooglePayFixture(folder: "yoyowallet-ecv2")
        let (token, opener) = (try fixture.token("encrypted_token.json"), try fixture.opener())
        let opened = try? opener.open(token, at: GooglePayFixture.moment)
        let broken = try Fuzzing("Google Pay tokens", corpus: [token], cost: 2).run { document, _ in
            do throws(TokenRefusal) {
                let again = try opener.open(document, at: GooglePayFixture.moment)
                return again == opened ? .taken : .broken("comes to something else")
            } catch {
                return .refused(error.stage.rawValue)
            }
        }
        #expect(broken == nil)
    }
}
