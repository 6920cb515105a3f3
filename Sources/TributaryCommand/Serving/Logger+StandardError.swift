import Logging
import Settings

extension Logger {
    /// A logger to standard error, one line a message.
    static func standardError(_ level: LogLevel = .info) -> Logger {
        var logger = Logger(label: "tributary") { label in StreamLogHandler.standardError(label: label) }
        logger.logLevel = Logger.Level(rawValue: level.rawValue) ?? .info
        return logger
    }
}
