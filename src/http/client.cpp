#include "http/client.h"

#include <curl/curl.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "http/authorities.h"

namespace opm::http {
namespace {

struct HandleCloser {
  void operator()(CURL* handle) const { ::curl_easy_cleanup(handle); }
};
using Handle = std::unique_ptr<CURL, HandleCloser>;

struct ListCloser {
  void operator()(curl_slist* list) const { ::curl_slist_free_all(list); }
};

struct MultiCloser {
  void operator()(CURLM* multi) const { ::curl_multi_cleanup(multi); }
};
using Multi = std::unique_ptr<CURLM, MultiCloser>;

struct Transfer {
  const Request& request;
  Answer answer;
  std::string_view body;  // what is still to be sent
  std::size_t header_bytes = 0;
  bool too_large = false;
  bool enough = false;  // whoever takes the pieces wants no more
  CURL* handle = nullptr;
  char message[CURL_ERROR_SIZE] = {};
  std::optional<CURLcode> result;  // set when it is over, under the client's mutex
  std::condition_variable over;    // each its own, so that only the one is woken
  bool stopped = false;
};

constexpr std::size_t kMaxHeaders = 1000;
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '\r' || text.back() == '\n' || text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  std::string_view line(data, size * count);
  transfer.header_bytes += line.size();
  if (transfer.header_bytes > kMaxHeaderBytes) {
    transfer.too_large = true;
    return 0;
  }
  // An answer "100 Continue" comes before the real one.
  if (line.starts_with("HTTP/")) transfer.answer.headers.clear();
  std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || transfer.answer.headers.size() >= kMaxHeaders) return line.size();
  std::string& value = transfer.answer.headers[lower(line.substr(0, colon))];
  if (!value.empty()) value += ", ";
  value += trimmed(line.substr(colon + 1));
  return line.size();
}

std::size_t on_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  std::size_t bytes = size * count;
  if (transfer.request.on_piece) {
    long status = 0;
    ::curl_easy_getinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200 && status < 300) {
      transfer.enough = !transfer.request.on_piece({data, bytes});
      return transfer.enough ? 0 : bytes;
    }
  }
  if (bytes > transfer.request.max_answer_bytes - transfer.answer.body.size()) {
    transfer.too_large = true;
    return 0;
  }
  transfer.answer.body.append(data, bytes);
  return bytes;
}

std::size_t on_send(char* buffer, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  std::size_t bytes = std::min(size * count, transfer.body.size());
  std::copy_n(transfer.body.data(), bytes, buffer);
  transfer.body.remove_prefix(bytes);
  return bytes;
}

// Asked for when a connection that was kept turns out to be closed, and what was sent is to be sent on another one.
int on_rewind(void* user, curl_off_t offset, int origin) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (origin != SEEK_SET || offset < 0 || static_cast<std::size_t>(offset) > transfer.request.body.size())
    return CURL_SEEKFUNC_FAIL;
  transfer.body = transfer.request.body.substr(static_cast<std::size_t>(offset));
  return CURL_SEEKFUNC_OK;
}

int on_progress(void* user, curl_off_t expected, curl_off_t received, curl_off_t, curl_off_t) {
  static_cast<Transfer*>(user)->request.progress(static_cast<std::uint64_t>(received),
                                                 static_cast<std::uint64_t>(expected));
  return 0;
}

FailureKind kind_of(CURLcode code, std::string_view message) {
  switch (code) {
    case CURLE_SSL_CONNECT_ERROR:
      // Broken while the two sides were still getting to know each other, which is not the same as not understanding.
      for (std::string_view sign : {"SSL_ERROR_SYSCALL", "reset by peer", "unexpected eof"})
        if (message.find(sign) != std::string_view::npos) return FailureKind::interrupted;
      return FailureKind::other;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      return FailureKind::no_connection;
    case CURLE_OPERATION_TIMEDOUT:
      return FailureKind::too_slow;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
      return FailureKind::not_trusted;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_FAIL_REWIND:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return FailureKind::interrupted;
    default:
      return FailureKind::other;
  }
}

// One thread moves the bytes of all questions, so that they can share connections. Whoever asks waits for it.
class CurlClient final : public Client {
 public:
  explicit CurlClient(ClientOptions options) : options_(std::move(options)) {
    if (options_.environment == nullptr) options_.environment = &base::real_environment();
    // Names are looked up at the proxy, where they mean something.
    if (options_.proxy && options_.proxy->starts_with("socks5:")) options_.proxy->insert(6, "h");
  }

  ~CurlClient() override {
    {
      std::lock_guard lock(mutex_);
      closing_ = true;
      if (multi_) ::curl_multi_wakeup(multi_.get());
    }
    if (mover_.joinable()) mover_.join();
  }

  std::expected<Answer, Failure> send(const Request& request) override {
    if (request.stop.stop_requested()) return std::unexpected(stopped());
    Handle handle = take();
    if (!handle) return std::unexpected(Failure{FailureKind::other, "cannot start a transfer"});
    Transfer transfer{.request = request};
    transfer.body = request.body;
    transfer.handle = handle.get();
    List headers = header_list(request);
    List destination;
    std::string url = request.url.text();
    if (!options_.tls.server_name.empty() && request.url.scheme == "https") {
      // Certificates are checked against the host of the address, so the address gets that name and the
      // connection goes where it was meant to.
      Url renamed = request.url;
      renamed.host = options_.tls.server_name;
      url = renamed.text();
      destination = one_line("::" + request.url.host + ":" + request.url.port);
      headers = List(::curl_slist_append(headers.release(), ("Host: " + request.url.authority()).c_str()));
    }
    set_up(transfer, url, headers.get(), destination.get());
    move(transfer);
    if (transfer.stopped) return std::unexpected(stopped());
    if (*transfer.result != CURLE_OK && !transfer.enough) return std::unexpected(failure(*transfer.result, transfer));
    long status = 0;
    ::curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    transfer.answer.status = static_cast<int>(status);
    give_back(std::move(handle));
    return std::move(transfer.answer);
  }

 private:
  using List = std::unique_ptr<curl_slist, ListCloser>;

  static Failure stopped() { return {FailureKind::stopped, "stopped"}; }

  Handle take() {
    std::lock_guard lock(mutex_);
    if (!multi_) {
      // Not before it is needed: it loads libraries.
      static const CURLcode ready = ::curl_global_init(CURL_GLOBAL_DEFAULT);
      if (ready != CURLE_OK) return {};
      multi_.reset(::curl_multi_init());
      if (!multi_) return {};
      ::curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, 64L);
      mover_ = std::thread([this] { run(); });
    }
    if (idle_.empty()) return Handle(::curl_easy_init());
    Handle handle = std::move(idle_.back());
    idle_.pop_back();
    return handle;
  }

  void give_back(Handle handle) {
    ::curl_easy_reset(handle.get());
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(handle));
  }

  // Hands it to the thread and waits until it is over.
  void move(Transfer& transfer) {
    std::stop_callback wake(transfer.request.stop, [this] { ::curl_multi_wakeup(multi_.get()); });
    std::unique_lock lock(mutex_);
    arriving_.push_back(&transfer);
    ::curl_multi_wakeup(multi_.get());
    transfer.over.wait(lock, [&] { return transfer.result.has_value(); });
  }

  void run() {
    CURLM* multi = multi_.get();
    std::vector<Transfer*> moving;
    for (;;) {
      std::vector<Transfer*> arrived;
      {
        std::lock_guard lock(mutex_);
        if (closing_) return;
        arrived.swap(arriving_);
      }
      for (Transfer* transfer : arrived) {
        if (::curl_multi_add_handle(multi, transfer->handle) == CURLM_OK) moving.push_back(transfer);
        else end(*transfer, CURLE_FAILED_INIT);
      }
      int running = 0;
      ::curl_multi_perform(multi, &running);
      int left = 0;
      while (CURLMsg* message = ::curl_multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL* handle = message->easy_handle;
        CURLcode result = message->data.result;
        auto found = std::ranges::find(moving, handle, &Transfer::handle);
        ::curl_multi_remove_handle(multi, handle);
        if (found == moving.end()) continue;
        Transfer* transfer = *found;
        moving.erase(found);
        end(*transfer, result);
      }
      std::erase_if(moving, [&](Transfer* transfer) {
        if (!transfer->request.stop.stop_requested()) return false;
        ::curl_multi_remove_handle(multi, transfer->handle);
        transfer->stopped = true;
        end(*transfer, CURLE_ABORTED_BY_CALLBACK);
        return true;
      });
      ::curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
    }
  }

  void end(Transfer& transfer, CURLcode result) {
    std::lock_guard lock(mutex_);
    transfer.result = result;
    transfer.over.notify_one();  // under the lock: after it the transfer may be gone
  }

  void set_up(Transfer& transfer, const std::string& url, curl_slist* headers, curl_slist* destination) const {
    const Request& request = transfer.request;
    CURL* curl = transfer.handle;
    ::curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    ::curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    ::curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    ::curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, transfer.message);
    ::curl_easy_setopt(curl, CURLOPT_USERAGENT, options_.user_agent.c_str());
    ::curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (destination != nullptr) ::curl_easy_setopt(curl, CURLOPT_CONNECT_TO, destination);
    ::curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
    ::curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
    ::curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    ::curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    ::curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_timeout.count()));
    ::curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
    ::curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    ::curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME,
                       static_cast<long>(request.stall_timeout.value_or(options_.stall_timeout).count()));
    ::curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, 256L * 1024);
    ::curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
    if (request.accept_compressed) ::curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
    if (options_.share_connection) ::curl_easy_setopt(curl, CURLOPT_PIPEWAIT, 1L);
    set_method(curl, request, transfer);
    set_proxy(curl, request.url);
    set_certificates(curl);
    if (request.progress) {
      ::curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
      ::curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
      ::curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
    }
  }

  static List one_line(const std::string& text) { return List(::curl_slist_append(nullptr, text.c_str())); }

  static List header_list(const Request& request) {
    curl_slist* list = nullptr;
    for (const auto& [name, value] : request.headers)
      list = ::curl_slist_append(list, (name + ": " + value).c_str());
    // Nothing is sent ahead of its permission; servers that would refuse are asked first.
    list = ::curl_slist_append(list, "Expect:");
    return List(list);
  }

  static void set_method(CURL* curl, const Request& request, Transfer& transfer) {
    if (request.method == "HEAD") {
      ::curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    } else if (request.method != "GET") {
      ::curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
      ::curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
      ::curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_send);
      ::curl_easy_setopt(curl, CURLOPT_READDATA, &transfer);
      ::curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, on_rewind);
      ::curl_easy_setopt(curl, CURLOPT_SEEKDATA, &transfer);
      ::curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    }
  }

  std::string variable(const char* upper, const char* lower_case) const {
    auto value = options_.environment->get(upper);
    if (!value || value->empty()) value = options_.environment->get(lower_case);
    return value.value_or("");
  }

  // Nobody stands between this machine and itself.
  void set_proxy(CURL* curl, const Url& url) const {
    // Names and passwords; without Kerberos.
    ::curl_easy_setopt(curl, CURLOPT_SOCKS5_AUTH, static_cast<long>(CURLAUTH_BASIC));
    if (options_.proxy) {
      ::curl_easy_setopt(curl, CURLOPT_PROXY, options_.proxy->c_str());
      ::curl_easy_setopt(curl, CURLOPT_NOPROXY, "");
      return;
    }
    std::string proxy;
    if (!url.is_loopback())
      proxy = url.scheme == "https" ? variable("HTTPS_PROXY", "https_proxy") : variable("HTTP_PROXY", "http_proxy");
    ::curl_easy_setopt(curl, CURLOPT_PROXY, proxy.c_str());  // empty: none
    ::curl_easy_setopt(curl, CURLOPT_NOPROXY, variable("NO_PROXY", "no_proxy").c_str());
  }

  static void set_blob(CURL* curl, CURLoption option, const std::string& pem) {
    // Not copied: the options outlive every transfer.
    curl_blob blob{const_cast<char*>(pem.data()), pem.size(), CURL_BLOB_NOCOPY};
    ::curl_easy_setopt(curl, option, &blob);
  }

  void set_certificates(CURL* curl) const {
    const Tls& tls = options_.tls;
    if (!tls.certificate.empty()) {
      set_blob(curl, CURLOPT_SSLCERT_BLOB, tls.certificate);
      set_blob(curl, CURLOPT_SSLKEY_BLOB, tls.key);
    }
    if (tls.insecure) {
      ::curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
      ::curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    if (!tls.authorities.empty()) {
      // Those and nobody else.
      ::curl_easy_setopt(curl, CURLOPT_CAINFO, nullptr);
      ::curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
      set_blob(curl, CURLOPT_CAINFO_BLOB, tls.authorities);
      return;
    }
    auto file = options_.environment->get("SSL_CERT_FILE");
    if (!file || file->empty()) file = system_authorities();
    if (!file->empty()) ::curl_easy_setopt(curl, CURLOPT_CAINFO, file->c_str());
    if (auto folder = options_.environment->get("SSL_CERT_DIR"); folder && !folder->empty())
      ::curl_easy_setopt(curl, CURLOPT_CAPATH, folder->c_str());
  }

  static Failure failure(CURLcode code, const Transfer& transfer) {
    if (transfer.header_bytes > kMaxHeaderBytes)
      return {FailureKind::too_large, "the headers of the answer are larger than " + std::to_string(kMaxHeaderBytes) + " bytes"};
    if (transfer.too_large)
      return {FailureKind::too_large,
              "the answer is larger than " + std::to_string(transfer.request.max_answer_bytes) + " bytes"};
    std::string text = transfer.message[0] != '\0' ? transfer.message : ::curl_easy_strerror(code);
    if (!text.empty() && text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z')
      text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return {kind_of(code, text), std::move(text)};
  }

  ClientOptions options_;
  std::mutex mutex_;
  Multi multi_;
  std::vector<Handle> idle_;
  std::vector<Transfer*> arriving_;
  bool closing_ = false;
  std::thread mover_;
};

}  // namespace

std::string_view Answer::header(const std::string& name) const {
  auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::unique_ptr<Client> make_client(ClientOptions options) { return std::make_unique<CurlClient>(std::move(options)); }

}  // namespace opm::http
