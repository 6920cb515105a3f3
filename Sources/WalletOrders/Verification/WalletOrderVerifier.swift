import Crypto
package import Domain
package import OpenSSLCMS
package import StrictJSON
import WireFormats

/// Verifies packages of Wallet orders, whoever made them: what a device looks at, check by check.
package enum WalletOrderVerifier {
    /// What is checked, in this order; the first that fails is the verdict.
    package enum Check: String, Hashable, Sendable, CaseIterable {
        /// It is a zip archive of files that belong in a package, read alike from the front and from the end.
        case archive
        /// There is a detached signature, and it is of the manifest.
        case signature
        /// The signer's certificate leads to a root, and is valid.
        case certificate
        /// The manifest names every file with its SHA-256, and no other.
        case manifest
        /// The order is of the type that the certificate is for.
        case orderType = "order_type"
        /// `order.json` is as Apple's schema says, and the files it names are there.
        case order
        /// Every language has the same readable texts.
        case localization
    }

    /// What came of a package.
    package struct Verdict: Hashable, Sendable {
        /// The check that failed; nil if every one passed.
        package internal(set) var failed: Check?
        /// Why it failed, in sentences.
        package internal(set) var reasons: [String] = []
        /// What is unusual and no reason to refuse it, in sentences.
        package internal(set) var remarks: [String] = []
        /// `order.json`, if the checks came as far as that; it has the order's token in it.
        package internal(set) var order: JSON?
        /// The order type in the signer's certificate.
        package internal(set) var signedFor: String?
        /// Until when the signer's certificate is valid.
        package internal(set) var certificateExpiry: Timestamp?

        /// Whether every check passed.
        package var holds: Bool { failed == nil }
        /// The checks that passed.
        package var passed: [Check] { Array(Check.allCases.prefix { $0 != failed }) }
    }

    /// Verifies a package.
    ///
    /// - Parameters:
    ///   - bytes: the package.
    ///   - orderTypeIdentifier: the order type it has to be of; nil to take the certificate's word.
    ///   - roots: what certificates have to lead to.
    ///   - moment: the time by which their validity is judged.
    /// - Returns: the verdict.
    package static func verify(
        _ bytes: [UInt8],
        orderTypeIdentifier: String? = nil,
        roots: TrustRoots,
        at moment: Timestamp
    ) -> Verdict {
        var verdict = Verdict()
        do throws(FailedCheck) {
            let archive = try PackageCheck.archive(bytes)
            verdict.remarks = archive.remarks
            let signer = try PackageCheck.signer(of: archive.files, roots: roots, at: moment)
            verdict.signedFor = signer.userIdentifier
            verdict.certificateExpiry = Timestamp(seconds: signer.notAfter)
            try PackageCheck.manifest(of: archive.files)
            let order = try PackageCheck.order(in: archive.files)
            verdict.order = order
            try PackageCheck.orderType(of: order, signedFor: signer.userIdentifier, expected: orderTypeIdentifier)
            verdict.remarks += try PackageCheck.content(of: order, files: archive.files)
            verdict.remarks += try LocalizationCheck(archive.files, order: order).remarks()
        } catch {
            verdict.failed = error.check
            verdict.reasons = error.reasons
        }
        return verdict
    }
}

/// A check that failed, and why.
struct FailedCheck: Error {
    let check: WalletOrderVerifier.Check
    let reasons: [String]

    init(_ check: WalletOrderVerifier.Check, _ reasons: [String]) {
        self.check = check
        self.reasons = reasons
    }

    init(_ check: WalletOrderVerifier.Check, _ reason: String) { self.init(check, [reason]) }
}

/// The checks one by one.
private enum PackageCheck {
    static func archive(_ bytes: [UInt8]) throws(FailedCheck) -> PackageArchive {
        do throws(ArchiveRefusal) {
            return try PackageArchive(bytes)
        } catch {
            throw FailedCheck(.archive, error.description)
        }
    }

    static func signer(
        of files: [String: [UInt8]],
        roots: TrustRoots,
        at moment: Timestamp
    ) throws(FailedCheck) -> Certificate {
        guard let manifest = files[PackagePath.manifest] else {
            throw FailedCheck(.manifest, "there is no \(PackagePath.manifest)")
        }
        guard let signature = files[PackagePath.signature] else {
            throw FailedCheck(.signature, "there is no file \(PackagePath.signature)")
        }
        let seconds = moment.wholeSecond.microseconds / 1_000_000
        do {
            let message = try SignedMessage(signature)
            try message.check(over: manifest)
            _ = try message.chain(to: roots, at: seconds)
            return message.signer
        } catch let refusal as SignedMessageRefusal {
            throw FailedCheck(.signature, refusal.description)
        } catch {
            throw FailedCheck(.certificate, "\(error)")
        }
    }

    static func manifest(of files: [String: [UInt8]]) throws(FailedCheck) {
        guard let bytes = files[PackagePath.manifest], let json = try? JSON.parse(bytes),
            let members = json.objectValue
        else { throw FailedCheck(.manifest, "\(PackagePath.manifest) is no object in JSON") }
        var reasons: [String] = []
        var missing = Set(files.keys).subtracting([PackagePath.manifest, PackagePath.signature])
        for member in members {
            let name = PackageArchive.quoted(member.key)
            guard let file = files[member.key] else {
                reasons.append("\(name) is in the manifest and not in the package")
                continue
            }
            missing.remove(member.key)
            guard let digest = member.value.stringValue, digest.utf8.count == 64,
                digest.utf8.allSatisfy({ Hexadecimal.value($0) != nil && !(0x41...0x5A).contains($0) })
            else {
                reasons.append("\(name) has no SHA-256 in the manifest, which is 64 lower-case hexadecimal digits")
                continue
            }
            if Hexadecimal.encode(SHA256.hash(data: file)) != digest {
                reasons.append("\(name) has another SHA-256 than in the manifest")
            }
        }
        reasons += missing.sorted().map { "\(PackageArchive.quoted($0)) is in the package and not in the manifest" }
        guard reasons.isEmpty else { throw FailedCheck(.manifest, reasons) }
    }

    static func order(in files: [String: [UInt8]]) throws(FailedCheck) -> JSON {
        guard let bytes = files[PackagePath.order] else {
            throw FailedCheck(.order, "there is no \(PackagePath.order)")
        }
        do {
            return try JSON.parse(bytes)
        } catch {
            throw FailedCheck(.order, "\(PackagePath.order) is no JSON: \(error)")
        }
    }

    static func orderType(of order: JSON, signedFor: String?, expected: String?) throws(FailedCheck) {
        guard let own = order["orderTypeIdentifier"]?.stringValue else { return }
        if let signedFor, signedFor != own {
            throw FailedCheck(
                .orderType,
                "the order is of the type \(own.harmless), and signed for \(signedFor.harmless)"
            )
        }
        if let expected, expected != own {
            throw FailedCheck(.orderType, "the order is of the type \(own.harmless), and should be of \(expected)")
        }
    }

    /// Looks at the order and at the files it names; answers remarks.
    static func content(of order: JSON, files: [String: [UInt8]]) throws(FailedCheck) -> [String] {
        let violations = OrderSchema(hasOwnLimits: false).violations(of: order)
        guard violations.isEmpty else { throw FailedCheck(.order, violations.map(\.description)) }
        let names = files.keys.map { path in path.split(separator: "/").last.map(String.init) ?? path }
        var reasons: [String] = []
        var remarks: [String] = []
        for (pointer, name) in ImageName.all(in: order) {
            if !names.contains(where: ImageName(name).isOf) {
                reasons.append("\(pointer): no picture of the package has the name \(PackageArchive.quoted(name))")
            }
            if ImageName(name).hasSuffix { remarks.append("\(pointer): pictures are named without their suffix") }
        }
        for (pointer, path) in PaperName.all(in: order) where !names.contains(path) {
            reasons.append("\(pointer): no file of the package has the name \(PackageArchive.quoted(path))")
        }
        guard reasons.isEmpty else { throw FailedCheck(.order, reasons) }
        if hasNumericAmount(order) { remarks.append("amounts are numbers; the schema says strings") }
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            guard ImageName(path).hasSuffix, ImageHeader(bytes) == nil else { continue }
            remarks.append("\(PackageArchive.quoted(path)) is no picture in PNG or JPEG")
        }
        return remarks
    }

    private static func hasNumericAmount(_ json: JSON) -> Bool {
        switch json {
        case .array(let elements): elements.contains(where: hasNumericAmount)
        case .object(let members):
            members.contains { member in
                if member.key == "amount", member.value.objectValue == nil { return member.value.stringValue == nil }
                return hasNumericAmount(member.value)
            }
        default: false
        }
    }
}
