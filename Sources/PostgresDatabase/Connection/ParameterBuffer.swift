import SQL

/// A statement's values in text form, one behind the other in one buffer that is used again and again.
struct ParameterBuffer {
    private var characters: [UInt8] = []
    /// Where each value begins, nil for NULL; pointers are made once the buffer has stopped growing.
    private var starts: [Int?] = []

    /// Replaces the content.
    mutating func fill(_ values: [SQLValue]) {
        characters.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        for value in values {
            starts.append(value == .null ? nil : characters.count)
            switch value {
            case .null: continue
            case .integer(let integer): characters.append(contentsOf: String(integer).utf8)
            case .text(let text): characters.append(contentsOf: text.utf8)
            case .bytes(let bytes): HexBytes.append(bytes, to: &characters)
            }
            characters.append(0)
        }
    }

    /// Lends the values as the array of C strings that libpq reads, for the time of the call.
    func withPointers<Answer>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Answer) -> Answer {
        unsafe characters.withUnsafeBytes { characters in
            let first = unsafe characters.bindMemory(to: CChar.self).baseAddress
            let pointers: [UnsafePointer<CChar>?] = unsafe starts.map { start in
                guard let start, let first = unsafe first else { return nil }
                return unsafe first + start
            }
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
    }
}
