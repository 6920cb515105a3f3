import HTTPTypes
import Hummingbird
import NIOCore
import Printing
import WireFormats

/// An answer that people keep as a file: its name, and how it is shown.
struct PaperFile {
    /// The name without its ending, in any script.
    let name: String
    /// What it is written as.
    let format: PaperFormat

    /// The answer.
    func response(_ body: ResponseBody) -> Response {
        var headers: HTTPFields = [.contentType: format.mediaType]
        headers[.contentDisposition] = disposition
        if format == .html, let policy = HTTPField.Name("Content-Security-Policy") {
            headers[policy] = HTMLPage.contentSecurityPolicy
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// The answer with these bytes.
    func response(_ bytes: some Sequence<UInt8>) -> Response {
        response(ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The answer that is a document for print.
    ///
    /// - Throws: `PDFPage.Failure`.
    func response(_ document: PrintedDocument) throws -> Response {
        format == .pdf
            ? response(try PDFPage.bytes(document)) : response(HTMLPage.text(document).utf8)
    }

    /// `Content-Disposition` (RFC 6266): the name in plain ASCII for old programs, and as it is for all others.
    var disposition: String {
        let isShown = format == .html || format == .pdf
        let ending = format == .camt053 ? "xml" : format.rawValue
        let plain = Self.plain(name)
        return (isShown ? "inline" : "attachment") + "; filename=\"\(plain).\(ending)\"; filename*=UTF-8''"
            + PercentEncoding.encode("\(Self.fileName(name)).\(ending)")
    }

    /// The name in letters, digits, point, hyphen and underscore.
    private static func plain(_ name: String) -> String {
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars {
            let isPlain =
                switch scalar {
                case "A"..."Z", "a"..."z", "0"..."9", ".", "_": true
                default: false
                }
            let hyphen = UInt8(ascii: "-")
            if isPlain { bytes.append(UInt8(scalar.value)) } else if bytes.last != hyphen { bytes.append(hyphen) }
        }
        return String(decoding: bytes.prefix(120), as: UTF8.self)
    }

    /// The name without what no system takes in a file's name, and without what separates folders.
    private static func fileName(_ name: String) -> String {
        let scalars = name.unicodeScalars.prefix(120).map { scalar -> Unicode.Scalar in
            switch scalar {
            case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": "-"
            case " ": "_"
            default: scalar.value < 0x20 || scalar.value == 0x7F ? "-" : scalar
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
