#include "cue/large_stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <utility>

#include "base/pages.h"
#include "base/sanitized.h"
#include "cue/value.h"

namespace opm::cue {

namespace {

// One level of the budget's depth takes a few frames; the pages are only touched when a
// configuration really nests that deeply.
constexpr std::size_t kStackBytes = 512u << 20;

// What any evaluation uses: to be given these pages at once takes a fraction of the time that it takes one by one.
constexpr std::size_t kFirstBytes = 24u << 10;

thread_local const StackBounds* current = nullptr;

// What stays of it for the next time, so that many small evaluations do not wait for fresh pages.
constexpr std::size_t kKeptBytes = 256u << 10;
// Below, that much is marked: who goes deeper than what is kept writes over some of it.
constexpr std::size_t kMarkedWords = 512;
constexpr std::uint64_t kMark = 0x6f706d2d6d61726b;

bool is_marked(std::span<const std::uint64_t> words) {
  // They are all the same if each is what the one before it is.
  return words.front() == kMark && std::memcmp(words.data(), words.data() + 1, words.size_bytes() - sizeof(kMark)) == 0;
}

// Ends in a page that may not be touched.
class Stack {
 public:
  Stack() {
    base::open_heap();
    void* memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    auto guard = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (mprotect(memory, guard, PROT_NONE) != 0) {
      munmap(memory, kStackBytes);
      return;
    }
    memory_ = memory;
    bounds_ = {static_cast<char*>(memory) + guard, kStackBytes - guard};
    madvise(static_cast<char*>(memory) + kStackBytes - kFirstBytes, kFirstBytes, MADV_POPULATE_WRITE);
  }
  ~Stack() {
    if (memory_ != nullptr) munmap(memory_, kStackBytes);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  bool ok() const { return memory_ != nullptr; }
  // To be called before each use. What a deep evaluation took goes back; a single one need not wait for that.
  void renew() {
    if (!std::exchange(was_used_, true)) return;
    std::size_t dropped = bounds_.size - kKeptBytes;
    auto* behind = reinterpret_cast<std::uint64_t*>(static_cast<char*>(bounds_.lowest) + dropped);
    std::span<std::uint64_t> marked(behind - kMarkedWords, kMarkedWords);
    if (is_marked(marked)) return;
    madvise(bounds_.lowest, dropped, MADV_DONTNEED);
    std::ranges::fill(marked, kMark);
  }
  const StackBounds& bounds() const { return bounds_; }

 private:
  void* memory_ = nullptr;
  StackBounds bounds_;
  bool was_used_ = false;
};

struct Job {
  const std::function<void()>& work;
  const StackBounds& stack;
  std::exception_ptr failure;

  void run() {
    current = &stack;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();  // memory ran out; whoever called says so
    }
    current = nullptr;
  }
};

// Sanitizers keep books on the stacks of threads, and know nothing of others.
#ifdef OPM_SANITIZED

void* run_job(void* argument) {
  static_cast<Job*>(argument)->run();
  return nullptr;
}

bool run_on(const Stack& stack, Job& job) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack.bounds().lowest, stack.bounds().size);
  pthread_t thread;
  bool started = pthread_create(&thread, &attributes, run_job, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, nullptr);
  return started;
}

#elif defined(__x86_64__)

void run_job(Job* job) { job->run(); }

// To stand on another stack is all that is wanted. A context (ucontext.h) has a mask of signals as well, for which it asks the
// kernel three times: as long as a tenth of a small evaluation.
[[gnu::noinline]] bool run_on(const Stack& stack, Job& job) {
  auto top = (reinterpret_cast<std::uintptr_t>(stack.bounds().lowest) + stack.bounds().size) & ~std::uintptr_t{63};
  Job* argument = &job;
  asm volatile(
      "movq %%rsp, %%rbx\n\t"
      "movq %[top], %%rsp\n\t"
      "callq *%[function]\n\t"
      "movq %%rbx, %%rsp"
      : "+D"(argument)
      : [top] "r"(top), [function] "r"(&run_job)
      : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
        "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
  return true;
}

#else

// A context takes numbers of 32 bits only.
void run_job(unsigned high, unsigned low) {
  auto address = (std::uintptr_t{high} << 32) | low;
  reinterpret_cast<Job*>(address)->run();
}

bool run_on(const Stack& stack, Job& job) {
  ucontext_t here;
  ucontext_t there;
  if (getcontext(&there) != 0) return false;
  there.uc_stack.ss_sp = stack.bounds().lowest;
  there.uc_stack.ss_size = stack.bounds().size;
  there.uc_link = &here;
  auto address = reinterpret_cast<std::uintptr_t>(&job);
  makecontext(&there, reinterpret_cast<void (*)()>(run_job), 2, static_cast<unsigned>(address >> 32),
              static_cast<unsigned>(address));
  return swapcontext(&here, &there) == 0;
}

#endif

}  // namespace

const StackBounds* current_large_stack() { return current; }

void run_on_large_stack(const std::function<void()>& work) {
  if (current != nullptr) {
    work();
    return;
  }
  // A thread keeps it: to map it takes as long as a small evaluation.
  thread_local Stack stack;
  if (stack.ok()) stack.renew();
  Job job{work, stack.bounds(), nullptr};
  if (!stack.ok() || !run_on(stack, job)) {
    work();
    return;
  }
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace opm::cue
