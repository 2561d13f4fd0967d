// Threads that help their caller with work that divides. They begin at once, each on another processor than the caller's:
// kernels that keep new threads together until they are known to be busy let a run of a few milliseconds end before its
// threads ever ran side by side. Once it runs, a thread may be moved anywhere.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace opm::base {

class Workers {
 public:
  Workers();
  // Runs work(0) … work(count - 1), each in a thread of its own. The caller has to do what nobody else does: the system may give
  // fewer threads, and on a busy machine some may not get to run in time.
  Workers(std::size_t count, std::function<void(std::size_t)> work);
  // Waits for those that have begun. The others never will: where the caller is done there is nothing left for them, and
  // to wait for a processor to do nothing with takes longer than most of what is done here.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void start(std::size_t count, std::function<void(std::size_t)> work);
  void join();
  std::size_t size() const { return threads_.size(); }

 private:
  struct Start;

  std::vector<pthread_t> threads_;
  std::vector<std::shared_ptr<Start>> starts_;
  std::function<void(std::size_t)> work_;
};

// How many processors this process may use.
std::size_t usable_processors();

}  // namespace opm::base
