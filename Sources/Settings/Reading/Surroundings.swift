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
