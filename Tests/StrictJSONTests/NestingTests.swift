import StrictJSON
import Testing

@Suite("Nesting")
struct NestingTests {
    private static func arrays(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("reads 32 levels and refuses the 33rd at its bracket")
    func defaultLimit() throws {
        #expect(throws: Never.self) { try JSON.parse(text: Self.arrays(32)) }
        let refusal = try #require(throws: JSONRefusal.self) { try JSON.parse(text: Self.arrays(33)) }
        #expect(refusal.reason == .tooDeep)
        #expect(refusal.offset == 32)
        #expect(refusal.pointer == String(repeating: "/0", count: 32))
    }

    @Test("counts objects and arrays alike")
    func mixed() throws {
        let document = #"{"a":[{"b":[]}]}"#
        #expect(throws: Never.self) { try JSON.parse(text: document, depthLimit: 4) }
        let refusal = try #require(throws: JSONRefusal.self) { try JSON.parse(text: document, depthLimit: 3) }
        #expect(refusal.pointer == "/a/0/b")
    }

    @Test("counts depth, not the number of containers")
    func siblings() throws {
        let document = "[" + [String](repeating: #"[],[[]],{"a":{}}"#, count: 100).joined(separator: ",") + "]"
        #expect(throws: Never.self) { try JSON.parse(text: document, depthLimit: 3) }
    }

    @Test("a limit of zero allows only single values")
    func zero() throws {
        #expect(try JSON.parse(text: "1", depthLimit: 0) == 1)
        #expect(throws: JSONRefusal.self) { try JSON.parse(text: "[]", depthLimit: 0) }
    }

    @Test("no caller can allow more than 512 levels, so a hostile document cannot exhaust the stack")
    func greatest() throws {
        let refusal = try #require(throws: JSONRefusal.self) {
            try JSON.parse(text: Self.arrays(100_000), depthLimit: .max)
        }
        #expect(refusal.reason == .tooDeep)
        #expect(refusal.offset == JSON.greatestDepthLimit)
    }
}
