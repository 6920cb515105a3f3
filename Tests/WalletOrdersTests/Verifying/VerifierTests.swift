import Crypto
import Domain
import StrictJSON
import Testing
import WalletOrders
import WalletTwins
import WireFormats

@Suite("Verifying packages")
struct VerifierTests {
    /// A package of these files, with a manifest of them that is signed.
    private static func package(_ files: [String: [UInt8]], manifest: JSON? = nil) throws -> [UInt8] {
        let paths = files.keys.sorted()
        let digests = paths.map { JSON.Member($0, .string(Hexadecimal.encode(SHA256.hash(data: files[$0] ?? [])))) }
        let list = paths.map { WalletOrderFile(path: $0, bytes: files[$0] ?? []) }
        return TestZip(try TestPackage.signed(list, manifest: (manifest ?? .object(digests)).bytes)).bytes
    }

    /// The files of the package with everything.
    private static func files() throws -> [String: [UInt8]] {
        let files = try TestPackage.files().filter { $0.path != "manifest.json" && $0.path != "signature" }
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.bytes) })
    }

    private static func with(_ change: (inout [String: [UInt8]]) -> Void) throws -> WalletOrderVerifier.Verdict {
        var files = try files()
        change(&files)
        return try TestPackage.verdict(package(files))
    }

    @Test("A package of another order type than expected is refused, though it is signed for its own")
    func expectedType() throws {
        let verdict = try TestPackage.verdict(TestPackage.full(), orderType: "order.com.example.other")
        #expect(verdict.failed == .orderType)
    }

    @Test("A certificate counts at the moment asked for")
    func moments() throws {
        let package = try TestPackage.full()
        let roots = try TestPackage.roots()
        let signer = try TestPackage.signer()
        for (moment, failed) in [
            (signer.notBefore.adding(milliseconds: -1000), WalletOrderVerifier.Check.certificate),
            (signer.notBefore, nil), (signer.expiry.adding(milliseconds: -1000), nil),
            (signer.expiry.adding(milliseconds: 1000), .certificate),
        ] {
            #expect(WalletOrderVerifier.verify(package, roots: roots, at: moment).failed == failed)
        }
    }

    @Test("A signature by another key of the same names fails at the certificate")
    func otherRoot() throws {
        let other = try OrderTypeKeys(
            orderTypeIdentifier: TestOrder.texts.orderTypeIdentifier,
            notBefore: TestOrder.placedAt.adding(milliseconds: -86_400_000)
        )
        let package = try WalletOrderPackage(WalletOrderDocument(TestOrder.full()), images: TestPackage.images)
            .archive(signedBy: TestPackage.signer(other), at: TestPackage.moment)
        #expect(try TestPackage.verdict(package).failed == .certificate)
    }

    @Test(
        "A manifest that is none, or has digests in another form, fails",
        arguments: [
            [], ["order.json": 1], ["order.json": "ABCDEF"], ["order.json": .string(String(repeating: "A", count: 64))],
            ["../x": .string(String(repeating: "a", count: 64))],
        ] as [JSON]
    )
    func manifests(manifest: JSON) throws {
        let verdict = try TestPackage.verdict(Self.package(Self.files(), manifest: manifest))
        #expect(verdict.failed == .manifest)
    }

    @Test("What a language lacks, or cannot be read, fails at localization")
    func localization() throws {
        let failed: [(inout [String: [UInt8]]) -> Void] = [
            {
                $0["en.lproj/order.strings"] = nil
                $0["en.lproj/logo.png"] = PlainPicture.png()
            },
            { $0["en.lproj/order.strings"] = Array("\"OTHER\" = \"x\";".utf8) },
            { $0["en.lproj/order.strings"] = Array("\"PICKUP_NOTES\" = \"x\"".utf8) },
            { $0["en.lproj/order.strings"] = Array("PICKUP_NOTES = x;".utf8) },
            { $0["en.lproj/order.strings"] = Array("/* never ends".utf8) },
            { $0["en.lproj/order.strings"] = Array("\"PICKUP_NOTES\" = \"a\"; \"PICKUP_NOTES\" = \"b\";".utf8) },
            { $0["en.lproj/order.strings"] = [0x22, 0xFF, 0x22] },
            { $0["en.lproj/order.strings"] = [0xFF, 0xFE, 0x22] },
            { $0["en.lproj/order.strings"] = [0xFE, 0xFF, 0xD8, 0x00] },
        ]
        for change in failed {
            let verdict = try Self.with(change)
            #expect(verdict.failed == .localization, "\(verdict.reasons)")
        }
    }

    @Test("Comments, escapes and either order of bytes are read")
    func strings() throws {
        let text = "// one\n/* two */ \"PICKUP\\U005FNOTES\"\n=\t\"line\\n\\\"quoted\\\"\" ;\n"
        let plain = Array(text.utf8)
        let big = text.utf16.reduce(into: [0xFE, 0xFF] as [UInt8]) { bytes, unit in
            bytes += [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
        }
        for bytes in [plain, [0xEF, 0xBB, 0xBF] + plain, big] {
            let verdict = try Self.with { $0["en.lproj/order.strings"] = bytes }
            #expect(verdict.holds, "\(verdict.reasons)")
        }
    }

    @Test("What Apple's own sample does is remarked and taken: numbers, suffixes, UTF-8, keys in other capitals")
    func sample() throws {
        let order = try JSON.parse(#require(Self.files()["order.json"]))
        var text = order.text.replacing(#""amount":"200.00""#, with: #""amount":200"#)
        text = text.replacing(#""logo":"logo""#, with: #""logo":"logo.png""#)
        let verdict = try Self.with { files in
            files["order.json"] = Array(text.utf8)
            files["en.lproj/order.strings"] = Array("\"Pickup_Notes\" = \"Paß\";".utf8)
            files["de.lproj/order.strings"] = Array("\"Pickup_Notes\" = \"x\";".utf8)
        }
        #expect(verdict.holds, "\(verdict.reasons)")
        #expect(
            verdict.remarks == [
                "/merchant/logo: pictures are named without their suffix",
                "amounts are numbers; the schema says strings",
                "'en.lproj': texts that are not ASCII are written in UTF-16",
                "the key 'Pickup_Notes' is written in other capital letters in the order",
            ]
        )
    }

    @Test(
        "An order with a slip of another library's fails at the order",
        arguments: [
            (#""total":{"amount":"200.00","currency":"EUR"}"#, #""total":{"amount":"200.00","currency":"USB"}"#),
            (#""amount":"25.00""#, #""amount":"25.001""#), (#""amount":"25.00""#, #""amount":"25,00""#),
            (#""quantity":2"#, #""quantity":"2""#), (#""status":"onTheWay""#, #""status":"on_the_way""#),
            (#""fulfillmentType":"pickup""#, #""fulfillmentType":"digital""#),
            (#""schemaVersion":1"#, #""schemaVersion":2"#),
            (#""transactionType":"refund""#, #""transactionType":"void""#),
            (#""createdAt":"2026-03-01T12:00:00Z""#, #""createdAt":"1 March 2026""#),
            (#""image":"suitcase""#, #""image":"trunk""#),
        ]
    )
    func slips(right: String, wrong: String) throws {
        let order = try #require(Self.files()["order.json"])
        let text = String(decoding: order, as: UTF8.self)
        #expect(text.contains(right))
        let verdict = try Self.with { $0["order.json"] = Array(text.replacing(right, with: wrong).utf8) }
        #expect(verdict.failed == .order)
        #expect(!verdict.reasons.isEmpty)
    }
}
