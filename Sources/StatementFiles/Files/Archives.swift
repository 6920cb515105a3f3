import CArchive

/// The files of a zip archive.
///
/// They are read in the order of their data, so that the file need not be read twice; that the directory at the end is
/// there and counts the same members is looked at behind the last one.
final class ZipSource: MemberSource {
    private let file: SourceFile
    private let stream: ArchiveStream
    private let limits: ReportFileLimits
    private var entries = 0
    private var files = 0

    init(_ file: SourceFile, limits: ReportFileLimits) throws(ReportFileProblem) {
        self.file = file
        self.limits = limits
        stream = try ArchiveStream(file, kind: .zip, limits: limits)
    }

    func nextMember() throws(ReportFileProblem) -> MemberName? {
        while let entry = try stream.nextHeader() {
            entries += 1
            guard entries <= limits.memberCount else { throw .archive(.tooManyMembers) }
            let name = entry.name ?? "member \(entries)"
            guard MemberName.isSafe(name) else { throw .archive(.unsafeName) }
            guard !entry.isEncrypted else { throw .archive(.encrypted(member: name)) }
            if entry.kind == .folder || MemberName.isAddedByFinder(name) { continue }
            guard entry.kind == .file else { throw .archive(.notAFile(member: name)) }
            files += 1
            return MemberName(text: name)
        }
        guard files > 0 else { throw .archive(.noFiles) }
        return nil
    }

    func read() throws(ReportFileProblem) -> [UInt8] { try stream.read() }

    func finish() throws(ReportFileProblem) {
        while try !file.next().isEmpty {}
        guard let directory = ZipDirectory(endingAt: file.bytesRead, tail: file.tail) else {
            throw .archive(.truncated)
        }
        guard directory.entries == entries else {
            throw .archive(.corrupt("its directory does not list the members that are in it"))
        }
    }
}

/// A member of an archive, before it is read.
struct ArchiveEntry {
    /// What a member is.
    enum Kind {
        /// A file.
        case file
        /// A folder.
        case folder
        /// A link, a device, a socket.
        case other
    }

    /// Its name as the archive has it; nil if that is no text.
    let name: String?
    let kind: Kind
    let isEncrypted: Bool
}

/// An archive that libarchive unpacks front to back.
///
/// One thread at a time. libarchive keeps a pointer to this object until it is freed, which is done with the object.
@safe final class ArchiveStream {
    /// What is unpacked; nothing else is tried, and nothing in another.
    enum Kind {
        /// One stream of gzip.
        case gzip
        /// A zip archive.
        case zip
    }

    private let raw: OpaquePointer
    private let file: SourceFile
    private let limits: ReportFileLimits
    /// What libarchive was given last; it keeps reading there until it asks for more.
    private let input: UnsafeMutableRawBufferPointer
    private var failure: ReportFileProblem?
    private var expandedBytes: Int64 = 0

    init(_ file: SourceFile, kind: Kind, limits: ReportFileLimits) throws(ReportFileProblem) {
        guard let raw = unsafe archive_read_new() else { throw .archive(.corrupt("there is no memory to unpack it")) }
        unsafe self.raw = raw
        self.file = file
        self.limits = limits
        unsafe input = .allocate(byteCount: SourceFile.chunkBytes, alignment: 16)
        switch kind {
        case .gzip:
            unsafe archive_read_append_filter(raw, ARCHIVE_FILTER_GZIP)
            unsafe archive_read_support_format_raw(raw)
            unsafe archive_read_support_format_empty(raw)
        case .zip:
            unsafe archive_read_support_format_zip_streamable(raw)
        }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let code = unsafe carchive_open(raw, context) { _, context, buffer in
            unsafe Unmanaged<ArchiveStream>.fromOpaque(context).takeUnretainedValue().supply(buffer)
        }
        try check(code)
    }

    deinit {
        unsafe archive_read_free(raw)
        unsafe input.deallocate()
    }

    /// Goes to the next member; nil behind the last one.
    func nextHeader() throws(ReportFileProblem) -> ArchiveEntry? {
        var entry: OpaquePointer?
        let code = unsafe archive_read_next_header(raw, &entry)
        if code == ARCHIVE_EOF { return nil }
        // A warning here is about a name that the locale cannot write.
        if code != ARCHIVE_WARN { try check(code) }
        guard let entry = unsafe entry else { throw problem() }
        let name = unsafe archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
        let isFile = unsafe carchive_entry_is_file(entry) != 0
        let isFolder = unsafe carchive_entry_is_folder(entry) != 0
        return ArchiveEntry(
            name: unsafe name.map { unsafe String(cString: $0) },
            kind: isFolder ? .folder : isFile ? .file : .other,
            isEncrypted: unsafe archive_entry_is_encrypted(entry) != 0
        )
    }

    /// The next bytes of the member; empty at its end.
    func read() throws(ReportFileProblem) -> [UInt8] {
        var result = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: SourceFile.chunkBytes) { buffer, count in
            result = unsafe archive_read_data(raw, buffer.baseAddress, SourceFile.chunkBytes)
            count = max(0, result)
        }
        // Every warning counts: among them is that a checksum is wrong.
        guard result >= 0 else { throw problem() }
        expandedBytes += Int64(bytes.count)
        guard expandedBytes <= limits.expandedBytes else { throw .archive(.tooLarge) }
        guard expandedBytes <= limits.ratioFreeBytes + limits.expansionRatio * file.bytesRead else {
            throw .archive(.expandsTooFar)
        }
        return bytes
    }

    /// Gives libarchive the next bytes of the file.
    @unsafe private func supply(_ buffer: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
        do throws(ReportFileProblem) {
            let chunk = try file.next()
            unsafe input.copyBytes(from: chunk)
            unsafe buffer.pointee = UnsafeRawPointer(input.baseAddress)
            return chunk.count
        } catch {
            failure = error
            return -1
        }
    }

    private func check(_ code: Int32) throws(ReportFileProblem) {
        guard code == ARCHIVE_OK else { throw problem() }
    }

    /// Why the last call failed: the file, or what is in it.
    private func problem() -> ReportFileProblem {
        if let failure { return failure }
        guard let text = unsafe archive_error_string(raw) else { return .archive(.corrupt("it cannot be unpacked")) }
        let message = unsafe String(cString: text)
        return message.lowercased().contains("truncated") ? .archive(.truncated) : .archive(.corrupt(message))
    }
}

/// The end record of a zip archive's directory (APPNOTE.TXT 4.3.16).
struct ZipDirectory {
    /// How many members the directory lists.
    let entries: Int

    /// Finds the record that ends with the file; nil if there is none, or if the directory is not right before it.
    ///
    /// - Parameters:
    ///   - length: the length of the file.
    ///   - tail: the file's last bytes.
    init?(endingAt length: Int64, tail: [UInt8]) {
        let signature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
        guard tail.count >= 22 else { return nil }
        for start in stride(from: tail.count - 22, through: 0, by: -1) where tail[start] == signature[0] {
            let record = tail[start...]
            guard record.starts(with: signature), start + 22 + Self.number(record, at: 20, 2) == tail.count else {
                continue
            }
            entries = Self.number(record, at: 10, 2)
            let size = Self.number(record, at: 12, 4)
            let offset = Self.number(record, at: 16, 4)
            let position = length - Int64(tail.count - start)
            // An archive above 4 GiB has its directory's place in a record of its own.
            let isLarge = size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF
            guard isLarge ? length > 0xFFFF_FFFF : Int64(offset + size) == position else { return nil }
            return
        }
        return nil
    }

    private static func number(_ record: ArraySlice<UInt8>, at offset: Int, _ count: Int) -> Int {
        record.dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The checksum of gzip (RFC 1952, 8), eight bytes at a step.
struct CRC32 {
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            tables[byte] = (0..<8).reduce(UInt32(byte)) { value, _ in
                value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
            }
        }
        for index in 256..<tables.count {
            let value = tables[index - 256]
            tables[index] = value >> 8 ^ tables[Int(value & 0xFF)]
        }
        return tables
    }()

    private var state: UInt32 = .max

    /// The checksum of all bytes so far.
    var value: UInt32 { ~state }

    mutating func update(_ bytes: [UInt8]) {
        let tables = Self.tables
        let table = tables.span
        let content = bytes.span
        var value = state
        var index = 0
        while index + 8 <= content.count {
            let low =
                value ^ UInt32(content[index]) ^ UInt32(content[index + 1]) << 8 ^ UInt32(content[index + 2]) << 16
                ^ UInt32(content[index + 3]) << 24
            value =
                table[1_792 + Int(low & 0xFF)] ^ table[1_536 + Int(low >> 8 & 0xFF)]
                ^ table[1_280 + Int(low >> 16 & 0xFF)] ^ table[1_024 + Int(low >> 24)]
            value ^=
                table[768 + Int(content[index + 4])] ^ table[512 + Int(content[index + 5])]
                ^ table[256 + Int(content[index + 6])] ^ table[Int(content[index + 7])]
            index += 8
        }
        while index < content.count {
            value = value >> 8 ^ table[Int((value ^ UInt32(content[index])) & 0xFF)]
            index += 1
        }
        state = value
    }
}
