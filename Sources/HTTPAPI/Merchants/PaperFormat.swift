import Hummingbird

/// What a statement or an invoice is written as.
enum PaperFormat: String, Sendable, CaseIterable {
    /// A document for programs.
    case json
    /// Comma-separated values for spreadsheets.
    case csv
    /// camt.053 of ISO 20022 for accounting programs.
    case camt053
    /// A page for people, made for print.
    case html
    /// The same as a file.
    case pdf

    /// The media type.
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv"
        case .camt053: "application/xml"
        case .html: "text/html"
        case .pdf: "application/pdf"
        }
    }

    /// What a request asks for: by `format`, else by the first type of `Accept` that there is.
    ///
    /// - Throws: a 422 ``Problem`` for a format that there is not.
    static func asked(
        _ query: Query,
        _ request: Request,
        among formats: [PaperFormat]
    ) throws(Problem) -> PaperFormat {
        if let name = query["format"] {
            guard let format = formats.first(where: { $0.rawValue == name }) else {
                throw Query.refusal("format", "one of \(formats.map(\.rawValue).joined(separator: ", "))")
            }
            return format
        }
        let types = (request.headers[.accept]?.boundedASCII ?? "").split(separator: ",").map { range in
            range.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        }
        for type in types {
            if type == "*/*" || type == "application/*" { return .json }
            if type == "text/*" { return formats.contains(.csv) ? .csv : .html }
            if let format = formats.first(where: { $0.mediaType == type }) { return format }
        }
        return .json
    }
}
