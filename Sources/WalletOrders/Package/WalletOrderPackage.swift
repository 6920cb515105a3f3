import Crypto
package import Domain
package import StrictJSON
import WireFormats

/// The files of one version of an order, before they are signed: a pure function of the document and its pictures.
///
/// The same input makes the same bytes; only the signature, which has its time in it, differs.
package struct WalletOrderPackage: Hashable, Sendable {
    /// What a package is over HTTP and in mail.
    package static let contentType = "application/vnd.apple.finance.order"
    /// What may be left for the signature.
    private static let signatureBytes = 16_384

    /// The files that the manifest names, in the order in which they are packed.
    package let files: [WalletOrderFile]
    /// The bytes of `manifest.json`: path and SHA-256 of each file.
    package let manifest: [UInt8]

    /// Puts the files together and checks them.
    ///
    /// - Parameters:
    ///   - document: the order, with the localisations in its texts.
    ///   - images: the pictures that it names, and maybe others.
    ///   - papers: the receipts and labels that it names, and maybe others.
    /// - Throws: everything that is wrong: a picture that is missing, of another size or format or with transparency,
    ///   localisations with different keys, a package that is not below 5 MB.
    package init(
        _ document: WalletOrderDocument,
        images: [WalletOrderImage],
        papers: [WalletOrderFile] = []
    ) throws(WalletOrderProblems) {
        let localisations = Localisations(document.input.texts.localisations)
        let pictures = PackageImages(images, of: document)
        try WalletOrderProblems.throwIfAny(localisations.problems + pictures.problems)
        files =
            [WalletOrderFile(path: PackagePath.order, bytes: document.json)]
            + images.sorted { $0.name < $1.name }.map { WalletOrderFile(path: $0.name, bytes: $0.bytes) }
            + papers.sorted { $0.path < $1.path }
            + localisations.files
        manifest = Self.manifest(of: files)
        let bytes = Self.packedBytes(files + [WalletOrderFile(path: PackagePath.manifest, bytes: manifest)])
        guard bytes + Self.signatureBytes < WalletOrderLimits.packageBytes else {
            let limit = WalletOrderLimits.packageBytes
            let detail = "The package would have \(bytes + Self.signatureBytes) bytes, and must be below \(limit)."
            throw WalletOrderProblems([Violation(at: .root, "too_large", detail)])
        }
    }

    /// Signs the manifest and packs everything.
    ///
    /// - Parameters:
    ///   - signer: who signs.
    ///   - moment: the signing time; its validity is not looked at.
    /// - Returns: the bytes of the package.
    /// - Throws: ``WalletPackageFailure``.
    package func archive(
        signedBy signer: WalletOrderSigner,
        at moment: Timestamp
    ) throws(WalletPackageFailure) -> [UInt8] {
        let signature = try signer.signature(over: manifest, at: moment)
        return try ZipWriter.archive(
            files + [
                WalletOrderFile(path: PackagePath.manifest, bytes: manifest),
                WalletOrderFile(path: PackagePath.signature, bytes: signature),
            ]
        )
    }

    private static func manifest(of files: [WalletOrderFile]) -> [UInt8] {
        let members = files.sorted { $0.path < $1.path }.map { file in
            JSON.Member(file.path, .string(Hexadecimal.encode(SHA256.hash(data: file.bytes))))
        }
        return JSON.object(members).bytes
    }

    /// What the files take in an archive: local header, bytes and an entry in the directory each, and the end record.
    private static func packedBytes(_ files: [WalletOrderFile]) -> Int {
        files.reduce(22) { $0 + 30 + 46 + 2 * $1.path.utf8.count + $1.bytes.count }
    }
}

extension WalletOrderDocument {
    /// The pictures among some that it names.
    package func named(among images: [WalletOrderImage]) -> [WalletOrderImage] {
        let names = ImageName.all(in: document).map { ImageName($0.name) }
        return images.filter { image in names.contains { $0.isOf(image.name) } }
    }

    /// The receipts and labels among some that it names.
    package func named(among papers: [WalletOrderFile]) -> [WalletOrderFile] {
        let names = Set(PaperName.all(in: document).map(\.path))
        return papers.filter { names.contains($0.path) }
    }
}

/// Names of files that every package has.
enum PackagePath {
    static let order = "order.json"
    static let manifest = "manifest.json"
    static let signature = "signature"
    /// What holds a language's files: `en.lproj`.
    static let languageSuffix = ".lproj"
    static let strings = "order.strings"
}

/// A package could not be made, for a reason that is not in its content.
package enum WalletPackageFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// OpenSSL could not sign.
    case signing(String)
    /// libzip could not write.
    case packing(String)

    /// The reason in words.
    package var description: String {
        switch self {
        case .signing(let reason): "the manifest cannot be signed: \(reason)"
        case .packing(let reason): "the archive cannot be written: \(reason)"
        }
    }
}

/// What is wrong with the pictures of a package.
private struct PackageImages {
    let problems: [Violation]

    init(_ images: [WalletOrderImage], of document: WalletOrderDocument) {
        let violations = Violations()
        let place = JSONPointer.root.appending("images")
        if images.count > WalletOrderLimits.images {
            violations.add(at: place, "too_many", "Must have at most \(WalletOrderLimits.images) pictures.")
        }
        var names: Set<String> = []
        let freelySized = document.input.texts.orderProvider.map { [$0.trackingLogoLight, $0.trackingLogoDark] } ?? []
        for image in images {
            let isFree = freelySized.contains { ImageName($0).isOf(image.name) }
            for problem in image.problems(isFreelySized: isFree) { violations.add(problem) }
            guard !names.insert(image.name.lowercased()).inserted else { continue }
            violations.add(at: place.appending(image.name), "duplicate", "Must not have the name of another one.")
        }
        for (pointer, name) in ImageName.all(in: document.document) where !names.contains(where: ImageName(name).isOf) {
            violations.add(at: pointer, "no_such_image", "Must be the name of a picture of the package.")
        }
        problems = violations.all
    }
}

extension WalletOrderImage {
    /// What is wrong with it as a picture that stands in every package of a marketplace's, in sentences.
    package func ownObjections(isFreelySized: Bool = false) -> [String] {
        let limit = WalletOrderLimits.ownPictureBytes
        let size = bytes.count > limit ? ["Has \(bytes.count) bytes, and must have at most \(limit)."] : []
        return problems(isFreelySized: isFreelySized).map(\.detail) + size
    }

    /// What is wrong with the picture, as what it is: square of 300 pixels, PNG or JPEG, nothing to be seen through.
    ///
    /// - Parameter isFreelySized: whether size and transparency are for its maker to choose, as for tracking logos.
    /// - Returns: the problems, by the pointer `/images/NAME`.
    package func problems(isFreelySized: Bool = false) -> [Violation] {
        let place = JSONPointer.root.appending("images").appending(name)
        func problem(_ code: String, _ detail: String) -> [Violation] { [Violation(at: place, code, detail)] }
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9_\-]{0,60}\.[a-z]{3,4}/) != nil else {
            return problem(
                "invalid_name",
                "Must consist of letters, digits, '_' and '-', and end in .png, .jpg or .jpeg."
            )
        }
        guard let header = ImageHeader(bytes) else {
            return problem("not_an_image", "Must be a picture in PNG or JPEG.")
        }
        guard header.format.suffixes.contains(where: name.hasSuffix) else {
            let suffixes = header.format.suffixes.joined(separator: " or ")
            return problem("invalid_name", "Is \(header.format.rawValue.uppercased()), and must end in \(suffixes).")
        }
        guard !isFreelySized else { return [] }
        let side = WalletOrderLimits.imageSide
        if header.width != side || header.height != side {
            let size = "Has \(header.width) × \(header.height) pixels, and must have \(side) × \(side)."
            return problem("wrong_size", size)
        }
        return header.hasAlpha ? problem("has_transparency", "Must not be transparent anywhere.") : []
    }
}
