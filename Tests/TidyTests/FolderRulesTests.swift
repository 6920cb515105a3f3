import Testing

@Suite("Folders and the names of types")
struct FolderRulesTests {
    private static func sources(_ files: [(path: String, text: String)]) -> [SwiftSource] {
        files.map { SwiftSource(path: $0.path, text: $0.text) }
    }

    private static func circles(_ files: (path: String, text: String)...) -> [String] {
        FolderRules.circles(sources(files)).map(\.description)
    }

    @Test(
        "two folders that use types of each other are found out",
        arguments: ["Sources/Inn", "Sources/Tools/Inn", "Adapters/Inn"]
    )
    func circle(target: String) {
        let found = Self.circles(
            ("\(target)/Rooms/Room.swift", "package struct Room {\n    let bill: Bill?\n}"),
            ("\(target)/Rooms/Key.swift", "final class Key {}"),
            ("\(target)/Bills/Bill.swift", "public enum Bill { case due(Room) }\nfunc pay() { _ = Key() }")
        )
        #expect(found == ["\(target)/Bills:0: uses Key of \(target)/Rooms, which uses Bill of it"])
    }

    static let good = [
        // One way only.
        ("Sources/Inn/Rooms/Room.swift", "struct Room {}"),
        // In a comment or a string.
        ("Sources/Inn/Rooms/Room.swift", "struct Room {} // Bill\nlet a = \"Bill\""),
        // As a part of another word, or a name in small letters.
        ("Sources/Inn/Rooms/Room.swift", "struct Room { let bill: Billing; let b: MyBill }"),
        // At the root, which stands above the folders.
        ("Sources/Inn/Room.swift", "struct Room { let bill: Bill }"),
        // In another target.
        ("Sources/Tavern/Rooms/Room.swift", "struct Room { let bill: Bill }"),
        // In the same folder.
        ("Sources/Inn/Bills/Room.swift", "struct Room { let bill: Bill }"),
        // A type within a type.
        ("Sources/Inn/Rooms/Room.swift", "extension Hotel {\n    struct Room { let bill: Bill }\n}"),
    ]

    @Test("other uses are none", arguments: good)
    func others(path: String, text: String) {
        #expect(Self.circles((path, text), ("Sources/Inn/Bills/Bill.swift", "struct Bill { let room: Room? }")).isEmpty)
    }

    @Test("no two folders of a target use types of each other")
    func tree() { #expect(FolderRules.circles(SourceTree.shipped).map(\.description) == []) }

    @Test("a type at the top whose name stands elsewhere is found out")
    func doubled() {
        let found = FolderRules.doubledTypes(
            Self.sources([
                ("Sources/Inn/Room.swift", "package struct Room<Guest> {}\nstruct Key: Hashable {}"),
                ("Adapters/Ship/Room.swift", "import Sea\n\npublic final class Room {}\nindirect enum Deck {}"),
                ("Sources/Tavern/Key.swift", "private struct Key {}\nextension Key {}\n// struct Room {}"),
                (
                    "Sources/Tavern/Deck.swift",
                    "extension Tavern {\n    struct Deck {}\n}\nlet a = \"\"\"\nstruct Deck {}\n\"\"\""
                ),
            ])
        )
        #expect(
            found.map(\.description) == ["Sources/Inn/Room.swift:1: has another Room than Adapters/Ship/Room.swift"]
        )
    }

    @Test("no name of a type at the top stands twice")
    func names() {
        #expect(SourceTree.shipped.count > 100)
        #expect(FolderRules.doubledTypes(SourceTree.shipped).map(\.description) == [])
    }
}
