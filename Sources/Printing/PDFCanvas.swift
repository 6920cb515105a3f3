import CPango

/// What a PDF is written into.
final class PDFOutput {
    /// The bytes so far.
    private(set) var bytes: [UInt8] = []

    fileprivate func append(_ more: UnsafeBufferPointer<UInt8>) { unsafe bytes.append(contentsOf: more) }
}

/// The pages of a PDF in the making; lengths are in points, from the upper left corner.
///
/// It belongs to one task: nothing of it is used at once from two.
@safe final class PDFCanvas {
    /// How text is set.
    enum Style {
        /// The document's title.
        case title
        /// The heading of a part.
        case heading
        /// What something is called.
        case label
        /// Text that runs.
        case body
        /// A cell of a table.
        case cell
        /// A cell of a sum, or above a column.
        case sum

        fileprivate var font: String {
            switch self {
            case .title: "Sans Bold 15"
            case .heading: "Sans Bold 10.5"
            case .label, .body: "Sans 8.5"
            case .cell: "Sans 7"
            case .sum: "Sans Bold 7"
            }
        }

        fileprivate var grey: Double { self == .label ? 0.35 : 0 }
    }

    /// The width of A4.
    static let width = 595.276
    /// The height of A4.
    static let height = 841.89

    private let document: cpango_document
    /// Kept as long as the library writes into it.
    private let output: PDFOutput
    private var isOpen = true

    /// Begins a PDF; nil if there is no memory for it.
    init?(_ printed: PrintedDocument, into output: PDFOutput) {
        let context = unsafe Unmanaged.passUnretained(output).toOpaque()
        let write: cpango_write = { context, bytes, count in
            let output = unsafe Unmanaged<PDFOutput>.fromOpaque(context).takeUnretainedValue()
            unsafe output.append(UnsafeBufferPointer(start: bytes, count: Int(count)))
            return 0
        }
        let document = unsafe cpango_create(
            write,
            context,
            Self.width,
            Self.height,
            Self.cString(printed.title),
            Self.cString(printed.created)
        )
        guard let document = unsafe document else { return nil }
        unsafe self.document = document
        self.output = output
    }

    deinit {
        if isOpen { _ = unsafe cpango_finish(document) }
    }

    /// Sets text in a column, broken into lines where it is too wide, and answers its height.
    func text(
        _ text: String,
        _ style: Style,
        x: Double,
        y: Double,
        width: Double,
        isRight: Bool = false
    ) -> Double {
        set(text, style, x: x, y: y, width: width, isRight: isRight, draws: true)
    }

    /// How high text would be.
    func height(_ text: String, _ style: Style, width: Double) -> Double {
        set(text, style, x: 0, y: 0, width: width, isRight: false, draws: false)
    }

    /// Draws a horizontal line.
    func line(x: Double, y: Double, width: Double, thickness: Double) {
        unsafe cpango_line(document, x, y, width, thickness, 0.4)
    }

    /// Ends a page.
    func endPage() { unsafe cpango_end_page(document) }

    /// Ends the PDF; answers whether it is whole.
    func finish() -> Bool {
        guard isOpen else { return false }
        isOpen = false
        return unsafe cpango_finish(document) != 0
    }

    private func set(
        _ text: String,
        _ style: Style,
        x: Double,
        y: Double,
        width: Double,
        isRight: Bool,
        draws: Bool
    ) -> Double {
        let bytes = Self.cString(text)
        return unsafe cpango_text(
            document,
            bytes,
            Int32(bytes.count - 1),
            Self.cString(style.font),
            x,
            y,
            width,
            isRight ? 1 : 0,
            style.grey,
            draws ? 1 : 0
        )
    }

    /// Text with a zero behind it; line breaks and other controls are spaces.
    private static func cString(_ text: String) -> [CChar] {
        text.utf8.map { $0 < 0x20 || $0 == 0x7F ? CChar(0x20) : CChar(bitPattern: $0) } + [0]
    }
}
