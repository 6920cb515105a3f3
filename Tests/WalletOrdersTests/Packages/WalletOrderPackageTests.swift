import Crypto
import Domain
import Foundation
import OpenSSLCMS
import StrictJSON
import Testing
import TributaryTestKit
import WalletOrders
import WalletTwins
import WireFormats

@Suite("Packages of Wallet orders", .timeLimit(.minutes(10)))
struct WalletOrderPackageTests {
    @Test("A package of ours passes every check, with nothing to remark")
    func own() throws {
        let verdict = try TestPackage.verdict(TestPackage.full(), orderType: "order.com.example.travel")
        #expect(verdict.holds, "\(verdict.reasons)")
        #expect(verdict.remarks.isEmpty)
        #expect(verdict.passed == WalletOrderVerifier.Check.allCases)
        #expect(verdict.signedFor == "order.com.example.travel")
    }

    @Test("openssl and unzip take what is made")
    func otherPrograms() async throws {
        try await TemporaryFolder.with { folder in
            try Data(TestPackage.full()).write(to: folder.url.appending(path: "a.order"))
            try Data(TestPackage.keys.get().root.certificate.pem()).write(to: folder.url.appending(path: "root.pem"))
            let listed = try await run("unzip", ["-t", "a.order"], in: folder)
            #expect(listed.status == .exited(0), "\(listed.text)")
            #expect(listed.text.contains("No errors detected in compressed data of a.order."))
            let unpacked = try await run("unzip", ["-q", "a.order", "-d", "out"], in: folder)
            #expect(unpacked.status == .exited(0))
            let verified = try await run(
                "openssl",
                [
                    "cms", "-verify", "-inform", "DER", "-in", "out/signature", "-content", "out/manifest.json",
                    "-binary", "-CAfile", "root.pem", "-purpose", "any", "-attime",
                    String(TestPackage.moment.microseconds / 1_000_000), "-out", "verified.json",
                ],
                in: folder
            )
            #expect(verified.status == .exited(0), "\(verified.text)")
            #expect(
                try Data(contentsOf: folder.url.appending(path: "verified.json"))
                    == Data(contentsOf: folder.url.appending(path: "out/manifest.json"))
            )
        }
    }

    private func run(
        _ program: String,
        _ arguments: [String],
        in folder: TemporaryFolder
    ) async throws -> (status: RunningProgram.Ending, text: String) {
        try await Programs.with { programs in
            let running = try programs.start(
                URL(fileURLWithPath: "/usr/bin/env"),
                [program] + arguments,
                in: folder.url
            )
            let status = try await running.ended(within: .patience)
            return (status, try await running.output.whole() + running.errors.whole())
        }
    }

    @Test("The same input makes the same bytes when it is signed at the same moment with the same key")
    func deterministic() throws {
        let document = try WalletOrderDocument(TestOrder.full())
        let package = try WalletOrderPackage(document, images: TestPackage.images)
        let again = try WalletOrderPackage(document, images: TestPackage.images.reversed())
        #expect(package == again)
        let signer = try TestPackage.signer()
        let bytes = try package.archive(signedBy: signer, at: TestPackage.moment)
        #expect(try again.archive(signedBy: signer, at: TestPackage.moment) == bytes)
        let later = try package.archive(signedBy: signer, at: TestPackage.moment.adding(milliseconds: 1000))
        #expect(later != bytes)
        #expect(later.count == bytes.count)
    }

    @Test("Entries are stored, with sizes and checksum before the bytes, and without further fields")
    func entries() throws {
        let bytes = try TestPackage.full()
        var place = 0
        var names: [String] = []
        func number(_ offset: Int, _ count: Int) -> Int {
            bytes[(place + offset)..<(place + offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        while number(0, 4) == 0x0403_4B50 {
            // Bit 11 says that the name is UTF-8; of bit 3, which puts sizes behind the bytes, there is none.
            #expect(number(6, 2) & ~0x800 == 0)
            #expect(number(8, 2) == 0)
            #expect(number(28, 2) == 0)
            #expect(number(18, 4) == number(22, 4))
            let length = number(26, 2)
            names.append(String(decoding: bytes[(place + 30)..<(place + 30 + length)], as: UTF8.self))
            place += 30 + length + number(18, 4)
        }
        #expect(
            names == [
                "order.json", "logo.png", "suitcase.png", "de.lproj/order.strings", "en.lproj/order.strings",
                "manifest.json", "signature",
            ]
        )
    }

    @Test("The manifest has the SHA-256 of every other file")
    func manifest() throws {
        let package = try WalletOrderPackage(WalletOrderDocument(TestOrder.full()), images: TestPackage.images)
        let manifest = try #require(try JSON.parse(package.manifest).objectValue)
        #expect(manifest.map(\.key) == package.files.map(\.path).sorted())
        for file in package.files {
            let digest = Hexadecimal.encode(SHA256.hash(data: file.bytes))
            #expect(manifest.first { $0.key == file.path }?.value == .string(digest))
        }
    }

    @Test("Texts in ASCII are written as they are, others in UTF-16 with a byte order mark")
    func localisations() throws {
        let files = try TestPackage.files()
        let english = try #require(files.first { $0.path == "en.lproj/order.strings" })
        #expect(String(decoding: english.bytes, as: UTF8.self) == "\"PICKUP_NOTES\" = \"Bring your passport.\";\n")
        let german = try #require(files.first { $0.path == "de.lproj/order.strings" })
        #expect(german.bytes.starts(with: [0xFF, 0xFE]))
        let text = String(data: Data(german.bytes), encoding: .utf16)
        #expect(text == #""PICKUP_NOTES" = "Bringen Sie Ihren \"Paß\"\nmit.";"# + "\n")
    }

    /// Pictures that are refused.
    static let pictures: [(name: String, bytes: [UInt8], code: String)] = [
        ("logo.png", PlainPicture.png(width: 299), "wrong_size"),
        ("logo.png", PlainPicture.png(height: 600), "wrong_size"),
        ("logo.png", PlainPicture.png(isTransparent: true), "has_transparency"),
        ("logo.png", withAlphaChannel, "has_transparency"),
        ("logo.png", Array("GIF89a".utf8), "not_an_image"),
        ("logo.png", Array(PlainPicture.png().prefix(30)), "not_an_image"),
        ("logo.png", jpeg(width: 300, height: 300), "invalid_name"),
        ("logo.jpg", jpeg(width: 300, height: 200), "wrong_size"),
        ("logo.jpg", PlainPicture.png(), "invalid_name"),
        ("../logo.png", PlainPicture.png(), "invalid_name"),
        (".logo.png", PlainPicture.png(), "invalid_name"),
        ("logo@2x.png", PlainPicture.png(), "invalid_name"),
    ]

    /// Colour type 6: red, green, blue and alpha.
    static let withAlphaChannel: [UInt8] = {
        var bytes = PlainPicture.png()
        bytes[25] = 6
        return bytes
    }()

    /// A JPEG as far as its frame's header, behind a segment that is passed over.
    static func jpeg(width: Int, height: Int) -> [UInt8] {
        let size = [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map { UInt8($0) }
        return [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 0, 0xFF, 0xC0, 0, 11, 8] + size + [1, 1, 0x11, 0]
    }

    @Test("A picture of another size or format, or with transparency, is refused", arguments: pictures)
    func refusesPicture(name: String, bytes: [UInt8], code: String) {
        let problems = WalletOrderImage(name: name, bytes: bytes).problems()
        #expect(problems.map(\.code) == [code])
    }

    @Test("A JPEG of 300 × 300 pixels is taken")
    func jpeg() {
        let picture = WalletOrderImage(name: "logo.jpg", bytes: Self.jpeg(width: 300, height: 300))
        #expect(picture.problems().isEmpty)
    }

    @Test("An order that names a picture which is not there is refused, and so are two of one name")
    func missingPicture() throws {
        let document = try WalletOrderDocument(TestOrder.full())
        let problems = #expect(throws: WalletOrderProblems.self) {
            try WalletOrderPackage(document, images: [TestPackage.images[0], TestPackage.images[0]])
        }
        #expect(
            problems?.all.map { "\($0.pointer) \($0.code)" } == [
                "/images/logo.png duplicate", "/lineItems/0/image no_such_image",
                "/fulfillments/0/lineItems/0/image no_such_image",
            ]
        )
    }

    @Test(
        "Languages have the same keys, and languages they are",
        arguments: [
            (["en": ["A": "a"], "de": ["B": "b"]], ["/localisations/de/A", "/localisations/en/B"]),
            (["english": ["A": "a"]], ["/localisations/english"]), (["../en": ["A": "a"]], ["/localisations/..~1en"]),
            (["en": ["A": ""]], ["/localisations/en/A"]), (["en": ["A": "\u{1B}"]], ["/localisations/en/A"]),
            (["pt-BR": ["A": "a"], "zh-Hans": ["A": "b"], "es-419": ["A": "c"]], []),
        ] as [([String: [String: String]], [String])]
    )
    func languages(texts: [String: [String: String]], pointers: [String]) throws {
        var input = try TestOrder.full()
        input.texts.localisations = texts
        let document = try WalletOrderDocument(input)
        do {
            _ = try WalletOrderPackage(document, images: TestPackage.images)
            #expect(pointers.isEmpty)
        } catch {
            #expect(error.all.map(\.pointer) == pointers)
        }
    }

    @Test("A package that is not below 5 MB is refused when it is put together, to the byte")
    func size() throws {
        let document = try WalletOrderDocument(TestOrder.full())
        func package(_ filling: Int) throws -> WalletOrderPackage {
            let images =
                TestPackage.images + [
                    WalletOrderImage(name: "big.png", bytes: PlainPicture.png() + [UInt8](repeating: 0, count: filling))
                ]
            return try WalletOrderPackage(document, images: images)
        }
        let signer = try TestPackage.signer()
        let overhead = try package(0).archive(signedBy: signer, at: TestPackage.moment).count
        let largest = try package(4_980_000 - overhead).archive(signedBy: signer, at: TestPackage.moment)
        #expect(try TestPackage.verdict(largest).holds)
        let problems = #expect(throws: WalletOrderProblems.self) { try package(5_000_000 - overhead) }
        #expect(problems?.all.map(\.code) == ["too_large"])
    }
}
