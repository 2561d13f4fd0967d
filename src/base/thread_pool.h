// A fixed number of threads for work that divides into independent pieces. The pieces
// are numbered and write their results to their own place, so the outcome does not
// depend on the number of threads or on who was faster.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <expected>
#include <functional>
#include <list>
#include <mutex>
#include <string>

#include "base/workers.h"

namespace opm::base {

// A piece of work that threw; the one with the lowest number if several did.
struct JobFailure {
  std::size_t index = 0;
  std::string message;
};

class ThreadPool {
 public:
  // The caller of parallel_for works too, so `threads` is the number of pieces that run at
  // the same time, and 1 starts no thread. 0: as many as the machine has.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const { return workers_.size() + 1; }

  // Runs job(0) … job(count - 1) and returns when all are done, also when one failed. A job may
  // call this again. An exception ends the job that threw it and comes back as a value.
  std::expected<void, JobFailure> parallel_for(std::size_t count, const std::function<void(std::size_t)>& job);
  // The same, for the last time: threads end as soon as nothing is left for them, so that nobody waits for that later.
  std::expected<void, JobFailure> parallel_for_at_last(std::size_t count, const std::function<void(std::size_t)>& job);

 private:
  struct Batch;

  std::expected<void, JobFailure> run_batch(std::size_t count, const std::function<void(std::size_t)>& job,
                                            bool is_last);
  void work();
  static void run_some(Batch& batch);

  std::mutex mutex_;
  std::condition_variable work_available_;
  std::condition_variable batch_left_;
  std::list<Batch*> batches_;  // those with pieces that nobody has taken
  bool stopping_ = false;
  Workers workers_;
};

}  // namespace opm::base
