import CPostgres
import SQL

/// The connection that libpq opened, finished when its owner goes.
///
/// Not copyable, so nobody can finish it twice. Only the thread of its worker touches it.
@safe struct ConnectionHandle: ~Copyable {
    let raw: OpaquePointer

    /// Opens a connection and blocks until it stands or failed, which its status then tells.
    ///
    /// The parameters' own time limit applies.
    ///
    /// - Throws: ``SQLError/unavailable(_:)`` without memory.
    init(parameters: [(keyword: String, value: String)]) throws(SQLError) {
        let keywords = CStringList(parameters.map(\.keyword))
        let values = CStringList(parameters.map(\.value))
        // 1: the URL under `dbname` is taken apart.
        let opened = unsafe keywords.withConstantPointers { keywords in
            unsafe values.withConstantPointers { values in unsafe PQconnectdbParams(keywords, values, 1) }
        }
        guard let raw = unsafe opened else { throw .unavailable("no memory for a connection") }
        unsafe self.raw = raw
        // A server's notices would otherwise be printed on standard error.
        unsafe PQsetNoticeProcessor(raw, { _, _ in }, nil)
    }

    deinit { unsafe PQfinish(raw) }

    /// The connection's last error in one line; it names hosts and users, but no password.
    borrowing func reason() -> String {
        unsafe String(cString: PQerrorMessage(raw)).split(separator: "\n").joined(separator: " ")
    }
}

/// Strings as the null-terminated array that C functions read, freed when it goes out of scope.
@safe struct CStringList: ~Copyable {
    private let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        unsafe list = .allocate(capacity: texts.count + 1)
        unsafe list.initialize(repeating: nil, count: texts.count + 1)
        count = texts.count
        for (position, text) in texts.enumerated() {
            let characters = Array(text.utf8CString)
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
            _ = unsafe copy.initialize(from: characters)
            unsafe list[position] = copy.baseAddress
        }
    }

    deinit {
        for position in 0..<count { unsafe list[position]?.deallocate() }
        unsafe list.deallocate()
    }

    /// Lends the array for the time of the call, which must not write to it.
    borrowing func withPointers<Answer>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Answer
    ) -> Answer {
        unsafe body(list)
    }

    /// The same, for functions that promise not to write to it.
    borrowing func withConstantPointers<Answer>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
    ) -> Answer {
        unsafe withPointers { pointers in
            unsafe body(UnsafeRawPointer(pointers).assumingMemoryBound(to: UnsafePointer<CChar>?.self))
        }
    }
}

/// A statement's values as libpq reads them, one behind the other in one buffer that is used again and again: bytes as they
/// are, everything else in text form.
struct ParameterBuffer {
    /// The three arrays that libpq reads: values, lengths (of what is binary), formats (1 for what is binary).
    typealias Arrays = (
        values: UnsafePointer<UnsafePointer<CChar>?>?, lengths: UnsafePointer<Int32>?, formats: UnsafePointer<Int32>?
    )

    private var characters: [UInt8] = []
    /// Where each value begins, nil for NULL; pointers are made once the buffer has stopped growing.
    private var starts: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// Replaces the content.
    mutating func fill(_ values: [SQLValue]) {
        characters.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
        for value in values {
            let start = characters.count
            starts.append(value == .null ? nil : start)
            var isBinary = false
            switch value {
            case .null: break
            case .integer(let integer): characters.append(contentsOf: String(integer).utf8)
            case .text(let text): characters.append(contentsOf: text.utf8)
            case .bytes(let bytes):
                isBinary = true
                characters.append(contentsOf: bytes)
            }
            lengths.append(Int32(characters.count - start))
            formats.append(isBinary ? 1 : 0)
            characters.append(0)
        }
    }

    /// Lends the values for the time of the call.
    func withPointers<Answer>(_ body: (Arrays) -> Answer) -> Answer {
        unsafe characters.withUnsafeBytes { characters in
            let first = unsafe characters.bindMemory(to: CChar.self).baseAddress
            let pointers: [UnsafePointer<CChar>?] = unsafe starts.map { start in
                guard let start, let first = unsafe first else { return nil }
                return unsafe first + start
            }
            return unsafe pointers.withUnsafeBufferPointer { pointers in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body((pointers.baseAddress, lengths.baseAddress, formats.baseAddress))
                    }
                }
            }
        }
    }
}
