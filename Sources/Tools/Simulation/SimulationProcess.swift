import CProcess
import Glibc

/// A process that simulates: sets and dictionaries go through their elements in the same order as in every other one, and it
/// keeps the memory that it has, since each run gives back what the next one wants.
package enum SimulationProcess {
    /// The program cannot be started anew; with the system's words.
    package struct Failure: Error, CustomStringConvertible {
        /// A sentence.
        package let description: String
    }

    private static let name = "SWIFT_DETERMINISTIC_HASHING"
    /// From how many bytes on the C library gives memory back to the system, or takes it for one block alone.
    private static let memory = [("MALLOC_TRIM_THRESHOLD_", 1 << 30), ("MALLOC_MMAP_THRESHOLD_", 1 << 25)]
    /// Has the C library keep as many free blocks of a size as it can count at the thread that gave them back.
    ///
    /// They are had again at once; it keeps seven otherwise, and looks for the others among all that are free.
    private static let tunables = ("GLIBC_TUNABLES", "glibc.malloc.tcache_count=65535")

    /// Starts the program anew as such a process, with the same arguments, unless it is one.
    ///
    /// - Throws: ``Failure``.
    package static func require() throws(Failure) {
        if let value = unsafe getenv(name), unsafe String(cString: value) == "1" {
            // Who began to use SQLite before keeps its counts.
            _ = cprocess_leave_sqlite_uncounted()
            return
        }
        unsafe setenv(name, "1", 1)
        for (variable, bytes) in Self.memory { unsafe setenv(variable, String(bytes), 0) }
        unsafe setenv(Self.tunables.0, Self.tunables.1, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe CommandLine.arguments.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        unsafe execv("/proc/self/exe", &arguments)
        throw Failure(description: "the program cannot be started anew: \(unsafe String(cString: strerror(errno)))")
    }
}
