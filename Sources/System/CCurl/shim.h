#pragma once
#include <curl/curl.h>

// Swift cannot call variadic functions. Each wrapper below fixes one argument kind of curl_easy_setopt,
// curl_easy_getinfo or curl_multi_setopt, and does nothing else.

typedef size_t (*ccurl_sink)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*ccurl_prerequest)(
    void *_Nullable context, char *_Nullable peer_address, char *_Nullable own_address, int peer_port, int own_port);
typedef curl_socket_t (*ccurl_socket_opener)(
    void *_Nullable context, curlsocktype purpose, struct curl_sockaddr *_Nullable peer);

static inline CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *_Nonnull easy, CURLoption option, const char *_Nonnull value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_list(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable list) {
    return curl_easy_setopt(easy, option, list);
}

// libcurl copies the bytes.
static inline CURLcode ccurl_set_blob(
    CURL *_Nonnull easy, CURLoption option, const void *_Nullable bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

// The size goes first: it is how libcurl knows how much to copy.
static inline CURLcode ccurl_set_body(CURL *_Nonnull easy, const void *_Nonnull bytes, size_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode ccurl_set_body_sink(CURL *_Nonnull easy, ccurl_sink _Nonnull sink, void *_Nonnull context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, sink);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode ccurl_set_header_sink(CURL *_Nonnull easy, ccurl_sink _Nonnull sink, void *_Nonnull context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, sink);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline CURLcode ccurl_set_prerequest(
    CURL *_Nonnull easy, ccurl_prerequest _Nonnull prerequest, void *_Nonnull context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, prerequest);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline CURLcode ccurl_set_socket_opener(
    CURL *_Nonnull easy, ccurl_socket_opener _Nonnull opener, void *_Nonnull context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *_Nonnull easy, CURLINFO info, void *_Nullable *_Nonnull value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// The result stands in a union, which Swift reads only without its name.
static inline CURLcode ccurl_message_result(const CURLMsg *_Nonnull message) { return message->data.result; }
