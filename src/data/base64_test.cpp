#include "data/base64.h"

#include <gtest/gtest.h>

namespace opm::data {
namespace {

TEST(Base64Test, EncodesAndDecodesEveryLength) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    std::string text;
    append_base64(text, bytes);
    EXPECT_EQ(text.size() % 4, 0u);
    EXPECT_EQ(decode_base64(text), bytes);
    bytes.push_back(static_cast<char>(i * 7));
  }
  std::string text;
  append_base64(text, "hello");
  EXPECT_EQ(text, "aGVsbG8=");
}

TEST(Base64Test, SkipsLineBreaksOnly) {
  EXPECT_EQ(decode_base64("aGVs\nbG8=\r\n"), "hello");
  for (std::string_view text : {"a", "ab", "abc", "ab=", "a===", "====", "ab==c", "ab c", "ab=\n=x", "aGVsbG8==", "é==="}) {
    EXPECT_FALSE(decode_base64(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace opm::data
