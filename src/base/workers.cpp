#include "base/workers.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>

#include "base/pages.h"
#include "base/pause.h"

namespace opm::base {

namespace {

constexpr int kTurnsBeforeSleep = 1000;

class ProcessorSet {
 public:
  static ProcessorSet of_caller() {
    ProcessorSet result;
    result.known_ = sched_getaffinity(0, sizeof(result.set_), &result.set_) == 0;
    return result;
  }

  std::size_t size() const { return known_ ? static_cast<std::size_t>(CPU_COUNT(&set_)) : 0; }

  // The part of the other processors that the thread `index` of `count` is to begin on; empty: there are no others.
  ProcessorSet part(std::size_t index, std::size_t count) const {
    ProcessorSet result;
    if (!known_) return result;
    int here = sched_getcpu();
    std::vector<int> others;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
      if (processor != here && CPU_ISSET(processor, &set_)) others.push_back(processor);
    }
    // With more threads than processors there is nothing to spread.
    std::size_t parts = count <= others.size() ? count : 1;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (i * parts / others.size() == index % parts) CPU_SET(others[i], &result.set_);
    }
    result.known_ = true;
    return result;
  }

  void suggest(pthread_attr_t& attributes) const {
    if (size() > 0) pthread_attr_setaffinity_np(&attributes, sizeof(set_), &set_);
  }
  void use() const {
    if (size() > 0) sched_setaffinity(0, sizeof(set_), &set_);
  }

 private:
  ProcessorSet() { CPU_ZERO(&set_); }

  cpu_set_t set_;
  bool known_ = false;
};

}  // namespace

// Belongs to the thread and to who started it: each may be the last to know of it.
struct Workers::Start {
  const std::function<void(std::size_t)>& work;
  std::size_t index;
  ProcessorSet allowed;
  std::atomic<bool> is_taken = false;  // by the thread, which then runs, or by who does not wait for it any more
  std::shared_ptr<Start> kept_for_thread = nullptr;

  static void* run(void* start) {
    std::shared_ptr<Start> own = std::move(static_cast<Start*>(start)->kept_for_thread);
    if (own->is_taken.exchange(true)) return nullptr;
    own->allowed.use();
    open_heap();
    own->work(own->index);
    return nullptr;
  }
};

Workers::Workers() = default;

Workers::~Workers() { join(); }

Workers::Workers(std::size_t count, std::function<void(std::size_t)> work) { start(count, std::move(work)); }

void Workers::start(std::size_t count, std::function<void(std::size_t)> work) {
  if (count == 0) return;
  work_ = std::move(work);
  ProcessorSet allowed = ProcessorSet::of_caller();
  threads_.reserve(count);
  starts_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto start = std::make_shared<Start>(work_, i, allowed);
    start->kept_for_thread = start;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    allowed.part(i, count).suggest(attributes);
    pthread_t thread;
    int failure = pthread_create(&thread, &attributes, Start::run, start.get());
    pthread_attr_destroy(&attributes);
    // Processors come and go: then it begins wherever the kernel likes.
    if (failure == EINVAL) failure = pthread_create(&thread, nullptr, Start::run, start.get());
    if (failure != 0) {
      start->kept_for_thread = nullptr;
      return;
    }
    threads_.push_back(thread);
    starts_.push_back(std::move(start));
  }
}

void Workers::join() {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (!starts_[i]->is_taken.exchange(true)) {
      pthread_detach(threads_[i]);
      continue;
    }
    // Most are about to end, sooner than the kernel would wake this thread.
    int failure = EBUSY;
    for (int turn = 0; turn < kTurnsBeforeSleep && failure == EBUSY; ++turn) {
      failure = pthread_tryjoin_np(threads_[i], nullptr);
      pause();
    }
    if (failure == EBUSY) pthread_join(threads_[i], nullptr);
  }
  threads_.clear();
  starts_.clear();
}

std::size_t usable_processors() {
  // Asking the kernel takes half a microsecond, the standard library reads a file.
  static const std::size_t known = ProcessorSet::of_caller().size();
  return known > 0 ? known : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace opm::base
