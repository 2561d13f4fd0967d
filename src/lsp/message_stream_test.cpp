#include "lsp/message_stream.h"

#include <gtest/gtest.h>

namespace opm::lsp {
namespace {

using Outcome = MessageStream::Outcome;

TEST(MessageStream, GivesMessagesAsTheyComplete) {
  MessageStream stream;
  std::string bytes = framed("{}") + framed("[1]");
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) stream.feed(bytes.substr(i, 1));
  EXPECT_EQ(stream.next().body, "{}");
  EXPECT_EQ(stream.next().outcome, Outcome::incomplete);
  stream.feed("]");
  EXPECT_EQ(stream.next().body, "[1]");
  EXPECT_EQ(stream.next().outcome, Outcome::incomplete);
}

TEST(MessageStream, KnowsOtherHeaders) {
  MessageStream stream;
  stream.feed("Content-Type: x; charset=utf-8\r\ncontent-length:  2 \r\n\r\n{}");
  EXPECT_EQ(stream.next().body, "{}");
}

TEST(MessageStream, SkipsWhatIsTooLarge) {
  MessageStream stream(4);
  stream.feed("Content-Length: 5\r\n\r\n123");
  EXPECT_EQ(stream.next().outcome, Outcome::too_large);
  EXPECT_EQ(stream.next().outcome, Outcome::incomplete);
  stream.feed("45" + framed("{}"));
  EXPECT_EQ(stream.next().body, "{}");
}

TEST(MessageStream, IsBrokenForGoodByBadHeaders) {
  for (const char* headers :
       {"nonsense\r\n\r\n", "Content-Length: -2\r\n\r\n{}", "Content-Length: 2x\r\n\r\n{}", "A: b\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "Content-Length: 99999999999999999999999\r\n\r\n"}) {
    MessageStream stream;
    stream.feed(headers);
    EXPECT_EQ(stream.next().outcome, Outcome::broken) << headers;
    stream.feed(framed("{}"));
    EXPECT_EQ(stream.next().outcome, Outcome::broken) << headers;
  }
  MessageStream endless;
  endless.feed(std::string(MessageStream::kMaxHeaderBytes, 'x'));
  EXPECT_EQ(endless.next().outcome, Outcome::broken);
}

}  // namespace
}  // namespace opm::lsp
