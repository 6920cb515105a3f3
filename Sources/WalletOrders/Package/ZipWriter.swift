import CZip
import Glibc

/// Writes archives that a reader from front to back takes: entries stored, sizes and checksum before the bytes, no data
/// descriptors, no extra fields.
///
/// Their times are all 1980-01-01, so that the same files make the same bytes.
enum ZipWriter {
    /// Packs files in the order given.
    static func archive(_ files: [WalletOrderFile]) throws(WalletPackageFailure) -> [UInt8] {
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        defer { unsafe zip_error_fini(&error) }
        guard let target = unsafe zip_source_buffer_create(nil, 0, 0, &error) else { throw unsafe failure(&error) }
        // Kept once more, so that the bytes outlive the archive.
        unsafe zip_source_keep(target)
        defer { unsafe zip_source_free(target) }
        guard let archive = unsafe zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, &error) else {
            unsafe zip_source_free(target)
            throw unsafe failure(&error)
        }
        do throws(WalletPackageFailure) {
            for file in files { try unsafe add(file, to: archive) }
        } catch {
            unsafe zip_discard(archive)
            throw error
        }
        guard unsafe zip_close(archive) == 0 else {
            let reason = unsafe WalletPackageFailure.packing(String(cString: zip_strerror(archive)))
            unsafe zip_discard(archive)
            throw reason
        }
        return try unsafe contents(of: target)
    }

    @unsafe
    private static func add(_ file: WalletOrderFile, to archive: OpaquePointer) throws(WalletPackageFailure) {
        // libzip reads the bytes when the archive is closed, and frees them then.
        guard let copy = unsafe malloc(max(1, file.bytes.count)) else { throw .packing("there is no memory") }
        unsafe UnsafeMutableRawBufferPointer(start: copy, count: file.bytes.count).copyBytes(from: file.bytes)
        guard let source = unsafe zip_source_buffer(archive, copy, UInt64(file.bytes.count), 1) else {
            unsafe free(copy)
            throw unsafe .packing(String(cString: zip_strerror(archive)))
        }
        let index = unsafe zip_file_add(archive, file.path, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            unsafe zip_source_free(source)
            throw unsafe .packing(String(cString: zip_strerror(archive)))
        }
        guard unsafe zip_set_file_compression(archive, UInt64(index), ZIP_CM_STORE, 0) == 0,
            // 1 January 1980, the first day that there is.
            unsafe zip_file_set_dostime(archive, UInt64(index), 0, 1 << 5 | 1, 0) == 0
        else { throw unsafe .packing(String(cString: zip_strerror(archive))) }
    }

    @unsafe
    private static func contents(of source: OpaquePointer) throws(WalletPackageFailure) -> [UInt8] {
        var status = unsafe zip_stat_t()
        guard unsafe zip_source_stat(source, &status) == 0, unsafe zip_source_open(source) == 0 else {
            throw .packing("what was written cannot be read")
        }
        defer { unsafe zip_source_close(source) }
        let size = unsafe Int(status.size)
        var read: Int64 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            read = unsafe zip_source_read(source, buffer.baseAddress, UInt64(size))
            count = max(0, Int(read))
        }
        guard read == Int64(size) else { throw .packing("what was written cannot be read") }
        return bytes
    }

    @unsafe
    private static func failure(_ error: UnsafeMutablePointer<zip_error_t>) -> WalletPackageFailure {
        unsafe .packing(String(cString: zip_error_strerror(error)))
    }
}
