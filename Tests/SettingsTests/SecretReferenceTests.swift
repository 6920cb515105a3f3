import Domain
import Settings
import Testing

@Suite("Secret references")
struct SecretReferenceTests {
    private let surroundings = Surroundings.literal(
        environment: ["KEY": "hunter2", "NOTHING": ""],
        files: ["conf/a.key": "s3cret\n", "conf/b.key": "two\nlines\r\n", "/c": "", "/d": "\n"]
    )

    @Test(
        "reads variables and files",
        arguments: [
            ("env:KEY", "hunter2"), ("file:a.key", "s3cret"), ("file:b.key", "two\nlines"),
        ]
    )
    func resolves(text: String, secret: String) throws {
        let reference = try #require(SecretReference(text, relativeTo: "conf/tributary.yaml"))
        #expect(try reference.resolve(in: surroundings) == Secret(secret))
    }

    @Test("a relative path starts at the folder of the file that names it")
    func relativePaths() {
        #expect(SecretReference("file:a/b", relativeTo: "x/y.yaml") == .file("x/a/b"))
        #expect(SecretReference("file:/a/b", relativeTo: "x/y.yaml") == .file("/a/b"))
        #expect(SecretReference("file:a", relativeTo: "y.yaml") == .file("a"))
    }

    @Test(
        "refuses what is no reference",
        arguments: [
            "", "hunter2", "env:", "env:1A", "env:A B", "env:A-B", "env:Ä", "file:", "ENV:A", "sk_test_1",
        ]
    )
    func refuses(text: String) {
        #expect(SecretReference(text) == nil)
    }

    @Test("says what is missing without showing what is there")
    func missing() throws {
        #expect(throws: SecretRefusal.unsetVariable("NO")) {
            try SecretReference.variable("NO").resolve(in: surroundings)
        }
        #expect(throws: SecretRefusal.empty(.variable("NOTHING"))) {
            try SecretReference.variable("NOTHING").resolve(in: surroundings)
        }
        #expect(throws: SecretRefusal.unreadableFile("/x")) { try SecretReference.file("/x").resolve(in: surroundings) }
        #expect(throws: SecretRefusal.empty(.file("/c"))) { try SecretReference.file("/c").resolve(in: surroundings) }
        #expect(throws: SecretRefusal.empty(.file("/d"))) { try SecretReference.file("/d").resolve(in: surroundings) }
        let binary = Surroundings(environment: [:]) { _ in [0xFF, 0x0A] }
        #expect(throws: SecretRefusal.notText("k")) { try SecretReference.file("k").resolve(in: binary) }
        #expect(try SecretReference.file("k").bytes(in: binary) == [0xFF, 0x0A])
    }
}
