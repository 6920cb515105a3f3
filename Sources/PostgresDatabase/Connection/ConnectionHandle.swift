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
