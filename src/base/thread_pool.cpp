#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>

#include "base/pause.h"

namespace opm::base {

namespace {

constexpr int kTurnsBeforeSleep = 400;

// Others often are about to be done, or to have more to do, sooner than the kernel would wake this thread.
void spin(std::unique_lock<std::mutex>& lock, const auto& is_over) {
  for (int i = 0; i < kTurnsBeforeSleep && !is_over(); ++i) {
    lock.unlock();
    pause();
    lock.lock();
  }
}

}  // namespace

// One call of parallel_for. It lives on the caller's stack, which waits until no thread
// is inside any more.
struct ThreadPool::Batch {
  const std::function<void(std::size_t)>& job;
  std::size_t count;
  std::atomic<std::size_t> next = 0;
  std::size_t inside = 0;  // threads that help; guarded by the pool's mutex
  std::mutex failure_mutex;
  std::optional<JobFailure> failure;

  void fail(std::size_t index, std::string message) {
    std::lock_guard lock(failure_mutex);
    if (!failure || index < failure->index) failure = JobFailure{index, std::move(message)};
  }
};

ThreadPool::ThreadPool(std::size_t threads) {
  if (threads == 0) threads = usable_processors();
  workers_.start(threads - 1, [this](std::size_t) { work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_available_.notify_all();
  workers_.join();
}

void ThreadPool::run_some(Batch& batch) {
  for (std::size_t index = batch.next++; index < batch.count; index = batch.next++) {
    try {
      batch.job(index);
    } catch (const std::exception& exception) {
      batch.fail(index, exception.what());
    } catch (...) {
      batch.fail(index, "unknown exception");
    }
  }
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    auto is_called = [this] { return stopping_ || !batches_.empty(); };
    spin(lock, is_called);
    work_available_.wait(lock, is_called);
    if (batches_.empty()) return;
    // The newest first: a batch inside a job holds up that job.
    Batch& batch = *batches_.back();
    ++batch.inside;
    lock.unlock();
    run_some(batch);
    lock.lock();
    batches_.remove(&batch);
    --batch.inside;
    batch_left_.notify_all();
  }
}

std::expected<void, JobFailure> ThreadPool::parallel_for(std::size_t count,
                                                         const std::function<void(std::size_t)>& job) {
  return run_batch(count, job, false);
}

std::expected<void, JobFailure> ThreadPool::parallel_for_at_last(std::size_t count,
                                                                 const std::function<void(std::size_t)>& job) {
  return run_batch(count, job, true);
}

std::expected<void, JobFailure> ThreadPool::run_batch(std::size_t count, const std::function<void(std::size_t)>& job,
                                                      bool is_last) {
  Batch batch{.job = job, .count = count};
  if (count <= 1 || workers_.size() == 0) {
    run_some(batch);
  } else {
    {
      std::lock_guard lock(mutex_);
      batches_.push_back(&batch);
      stopping_ = stopping_ || is_last;
    }
    work_available_.notify_all();
    run_some(batch);
    std::unique_lock lock(mutex_);
    batches_.remove(&batch);
    auto is_done = [&] { return batch.inside == 0; };
    spin(lock, is_done);
    batch_left_.wait(lock, is_done);
  }
  if (batch.failure) return std::unexpected(std::move(*batch.failure));
  return {};
}

}  // namespace opm::base
