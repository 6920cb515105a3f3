/// What a file is packed in, by its first bytes.
enum Container {
    case none
    case gzip
    case zip

    init(head: [UInt8]) {
        self =
            switch head.prefix(4) {
            case let start where start.starts(with: [0x1F, 0x8B]): .gzip
            case [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06]: .zip
            default: .none
            }
    }

    /// What hands over the bytes inside.
    func source(_ file: SourceFile, limits: ReportFileLimits) throws(ReportFileProblem) -> any MemberSource {
        switch self {
        case .none: PlainSource(file)
        case .gzip: try GzipSource(file, limits: limits)
        case .zip: try ZipSource(file, limits: limits)
        }
    }
}
