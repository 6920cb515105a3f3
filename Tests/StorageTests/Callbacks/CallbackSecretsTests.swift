import Domain
import SQL
import Storage
import Testing

@Suite("What callbacks are signed with")
struct CallbackSecretsTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let hour = now.adding(milliseconds: 3_600_000)
    private static let first = CallbackSecrets.Kept.reference("env:ONE")
    private static let second = CallbackSecrets.Kept.sealed(keyID: "k1", hexadecimal: "00ff")
    private static let third = CallbackSecrets.Kept.reference("file:/etc/three")

    @Test("is, while it is replaced, the new secret and those before it, until their time is over")
    func rotation() {
        var secrets = CallbackSecrets(Self.first)
        #expect(secrets.valid(at: Self.now) == [Self.first])
        secrets.rotate(to: Self.second, until: Self.hour, at: Self.now)
        #expect(secrets.valid(at: Self.now) == [Self.second, Self.first])
        #expect(secrets.valid(at: Self.hour.adding(milliseconds: -1)) == [Self.second, Self.first])
        #expect(secrets.valid(at: Self.hour) == [Self.second])
        secrets.rotate(to: Self.third, until: Self.hour.adding(milliseconds: 1), at: Self.now)
        #expect(secrets.valid(at: Self.now) == [Self.third, Self.second, Self.first])
        secrets.rotate(to: Self.first, until: Self.hour.adding(milliseconds: 2), at: Self.hour)
        #expect(secrets.valid(at: Self.hour) == [Self.first, Self.third, Self.second])
        #expect(secrets.previous.count == 2)
    }

    @Test("is replaced at once without an overlap")
    func atOnce() {
        var secrets = CallbackSecrets(Self.first)
        secrets.rotate(to: Self.second, until: Self.hour, at: Self.now)
        secrets.rotate(to: Self.third, until: Self.now, at: Self.now)
        #expect(secrets == CallbackSecrets(Self.third), "nor does one before it sign any more")
    }

    @Test("comes back as it was")
    func roundTrip() throws {
        var secrets = CallbackSecrets(Self.first)
        for kept in [Self.first, Self.second, Self.third] {
            #expect(try CallbackSecrets(text: CallbackSecrets(kept).text) == CallbackSecrets(kept))
            secrets.rotate(to: kept, until: Self.hour, at: Self.now)
            #expect(try CallbackSecrets(text: secrets.text) == secrets)
        }
    }

    @Test(
        "refuses what it does not write",
        arguments: [
            "", "{}", "[]", #"{"current":{"reference":"env:A"}}"#, #"{"current":{},"previous":[]}"#,
            #"{"current":{"key":"k1"},"previous":[]}"#, #"{"current":{"reference":1},"previous":[]}"#,
            #"{"current":{"reference":"env:A"},"previous":[{"reference":"env:B"}]}"#,
            #"{"current":{"reference":"env:A"},"previous":[{"until":1}]}"#,
        ]
    )
    func refusals(_ text: String) {
        #expect(throws: SQLError.unexpectedValue(column: "secrets")) { try CallbackSecrets(text: text) }
    }
}
