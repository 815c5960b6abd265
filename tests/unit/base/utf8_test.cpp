#include "base/utf8.h"

#include <gtest/gtest.h>

#include "hushwalk/error.h"

namespace hushwalk {
namespace {

TEST(PrintableUtf8, HasNoCharacterThatTurnsTheText) {
  for (const char* text : {"\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067", "\u2068",
                           "\u2069", "\u200E", "\u200F", "\u061C"})
    EXPECT_FALSE(is_printable_utf8(std::string("ann") + text + "bob")) << quotable(text);
  for (const char* text : {"Zoë", "אבג", "ابت", "\u202F", "\u2065", "\u206A", "\u200D", "\u061B", "𝄞"})
    EXPECT_TRUE(is_printable_utf8(text)) << text;
}

TEST(Quotable, WritesWhatIsNotPrintableInHex) {
  EXPECT_EQ(quotable("ann\u202Ebob"), "ann\\xe2\\x80\\xaebob");
  EXPECT_EQ(quotable("a\tb\x1B[2Jc\n"), "a\tb\\x1b[2Jc\\x0a");
  EXPECT_EQ(quotable(std::string(100, 'x'), 10), "xxxxxxxxxx…");
  EXPECT_EQ(quotable("a\rb\r"), "a\\x0db") << "the end of a line is not part of it";
}

// A file can be called anything.
TEST(Errors, MayBeShownOnATerminal) {
  EXPECT_STREQ(Error(ErrorCode::failed, "cannot open 'a\x1B[2J\u202Eb':\nno").what(),
               "cannot open 'a\\x1b[2J\\xe2\\x80\\xaeb':\nno");
}

}  // namespace
}  // namespace hushwalk
