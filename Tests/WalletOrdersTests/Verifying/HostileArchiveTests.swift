import Testing
import WalletOrders

@Suite("Archives that are not what they seem", .timeLimit(.minutes(10)))
struct HostileArchiveTests {
    /// A change to an archive that holds.
    struct Trick: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout TestZip) -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout TestZip) -> Void) {
            testDescription = name
            self.change = change
        }
    }

    static let refused: [Trick] = [
        Trick("bytes in front") { $0.prefix = [0] },
        Trick("bytes behind") { $0.suffix = [0] },
        Trick("a comment, in which another end could stand") { $0.comment = Array("x".utf8) },
        Trick("bytes between entries") { $0.entries[1].rest = [1, 2, 3] },
        Trick("bytes before the directory") { $0.entries[6].rest = [1] },
        Trick("an entry in front that the directory does not have") { $0.directoryOrder = [1, 2, 3, 4, 5, 6] },
        Trick("an entry in between that the directory does not have") { $0.directoryOrder = [0, 1, 3, 4, 5, 6] },
        Trick("an entry twice in the directory") { $0.directoryOrder = [0, 1, 2, 3, 4, 5, 6, 6] },
        Trick("two entries over the same bytes") { $0.offsets = [2: 1] },
        Trick("more entries counted than there are") { $0.count = 8 },
        Trick("fewer entries counted than there are") { $0.count = 6 },
        Trick("the same name twice") { $0.entries.append(.init("logo.png", [1])) },
        Trick("the same name in other capitals") { $0.entries.append(.init("LOGO.png", [1])) },
        Trick("another name in front than in the directory") { $0.entries[1].localName = "l0go.png" },
        Trick("another size in front than in the directory") { $0.entries[1].localSize = 5 },
        Trick("out of the folder") { $0.entries.append(.init("en.lproj/../../x.png", [1])) },
        Trick("from the root") { $0.entries.append(.init("/x.png", [1])) },
        Trick("from a drive") { $0.entries.append(.init("C:x.png", [1])) },
        Trick("with a backslash") { $0.entries.append(.init("..\\x.png", [1])) },
        Trick("with an escape for terminals") { $0.entries.append(.init("x\u{1B}[2J.png", [1])) },
        Trick("with no name") { $0.entries.append(.init("", [1])) },
        Trick("a link") { zip in
            zip.entries.append(.init("x.png", Array("/etc/passwd".utf8)))
            zip.entries[7].mode = 0o120777
        },
        Trick("a folder with bytes in it") { $0.entries.append(.init("x.lproj/", [1])) },
        Trick("encrypted") { $0.entries[1].flags = 1 },
        Trick("packed in another way") { $0.entries[1].method = 12 },
        Trick("stored, with its size behind it") { $0.entries[1].hasDescriptor = true },
        Trick("a wrong checksum") { $0.entries[1].checksum = 1 },
        Trick("more bytes than it says") { zip in
            zip.entries[1].method = 8
            zip.entries[1].packed = TestZip.deflated(Array(repeating: 0, count: 60_000))
            zip.entries[1].unpackedSize = 10
        },
        Trick("fewer bytes than it says") { zip in
            zip.entries[1].method = 8
            zip.entries[1].packed = TestZip.deflated([1, 2, 3])
            zip.entries[1].unpackedSize = 1000
        },
        Trick("a bomb that says so") { zip in
            zip.entries[1].method = 8
            zip.entries[1].unpackedSize = 4_000_000_000
        },
        Trick("a thousand and one entries") { zip in
            zip.entries += (0..<1001).map { TestZip.Entry("\($0).png", []) }
        },
        Trick("the Finder's metadata") { $0.entries.append(.init("__MACOSX/._logo.png", [1])) },
        Trick("metadata beside a picture") { $0.entries.append(.init("en.lproj/._logo.png", [1])) },
    ]

    @Test("is refused as an archive", arguments: refused)
    func refuses(trick: Trick) throws {
        var zip = TestZip(try TestPackage.files())
        trick.change(&zip)
        let verdict = try TestPackage.verdict(zip.bytes)
        #expect(verdict.failed == .archive, "\(verdict.reasons)")
        #expect(verdict.reasons.count == 1)
        #expect(verdict.reasons.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
    }

    static let taken: [Trick] = [
        Trick("as it is") { _ in },
        Trick("the signature first") { $0.entries.insert($0.entries.removeLast(), at: 0) },
        Trick("a directory in another order than the bytes") { $0.directoryOrder = [6, 5, 4, 3, 2, 1, 0] },
        Trick("deflated") { zip in
            for index in zip.entries.indices {
                zip.entries[index].method = 8
                zip.entries[index].packed = TestZip.deflated(zip.entries[index].bytes)
            }
        },
    ]

    @Test("is no matter in which order it comes, or how it is packed", arguments: taken)
    func takes(trick: Trick) throws {
        var zip = TestZip(try TestPackage.files())
        trick.change(&zip)
        let verdict = try TestPackage.verdict(zip.bytes)
        #expect(verdict.holds, "\(verdict.reasons)")
        #expect(verdict.remarks.isEmpty)
    }

    @Test("Deflated entries with their sizes behind them, and folders, are remarked and taken")
    func remarked() throws {
        var zip = TestZip(try TestPackage.files())
        zip.entries[0].method = 8
        zip.entries[0].packed = TestZip.deflated(zip.entries[0].bytes)
        zip.entries[0].hasDescriptor = true
        zip.entries.append(.init("en.lproj/", []))
        let verdict = try TestPackage.verdict(zip.bytes)
        #expect(verdict.holds, "\(verdict.reasons)")
        #expect(verdict.remarks.count == 2)
    }

    @Test("Whatever a package is cut off to, or whichever byte is another, nothing but a verdict comes of it")
    func mutations() throws {
        let bytes = try TestPackage.full()
        for length in stride(from: 0, to: bytes.count, by: 997) {
            #expect(try TestPackage.verdict(Array(bytes.prefix(length))).failed == .archive)
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var changed = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let verdict = try TestPackage.verdict(changed)
            // Times, attributes and versions in headers are nobody's concern; what is in files is.
            if verdict.holds { #expect(verdict.order == (try TestPackage.verdict(bytes)).order) }
        }
    }
}
