// A table of objects and what became of them, drawn anew on the terminal as things happen, for those who asked for it.
// It is gone when the work is done.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "cli/output.h"
#include "opm/release/entry.h"

namespace opm::cli {

class ProgressTable {
 public:
  // nullptr, or no terminal: nothing is shown.
  explicit ProgressTable(Output* err);
  ProgressTable(Output* err, bool is_terminal, std::size_t max_lines);
  ~ProgressTable() { clear(); }
  ProgressTable(const ProgressTable&) = delete;
  ProgressTable& operator=(const ProgressTable&) = delete;

  // From any thread.
  void set(const release::ObjectId& object, std::string_view state, std::string_view detail = {});
  void clear();

 private:
  void draw();
  void erase();

  Output* err_;
  std::size_t max_lines_;
  std::mutex mutex_;
  std::map<release::ObjectId, std::pair<std::string, std::string>> rows_;
  std::size_t drawn_ = 0;
};

}  // namespace opm::cli
