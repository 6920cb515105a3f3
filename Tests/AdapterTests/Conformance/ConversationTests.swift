import AdapterKit
import Testing

@Suite("Conversations of samples")
struct ConversationTests {
    private static let samples: [String: SampleMessage] = {
        let texts = [
            "held":
                "HTTP/2 200 OK\nKey: a.0\nContent-Type: application/json\n\n{\n  \"id\": \"x\",\n  \"sums\": [\n    1\n  ]\n}\n",
            "empty": "HTTP/2 401 Unauthorized\n\n",
        ]
        return texts.compactMapValues { SampleMessage(Array($0.utf8)) }
    }()

    private static func replies(_ lines: String...) throws -> [WireReply] {
        let text = lines.joined(separator: "\n")
        let scripts = try ConversationReader.scripts(in: text, path: "acme/void.txt", samples: samples)
        return scripts.flatMap { $0.messages.map(\.reply) }
    }

    @Test("name every sample, and no other one")
    func areUsed() throws {
        #expect(try Conversation.unused == [])
        #expect(try SampleFiles.psps() == AdapterUnderTest.all.map(\.name).sorted())
        for psp in try SampleFiles.psps() {
            #expect(try !Conversation.all.filter { $0.adapter == psp }.isEmpty, "\(psp)")
        }
    }

    @Test("are named for an expectation, each in one way only")
    func areNamed() throws {
        let all = try Conversation.all
        for conversation in all { #expect(Expectation(conversation.name) != nil, "\(conversation.path)") }
        #expect(Set(all.map(\.path)).count == all.count)
    }

    @Test("give a reply as its sample has it, and number the replies of longer ones")
    func plain() throws {
        let both = try Self.replies("# A void.", "", "succeeded", "    1. empty", "    2. held")
        #expect(both.map(\.status) == [401, 200])
        #expect(both[1].header("key") == "a.0")
        let text = "succeeded\n    1. held\n\nunknown\n    empty\n"
        let scripts = try ConversationReader.scripts(in: text, path: "acme/void.txt", samples: Self.samples)
        #expect(scripts.map(\.name) == ["succeeded", "unknown"])
        #expect(scripts.map(\.isNumbered) == [true, false])
        #expect(scripts.map(\.samples) == [["held"], ["empty"]])
    }

    @Test(
        "change a reply's body and nothing else of it",
        arguments: [
            (#"/id = "y""#, "{\n  \"id\": \"y\",\n  \"sums\": [\n    1\n  ]\n}\n"),
            ("/new~1key = null", "{\n  \"id\": \"x\",\n  \"sums\": [\n    1\n  ],\n  \"new/key\": null\n}\n"),
            (
                #"/sums/1 = {"a":1.50}"#,
                "{\n  \"id\": \"x\",\n  \"sums\": [\n    1,\n    {\n      \"a\": 1.50\n    }\n  ]\n}\n"
            ),
            ("/sums = []", "{\n  \"id\": \"x\",\n  \"sums\": []\n}\n"),
            ("without /id", "{\n  \"sums\": [\n    1\n  ]\n}\n"),
            ("without /sums/0", "{\n  \"id\": \"x\",\n  \"sums\": []\n}\n"), ("without body", ""),
            ("cut after 3 bytes", "{\n "),
        ]
    )
    func body(change: String, body: String) throws {
        let reply = try #require(try Self.replies("unknown", "    held", "        \(change)").first)
        #expect(String(decoding: reply.body, as: UTF8.self) == body)
        #expect(reply.status == 200 && reply.header("key") == "a.0")
    }

    @Test("change a reply's status and header fields")
    func head() throws {
        let lines = ["HTTP/2 409 Conflict", "Key: b.0", "Retry-After: 1", "without Content-Type"].map {
            "        \($0)"
        }
        let reply = try #require(try Self.replies("unknown\n    held\n" + lines.joined(separator: "\n")).first)
        #expect(reply.status == 409)
        #expect(reply.headers == [Header("Key", "b.0"), Header("Retry-After", "1")])
    }

    @Test(
        "are refused with the line that is wrong",
        arguments: [
            ("", 1, "has no conversation"), ("unknown", 1, "unknown, before this line, has no reply"),
            ("unknown\npending\n    held", 2, "unknown, before this line, has no reply"),
            ("unknown\n    held\nunknown\n    held", 3, "there are two of unknown"),
            ("unknown\n    hold", 2, "there is no reply hold"), ("    held", 1, "belongs to no conversation"),
            ("unknown\n        Key: b", 2, "belongs to no reply"), ("unknown\n  held", 2, "is indented by 2"),
            ("unknown\n    held\n    empty", 3, "does not follow reply 1"),
            ("unknown\n    1. held\n    3. empty", 3, "does not follow reply 1"),
            ("unknown\n    1. held\n    empty", 3, "does not follow reply 1"),
            ("unknown\n    2. held", 2, "does not follow reply 0"),
            ("unknown\n    held, empty", 2, "is neither NAME nor NUMBER. NAME"),
            ("unknown\n    held\n        /id = y", 3, "is no change"),
            ("unknown\n    held\n        some words", 3, "is no change"),
            ("unknown\n    held\n        /id = \"x\"", 3, "changes nothing"),
            ("unknown\n    held\n        Key: a.0", 3, "changes nothing"),
            ("unknown\n    held\n        without Date", 3, "changes nothing"),
            ("unknown\n    held\n        without /a", 3, "changes nothing"),
            ("unknown\n    held\n        /a/b = 1", 3, "changes nothing"),
            ("unknown\n    empty\n        /a = 1", 3, "changes nothing"),
            ("unknown\n    held\n        cut after 900 bytes", 3, "changes nothing"),
        ]
    )
    func refused(text: String, line: Int, problem: String) {
        #expect(throws: SampleProblem(path: "acme/void.txt", line: line, problem: problem)) {
            try ConversationReader.scripts(in: text, path: "acme/void.txt", samples: Self.samples)
        }
    }
}
