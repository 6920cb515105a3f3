package import Domain

/// Where a secret is kept: configuration names the place, never the secret.
package enum SecretReference: Hashable, Sendable, CustomStringConvertible {
    /// An environment variable, written `env:NAME`.
    case variable(String)
    /// A file, written `file:PATH`; a relative path starts at the folder of the file that names it.
    case file(String)

    /// Reads a reference; nil for anything else, a literal secret above all.
    package init?(_ text: String, relativeTo file: String = "") {
        if text.hasPrefix("env:") {
            let name = text.dropFirst(4)
            guard let first = name.utf8.first, !Self.isDigit(first), name.utf8.allSatisfy(Self.isNameByte) else {
                return nil
            }
            self = .variable(String(name))
        } else if text.hasPrefix("file:"), text.utf8.count > 5 {
            let path = String(text.dropFirst(5))
            let folder = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[...$0]) } ?? ""
            self = .file(path.hasPrefix("/") ? path : folder + path)
        } else {
            return nil
        }
    }

    /// `env:NAME` or `file:PATH`.
    package var description: String {
        switch self {
        case .variable(let name): "env:\(name)"
        case .file(let path): "file:\(path)"
        }
    }

    /// Reads the secret; one line break at the end of a file is not part of it.
    ///
    /// - Throws: ``SecretRefusal``.
    package func resolve(in surroundings: Surroundings) throws(SecretRefusal) -> Secret {
        switch self {
        case .variable(let name):
            guard let text = surroundings.environment[name] else { throw .unsetVariable(name) }
            guard !text.isEmpty else { throw .empty(self) }
            return Secret(text)
        case .file(let path):
            var bytes = try self.bytes(in: surroundings)
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(path) }
            guard !text.isEmpty else { throw .empty(self) }
            return Secret(text)
        }
    }

    /// Reads what is behind the reference as it is: certificates and keys may be binary.
    ///
    /// - Throws: ``SecretRefusal``.
    package func bytes(in surroundings: Surroundings) throws(SecretRefusal) -> [UInt8] {
        switch self {
        case .variable(let name):
            guard let text = surroundings.environment[name] else { throw .unsetVariable(name) }
            return Array(text.utf8)
        case .file(let path):
            guard let bytes = surroundings.readFile(path) else { throw .unreadableFile(path) }
            return bytes
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return byte == UInt8(ascii: "_") || isDigit(byte) || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z"))
    }
}

/// Why a secret cannot be had.
package enum SecretRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The environment variable with that name is not set.
    case unsetVariable(String)
    /// The file with that path cannot be read.
    case unreadableFile(String)
    /// The file with that path is not UTF-8 text.
    case notText(String)
    /// The variable or the file is empty.
    case empty(SecretReference)

    /// A sentence for an operator.
    package var description: String {
        switch self {
        case .unsetVariable(let name): "The environment variable \(name) is not set."
        case .unreadableFile(let path): "The file \(path) cannot be read."
        case .notText(let path): "The file \(path) is not UTF-8 text."
        case .empty(let reference): "The secret at \(reference) is empty."
        }
    }
}

/// What configuration may look at outside itself: variables and files, both handed in.
package struct Surroundings: Sendable {
    /// The environment variables by name.
    package let environment: [String: String]
    /// Reads a file whole; nil if it cannot be read.
    package let readFile: @Sendable (_ path: String) -> [UInt8]?

    /// Makes surroundings.
    package init(environment: [String: String], readFile: @escaping @Sendable (_ path: String) -> [UInt8]?) {
        self.environment = environment
        self.readFile = readFile
    }

    /// The text of a file.
    ///
    /// - Throws: ``InvalidConfiguration`` with `unreadable_file`, also for bytes that are not UTF-8.
    func text(of path: String) throws(InvalidConfiguration) -> String {
        guard let bytes = readFile(path) else {
            throw InvalidConfiguration(
                file: path,
                code: "unreadable_file",
                "There is no such file, or it may not be read."
            )
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw InvalidConfiguration(file: path, code: "unreadable_file", "The file is not UTF-8.")
        }
        return text
    }
}
