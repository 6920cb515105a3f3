#pragma once
#include <cairo-pdf.h>
#include <pango/pangocairo.h>

// A PDF that text and lines are drawn on, page by page: what we need of cairo and Pango, with types. Places and lengths are in
// points, from the upper left corner; colours are greys from 0 (black) to 1 (white).

typedef cairo_t *cpango_document;
typedef int (*cpango_write)(void *_Nonnull context, const unsigned char *_Nonnull bytes, unsigned int count);

// A document that hands its bytes to `write`, which answers 0; NULL if there is no memory.
static inline cpango_document _Nullable cpango_create(
    cpango_write _Nonnull write, void *_Nonnull context, double width, double height, const char *_Nonnull title,
    const char *_Nonnull created) {
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream((cairo_write_func_t)write, context, width, height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, created);
    cairo_t *document = cairo_create(surface);
    cairo_surface_destroy(surface);
    if (cairo_status(document) == CAIRO_STATUS_SUCCESS) { return document; }
    cairo_destroy(document);
    return NULL;
}

// Draws text in a column, broken into lines where it is too wide, or only measures it; answers its height. `alignment` is 0 for
// text that begins at the left edge and 1 for text that ends at the right one.
static inline double cpango_text(
    cpango_document _Nonnull document, const char *_Nonnull text, int count, const char *_Nonnull font, double x, double y,
    double width, int alignment, double grey, int draws) {
    PangoLayout *layout = pango_cairo_create_layout(document);
    PangoFontDescription *description = pango_font_description_from_string(font);
    pango_layout_set_font_description(layout, description);
    pango_font_description_free(description);
    pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_auto_dir(layout, FALSE);
    pango_layout_set_alignment(layout, alignment ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
    pango_layout_set_text(layout, text, count);
    int layout_width = 0, layout_height = 0;
    pango_layout_get_size(layout, &layout_width, &layout_height);
    if (draws) {
        cairo_set_source_rgb(document, grey, grey, grey);
        cairo_move_to(document, x, y);
        pango_cairo_show_layout(document, layout);
    }
    g_object_unref(layout);
    return (double)layout_height / PANGO_SCALE;
}

// A horizontal line.
static inline void cpango_line(cpango_document _Nonnull document, double x, double y, double width, double thickness, double grey) {
    cairo_set_source_rgb(document, grey, grey, grey);
    cairo_set_line_width(document, thickness);
    cairo_move_to(document, x, y);
    cairo_line_to(document, x + width, y);
    cairo_stroke(document);
}

// Ends a page.
static inline void cpango_end_page(cpango_document _Nonnull document) { cairo_show_page(document); }

// Ends the document, writes what is left of it and frees it; answers whether all of it could be made.
static inline int cpango_finish(cpango_document _Nonnull document) {
    cairo_surface_t *surface = cairo_get_target(document);
    cairo_surface_finish(surface);
    int is_whole = cairo_status(document) == CAIRO_STATUS_SUCCESS && cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(document);
    return is_whole;
}
