/// The connection was closed on purpose and there is nothing to answer.
struct ConnectionDropped: Error {}
