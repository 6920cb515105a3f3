/// A file of a package.
package struct WalletOrderFile: Hashable, Sendable {
    /// Its path inside the package: `order.json`, `en.lproj/order.strings`.
    package let path: String
    /// What is in it.
    package let bytes: [UInt8]

    /// Makes a file.
    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// A picture that an order names.
package struct WalletOrderImage: Hashable, Sendable {
    /// Its name in the package, by which the order names it: `logo.png`.
    package let name: String
    /// The picture, as PNG or JPEG.
    package let bytes: [UInt8]

    /// Makes a picture; ``problems(at:)`` says what is wrong with it.
    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// A picture, named after what its first bytes say that it is.
    package init(_ bytes: [UInt8], named stem: String) {
        self.init(name: bytes.first == 0xFF ? "\(stem).jpg" : "\(stem).png", bytes: bytes)
    }
}

/// A document in PDF that an order names: a receipt, or a label for what is sent back.
package enum WalletOrderPaper {
    /// What is wrong with a document; nil for nothing.
    package static func objection(to bytes: [UInt8]) -> String? {
        guard bytes.starts(with: Array("%PDF-".utf8)) else { return "Must be a document in PDF." }
        return bytes.count <= WalletOrderLimits.paperBytes
            ? nil : "Must have at most \(WalletOrderLimits.paperBytes) bytes."
    }
}

/// What stands at the beginning of a picture, and whether parts of it may be seen through.
struct ImageHeader: Hashable {
    /// How pictures are written.
    enum Format: String {
        /// Portable Network Graphics (ISO/IEC 15948).
        case png
        /// JPEG (ITU-T T.81).
        case jpeg
    }

    let format: Format
    let width: Int
    let height: Int
    /// Whether it has an alpha channel or a transparent colour.
    let hasAlpha: Bool

    /// Reads a picture's header; nil if it is neither PNG nor JPEG, or is cut off before the pixels begin.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self.init(png: bytes)
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self.init(jpeg: bytes)
        } else {
            return nil
        }
    }

    /// Colour types 4 and 6 have an alpha channel, and a chunk `tRNS` names transparent colours.
    private init?(png bytes: [UInt8]) {
        guard Self.number(bytes, at: 8, 4) == 13, Self.name(bytes, at: 12) == "IHDR", bytes.count > 33 else {
            return nil
        }
        format = .png
        width = Self.number(bytes, at: 16, 4)
        height = Self.number(bytes, at: 20, 4)
        var hasAlpha = bytes[25] == 4 || bytes[25] == 6
        var place = 33
        while true {
            guard place + 12 <= bytes.count, let name = Self.name(bytes, at: place + 4) else { return nil }
            if name == "IDAT" { break }
            if name == "tRNS" { hasAlpha = true }
            place += 12 + Self.number(bytes, at: place, 4)
        }
        self.hasAlpha = hasAlpha
    }

    /// Goes from marker to marker to the frame's header, which has the size.
    private init?(jpeg bytes: [UInt8]) {
        var place = 2
        while place + 9 < bytes.count {
            guard bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            switch marker {
            case 0xFF: place += 1
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
                format = .jpeg
                height = Self.number(bytes, at: place + 5, 2)
                width = Self.number(bytes, at: place + 7, 2)
                hasAlpha = false
                return
            case 0xD9, 0xDA: return nil
            default:
                let length = Self.number(bytes, at: place + 2, 2)
                guard length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }

    /// An unsigned number, the highest byte first; 0 where the bytes end before it.
    private static func number(_ bytes: [UInt8], at place: Int, _ count: Int) -> Int {
        guard place + count <= bytes.count else { return 0 }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func name(_ bytes: [UInt8], at place: Int) -> String? {
        guard place + 4 <= bytes.count else { return nil }
        return String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }
}

extension ImageHeader.Format {
    /// How names of such files end.
    var suffixes: [String] {
        switch self {
        case .png: [".png"]
        case .jpeg: [".jpg", ".jpeg"]
        }
    }
}
