import Foundation
import Testing
import TributaryTestKit

@Suite(
    "The receiver that the README prints",
    .timeLimit(.minutes(10)),
    .enabled(if: StandardWebhooksPython.path != nil, "TRIBUTARY_STANDARD_WEBHOOKS_PYTHON names no Python")
)
struct PrintedReceiverTests {
    private static let readme = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")

    @Test("takes what is delivered and refuses what somebody else signed")
    func receiver() async throws {
        let text = try String(contentsOf: Self.readme, encoding: .utf8)
        let script = String(try #require(text.firstMatch(of: /```python\n(?<script>(?s).*?)```/)).output.script)
        #expect(script.split(separator: "\n").count <= 16)
        try await Hooks.with { place, _ in
            var place = place
            place.environment["TRAVEL_WEBHOOK_SECRET"] = Hooks.secret
            let port = try await FreePort.find()
            try #require(script.contains("9100"))
            try place.write(script.replacing("9100", with: "\(port)"), to: "receiver.py")
            let python = try #require(StandardWebhooksPython.path)
            let receiver = try place.start(python, [place.path("receiver.py")])
            let url = "http://127.0.0.1:\(port)/"
            let file = Hooks.declaration(psp: "http://127.0.0.1:1", own: url, hotel: url, secret: nil)
                .replacing(
                    "callback: { url: \"\(url)\" }",
                    with: "callback: { url: \"\(url)\", secret: \"env:HOOK_SECRET\" }",
                    maxReplacements: 1
                )
            try place.write(file, to: "travel.yaml")
            _ = try await place.json("apply", "travel.yaml")
            let end = ContinuousClock.now + .patience
            while try await place.run("callbacks", "test", "travel").status != 0 {
                try #require(ContinuousClock.now < end, "\(receiver.errors.text)")
            }
            #expect(receiver.output.text.hasSuffix(" endpoint.test 1\n"))
            // The hotel's secret was made, and is not the receiver's.
            let stranger = try await place.run("callbacks", "test", "hotel-7")
            #expect(stranger.status == 1 && stranger.out.contains("400"), "\(stranger.out)")
            await receiver.kill()
        }
    }
}
