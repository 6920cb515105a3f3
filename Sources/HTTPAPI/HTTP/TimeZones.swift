package import Domain
import NIOCore
import NIOFileSystem

/// The time zones that this machine knows.
package enum TimeZones {
    /// Where the tz database is.
    private static let folder = "/usr/share/zoneinfo/"
    private static let sizeLimit = ByteCount.kibibytes(64)

    /// The calendar of a time zone, as `Europe/Berlin`; nil if this machine knows none of that name.
    package static func calendar(of zone: String) async -> LocalCalendar? {
        guard zone != LocalCalendar.utc.zone else { return .utc }
        guard TimeZoneName.isValid(zone) else { return nil }
        let path = FilePath(folder + zone)
        guard let file = try? await ByteBuffer(contentsOf: path, maximumSizeAllowed: sizeLimit) else { return nil }
        return TimeZoneFile.calendar(Array(file.readableBytesView), zone: zone)
    }
}
