import CZip
import Domain

/// A package's archive as a strict reader takes it.
///
/// Where the directory and what stands before each entry's bytes disagree, readers from the front and from the end would
/// see two packages; so they have to agree, and to leave no bytes over.
struct PackageArchive {
    /// The files by path.
    let files: [String: [UInt8]]
    /// What a reader may stumble over, in sentences.
    let remarks: [String]

    /// Reads an archive.
    ///
    /// - Throws: ``ArchiveRefusal``; nothing is unpacked before all sizes are known.
    init(_ bytes: [UInt8]) throws(ArchiveRefusal) {
        guard bytes.count < WalletOrderLimits.packageBytes else {
            throw ArchiveRefusal("it has \(bytes.count) bytes, and must be below \(WalletOrderLimits.packageBytes)")
        }
        let directory = try ZipEntries(bytes)
        try Self.checkNames(directory.entries)
        let unpacked = directory.entries.reduce(0) { $0 + $1.unpackedBytes }
        guard unpacked < WalletOrderLimits.packageBytes else {
            throw ArchiveRefusal("it unpacks to \(unpacked) bytes, and must be below \(WalletOrderLimits.packageBytes)")
        }
        files = try ZipReader.files(directory.entries, of: bytes)
        var remarks: [String] = []
        if directory.entries.contains(where: \.hasDescriptor) {
            remarks.append("sizes of entries stand behind their bytes (data descriptors), which not every reader takes")
        }
        if directory.entries.contains(where: \.isFolder) { remarks.append("folders are entries of their own") }
        self.remarks = remarks
    }

    private static func checkNames(_ entries: [ZipEntries.Entry]) throws(ArchiveRefusal) {
        var names: Set<String> = []
        for entry in entries {
            guard isSafe(entry.name) else { throw ArchiveRefusal("an entry's name leads out of the package") }
            let parts = entry.name.split(separator: "/")
            guard !parts.contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" }) else {
                throw ArchiveRefusal("\(quoted(entry.name)) is a file of metadata, which does not belong in a package")
            }
            // File systems of devices may not tell capital letters from small ones.
            guard names.insert(entry.name.lowercased()).inserted else {
                throw ArchiveRefusal("\(quoted(entry.name)) is in it twice")
            }
        }
    }

    /// Whether a name stays inside: relative, parts separated by `/`, none of them empty, `.` or `..`.
    private static func isSafe(_ name: String) -> Bool {
        let path = name.hasSuffix("/") ? name.dropLast() : name[...]
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
            && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" || $0 == ":" }
    }

    /// A name for a message, with nothing in it that steers a terminal.
    static func quoted(_ name: String) -> String { "'\(name.harmless)'" }
}

/// Why an archive is none of a package.
struct ArchiveRefusal: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The directory of a zip archive, compared with what stands before each entry's bytes (APPNOTE.TXT 4.3).
struct ZipEntries {
    /// What the directory says of a member.
    struct Entry: Hashable {
        let name: String
        let flags: Int
        let method: Int
        let checksum: Int
        let packedBytes: Int
        let unpackedBytes: Int
        /// Where its local header begins.
        let offset: Int

        var isFolder: Bool { name.hasSuffix("/") }
        /// Whether sizes and checksum stand behind the bytes (bit 3).
        var hasDescriptor: Bool { flags & 8 != 0 }
    }

    /// How many entries are read.
    static let limit = 1000

    /// The members in the directory's order.
    let entries: [Entry]

    init(_ bytes: [UInt8]) throws(ArchiveRefusal) {
        let end = try Self.endRecord(of: bytes)
        var entries: [Entry] = []
        var place = end.directory
        for _ in 0..<end.count {
            let (entry, length) = try Self.entry(in: bytes, at: place, before: end.position)
            entries.append(entry)
            place += length
        }
        guard place == end.position else { throw ArchiveRefusal("its directory does not end where it should") }
        try Self.compare(entries, with: bytes, directory: end.directory)
        self.entries = entries
    }

    /// The record at the very end of the file.
    private static func endRecord(
        of bytes: [UInt8]
    ) throws(ArchiveRefusal) -> (position: Int, directory: Int, count: Int) {
        let position = bytes.count - 22
        guard position >= 0, number(bytes, position, 4) == 0x0605_4B50 else {
            throw ArchiveRefusal("it is no zip archive, or something follows it")
        }
        let count = number(bytes, position + 10, 2)
        let size = number(bytes, position + 12, 4)
        let directory = number(bytes, position + 16, 4)
        guard number(bytes, position + 4, 4) == 0, number(bytes, position + 8, 2) == count,
            number(bytes, position + 20, 2) == 0, directory + size == position
        else { throw ArchiveRefusal("its end record does not lead to its directory") }
        guard (1...limit).contains(count) else { throw ArchiveRefusal("it has \(count) entries") }
        return (position, directory, count)
    }

    private static func entry(
        in bytes: [UInt8],
        at place: Int,
        before end: Int
    ) throws(ArchiveRefusal) -> (Entry, length: Int) {
        guard place + 46 <= end, number(bytes, place, 4) == 0x0201_4B50 else {
            throw ArchiveRefusal("its directory is cut off")
        }
        let nameBytes = number(bytes, place + 28, 2)
        let length = 46 + nameBytes + number(bytes, place + 30, 2) + number(bytes, place + 32, 2)
        guard place + length <= end,
            let name = String(validating: bytes[(place + 46)..<(place + 46 + nameBytes)], as: UTF8.self),
            (1...255).contains(nameBytes)
        else { throw ArchiveRefusal("an entry of its directory cannot be read") }
        let entry = Entry(
            name: name,
            flags: number(bytes, place + 8, 2),
            method: number(bytes, place + 10, 2),
            checksum: number(bytes, place + 16, 4),
            packedBytes: number(bytes, place + 20, 4),
            unpackedBytes: number(bytes, place + 24, 4),
            offset: number(bytes, place + 42, 4)
        )
        let quoted = PackageArchive.quoted(name)
        guard entry.flags & 1 == 0 else { throw ArchiveRefusal("\(quoted) is encrypted") }
        guard entry.method == 0 || entry.method == 8 else {
            throw ArchiveRefusal("\(quoted) is neither stored nor deflated")
        }
        // The system that made it is Unix, and the mode that of a link.
        guard bytes[place + 5] != 3 || number(bytes, place + 40, 2) & 0xF000 != 0xA000 else {
            throw ArchiveRefusal("\(quoted) is a link")
        }
        guard entry.method == 8 || entry.packedBytes == entry.unpackedBytes,
            !entry.isFolder || entry.unpackedBytes == 0
        else { throw ArchiveRefusal("\(quoted) has two sizes") }
        guard entry.method == 8 || !entry.hasDescriptor else {
            throw ArchiveRefusal("\(quoted) is stored, and its size stands behind it: its end cannot be found")
        }
        return (entry, length)
    }

    /// Local headers say what the directory says, and entries lie side by side from the first byte to the directory.
    private static func compare(
        _ entries: [Entry],
        with bytes: [UInt8],
        directory: Int
    ) throws(ArchiveRefusal) {
        var place = 0
        for entry in entries.sorted(by: { $0.offset < $1.offset }) {
            let quoted = PackageArchive.quoted(entry.name)
            // Behind the last descriptor, which has 12 bytes or, with a signature, 16.
            guard entry.offset == place else {
                throw ArchiveRefusal("bytes before \(quoted) belong to no entry, or to two")
            }
            guard place + 30 <= directory, number(bytes, place, 4) == 0x0403_4B50 else {
                throw ArchiveRefusal("\(quoted) is not where the directory says")
            }
            let nameBytes = number(bytes, place + 26, 2)
            let start = place + 30 + nameBytes + number(bytes, place + 28, 2)
            let end = start + entry.packedBytes
            guard end <= directory, bytes[(place + 30)..<(place + 30 + nameBytes)].elementsEqual(entry.name.utf8),
                number(bytes, place + 6, 2) == entry.flags, number(bytes, place + 8, 2) == entry.method
            else { throw ArchiveRefusal("\(quoted) is another one in front of its bytes than in the directory") }
            let sizes = [14, 18, 22].map { number(bytes, place + $0, 4) }
            let expected = [entry.checksum, entry.packedBytes, entry.unpackedBytes]
            guard sizes == expected || (entry.hasDescriptor && sizes == [0, 0, 0]) else {
                throw ArchiveRefusal("\(quoted) has other sizes in front of its bytes than in the directory")
            }
            place = end + (entry.hasDescriptor ? descriptorBytes(bytes, end) : 0)
        }
        guard place == directory else { throw ArchiveRefusal("bytes before its directory belong to no entry") }
    }

    private static func descriptorBytes(_ bytes: [UInt8], _ place: Int) -> Int {
        number(bytes, place, 4) == 0x0807_4B50 ? 16 : 12
    }

    /// An unsigned number, the lowest byte first; −1 where the bytes end before it.
    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        guard place >= 0, place + count <= bytes.count else { return -1 }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Unpacks entries with libzip, which checks their checksums.
private enum ZipReader {
    static func files(_ entries: [ZipEntries.Entry], of bytes: [UInt8]) throws(ArchiveRefusal) -> [String: [UInt8]] {
        do {
            return try unsafe bytes.withUnsafeBytes { buffer in try unsafe files(entries, of: buffer) }
        } catch let refusal as ArchiveRefusal {
            throw refusal
        } catch {
            throw ArchiveRefusal("it cannot be unpacked")
        }
    }

    @unsafe
    private static func files(
        _ entries: [ZipEntries.Entry],
        of buffer: UnsafeRawBufferPointer
    ) throws -> [String: [UInt8]] {
        guard
            let source = unsafe zip_source_buffer_create(buffer.baseAddress, UInt64(buffer.count), 0, nil)
        else { throw ArchiveRefusal("there is no memory to unpack it") }
        guard let archive = unsafe zip_open_from_source(source, ZIP_RDONLY, nil) else {
            unsafe zip_source_free(source)
            throw ArchiveRefusal("libzip cannot read it")
        }
        defer { unsafe zip_discard(archive) }
        guard unsafe zip_get_num_entries(archive, 0) == entries.count else {
            throw ArchiveRefusal("libzip finds other entries in it")
        }
        var files: [String: [UInt8]] = [:]
        for (index, entry) in entries.enumerated() where !entry.isFolder {
            files[entry.name] = try unsafe file(entry, at: UInt64(index), in: archive)
        }
        return files
    }

    @unsafe
    private static func file(
        _ entry: ZipEntries.Entry,
        at index: UInt64,
        in archive: OpaquePointer
    ) throws(ArchiveRefusal) -> [UInt8] {
        let broken = ArchiveRefusal("\(PackageArchive.quoted(entry.name)) cannot be unpacked to what its sizes say")
        guard let name = unsafe zip_get_name(archive, index, zip_flags_t(ZIP_FL_ENC_RAW)),
            unsafe entry.name.utf8.elementsEqual(String(cString: name).utf8),
            let file = unsafe zip_fopen_index(archive, index, 0)
        else { throw broken }
        defer { unsafe zip_fclose(file) }
        // One byte more than there should be, so that the end is seen, where the checksum is looked at.
        let room = entry.unpackedBytes + 1
        var total = 0
        var isBroken = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            while total < room, let start = buffer.baseAddress {
                let read = unsafe zip_fread(file, start + total, UInt64(room - total))
                guard read > 0 else {
                    isBroken = read < 0
                    break
                }
                total += Int(read)
            }
            count = total
        }
        guard !isBroken, bytes.count == entry.unpackedBytes else { throw broken }
        return bytes
    }
}
