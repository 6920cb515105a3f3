import CArchive

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
