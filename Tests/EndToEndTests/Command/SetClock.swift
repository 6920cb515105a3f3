import Foundation
import Testing
import TributaryTestKit

/// A clock that a test sets for programs that it starts: libfaketime has them see another time than the machine's.
///
/// Time that passes is not set with it, nor is when timers ring. libfaketime takes what a clock is set ahead by off the time of each timer
/// of the monotonic clock as well: on a machine that has been up for less than that the time is none, and nothing that sleeps wakes again. So
/// those are set by the system alone.
struct SetClock {
    /// libfaketime; nil where it is not installed.
    static let library: String? = {
        let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }
        return folders.first { FileManager.default.fileExists(atPath: $0) }
    }()

    private static let timers = """
        #include <sys/syscall.h>
        #include <sys/timerfd.h>
        #include <unistd.h>
        int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
            return syscall(SYS_timerfd_settime, timer, flags, value, old);
        }

        """

    /// What the environments of programs say that see the time of the clock; empty where libfaketime is not installed.
    let environment: [String: String]
    private let file: String

    /// Makes a clock that is right.
    ///
    /// - Parameter file: where it stands how far it is set; what is compiled for it is put beside that.
    /// - Throws: `ProgramFailure`, or that there is no compiler.
    init(_ file: String) async throws {
        self.file = file
        var environment: [String: String] = [:]
        if let library = Self.library {
            environment = [
                "LD_PRELOAD": try await Self.compiled(beside: URL(fileURLWithPath: file)) + ":" + library,
                "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1",
                // By either name, as its versions have it.
                "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
            ]
        }
        self.environment = environment
        try set("+0")
    }

    /// Sets it: `+2h` is two hours ahead of the machine's.
    func set(_ difference: String) throws {
        try "\(difference)\n".write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Compiles the call that sets timers, with the compiler that comes with Swift.
    private static func compiled(beside file: URL) async throws -> String {
        let folder = file.deletingLastPathComponent()
        let (source, library) = (folder.appending(path: "timers.c"), folder.appending(path: "timers.so"))
        guard !FileManager.default.fileExists(atPath: library.path) else { return library.path }
        try timers.write(to: source, atomically: true, encoding: .utf8)
        try await Programs.with { programs in
            let words = ["clang", "-shared", "-fPIC", "-o", library.path, source.path]
            let compiler = try programs.start(URL(fileURLWithPath: "/usr/bin/env"), words)
            let result = try await Finished(compiler, within: .patience)
            try #require(result.status == 0, "\(result.err)")
        }
        return library.path
    }
}
