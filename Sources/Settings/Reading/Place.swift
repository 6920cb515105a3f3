/// Where a setting was written.
package enum Place: Hashable, Sendable, CustomStringConvertible {
    /// In a file; line and column start from 1.
    case file(String, line: Int, column: Int)
    /// In an environment variable.
    case variable(String)
    /// In an option of the command line, with its dashes.
    case option(String)

    /// `Config/tributary.yaml:3:9`, `TRIBUTARY_PORT` or `--port`.
    package var description: String {
        switch self {
        case .file(let file, let line, let column): "\(file):\(line):\(column)"
        case .variable(let name), .option(let name): name
        }
    }

    /// The key by which problems are sorted: options, variables, then files from top to bottom.
    var order: [Int] {
        switch self {
        case .option: [0, 0, 0]
        case .variable: [1, 0, 0]
        case .file(_, let line, let column): [2, line, column]
        }
    }
}
