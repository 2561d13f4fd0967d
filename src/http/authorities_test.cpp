#include "http/authorities.h"

#include <gtest/gtest.h>

#include <fstream>

namespace opm::http {
namespace {

TEST(Authorities, AreTheFirstThatCanBeRead) {
  std::string here = testing::TempDir() + "authorities.pem";
  std::ofstream(here) << "-";
  const std::string_view files[] = {"/nonexistent/a.pem", here, "/etc/passwd"};
  EXPECT_EQ(system_authorities(files), here);
  EXPECT_EQ(system_authorities(std::span(files).first(1)), "");
}

}  // namespace
}  // namespace opm::http
