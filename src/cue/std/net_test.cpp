#include "cue/std/evaluate_fixture.h"

namespace opm::cue::standard {
namespace {

TEST(Net, Addresses) {
  expect_all({"net"}, {
    {R"(net.ParseIP("127.0.0.1"))", "[127,0,0,1]"},
    {R"(net.ParseIP("x"))", R"(error: error in call to net.ParseIP: invalid IP address "x")"},
    {R"(net.IPv4("192.168.0.1"))", "true"},
    {R"(net.IPv4("::1"))", "false"},
    {R"(net.IPv6("::ffff:1.2.3.4"))", "true"},
    {R"(net.IP([1, 2, 3, 4]))", "true"},
    {R"(net.LoopbackIP("::ffff:127.0.0.1"))", "true"},
    {R"(net.MulticastIP("224.0.0.5"))", "true"},
    {R"(net.InterfaceLocalMulticastIP("ff01::1"))", "true"},
    {R"(net.LinkLocalMulticastIP("ff02::1"))", "true"},
    {R"(net.LinkLocalUnicastIP("169.254.1.1"))", "true"},
    {R"(net.GlobalUnicastIP("10.0.0.1"))", "true"},
    {R"(net.GlobalUnicastIP("255.255.255.255"))", "false"},
    {R"(net.UnspecifiedIP("::"))", "true"},
    {R"(net.ToIP4("1.2.3.4"))", "[1,2,3,4]"},
    {R"(net.ToIP4("::1"))", R"(error: error in call to net.ToIP4: cannot convert "::1" to IPv4)"},
    {R"(net.ToIP16("1.2.3.4"))", "[0,0,0,0,0,0,0,0,0,0,255,255,1,2,3,4]"},
  });
}

TEST(Net, AddressText) {
  expect_all({"net"}, {
    {R"(net.IPString("2001:DB8:0:0:1:0:0:1"))", R"("2001:db8::1:0:0:1")"},
    {R"(net.IPString("1:0:0:2:0:0:0:3"))", R"("1:0:0:2::3")"},
    {R"(net.IPString("::"))", R"("::")"},
    {R"(net.IPString("1::"))", R"("1::")"},
    {R"(net.IPString("::1"))", R"("::1")"},
    {R"(net.IPString("1:2:3:4:5:6:7:8"))", R"("1:2:3:4:5:6:7:8")"},
    {R"(net.IPString("0:1:2:3:4:5:6:7"))", R"("0:1:2:3:4:5:6:7")"},
    {R"(net.IPString("::ffff:1.2.3.4"))", R"("::ffff:1.2.3.4")"},
    {R"(net.IPString("fe80::1%eth0"))", R"("fe80::1%eth0")"},
    {R"(net.IPString([32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))", R"("2001:db8::1")"},
  });
}

// The messages are those of CUE 0.17, which says more than 0.15.
TEST(Net, BadAddresses) {
  auto message = [](std::string_view text) {
    return evaluate(fmt::format("net.IP({})", text), {"net"});
  };
  EXPECT_EQ(message("\"1.2.3\""), R"(error: error in call to net.IP: ParseAddr("1.2.3"): IPv4 address too short)");
  EXPECT_EQ(message("\"1.2.3.4.5\""), R"(error: error in call to net.IP: ParseAddr("1.2.3.4.5"): IPv4 address too long)");
  EXPECT_EQ(message("\"1.02.3.4\""), R"(error: error in call to net.IP: ParseAddr("1.02.3.4"): IPv4 field has octet with leading zero)");
  EXPECT_EQ(message("\"1..3.4\""),
            R"(error: error in call to net.IP: ParseAddr("1..3.4"): IPv4 field must have at least one digit (at ".3.4"))");
  EXPECT_EQ(message("\"1::2::3\""), R"(error: error in call to net.IP: ParseAddr("1::2::3"): multiple :: in address (at ":3"))");
  EXPECT_EQ(message("\"1:2:3:4:5:6:7\""), R"(error: error in call to net.IP: ParseAddr("1:2:3:4:5:6:7"): address string too short)");
  EXPECT_EQ(message("\"1:2:3:4:5:6:7::8\""),
            R"(error: error in call to net.IP: ParseAddr("1:2:3:4:5:6:7::8"): the :: must expand to at least one field of zeros)");
  EXPECT_EQ(message("[1, 2]"), "error: error in call to net.IP: invalid IP length 2");
  EXPECT_EQ(message("[1, 2, 3, 256]"), "error: error in call to net.IP: invalid IP byte value 256");
  EXPECT_EQ(message("3"), "error: error in call to net.IP: invalid type int for IP address");
}

TEST(Net, Networks) {
  expect_all({"net"}, {
    {R"(net.IPCIDR("192.168.1.0/24"))", "true"},
    {R"(net.IPCIDR("172.16.12.3"))", R"(error: error in call to net.IPCIDR: netip.ParsePrefix("172.16.12.3"): no '/')"},
    {R"(net.IPCIDR("1.2.3.4/33"))", R"(error: error in call to net.IPCIDR: netip.ParsePrefix("1.2.3.4/33"): prefix length out of range)"},
    {R"(net.IPCIDR("1.2.3.4/08"))", R"(error: error in call to net.IPCIDR: netip.ParsePrefix("1.2.3.4/08"): bad bits after slash: "08")"},
    {R"(net.AddIP("127.0.0.1", 1))", R"("127.0.0.2")"},
    {R"(net.AddIP("10.0.0.255/8", 1))", R"("10.0.1.0/8")"},
    {R"(net.AddIP("2001:db8::", -1))", R"("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff")"},
    {R"(net.AddIP("255.255.255.255", 1))",
     "error: error in call to net.AddIP: IP address arithmetic resulted in out-of-range address (overflow)"},
    {R"(net.AddIPCIDR("192.168.0.0/23", 1))", R"("192.168.2.0/23")"},
  });
  EXPECT_EQ(evaluate(R"(net.InCIDR("10.1.2.3", "10.0.0.0/8"))", {"net"}), "true");
  EXPECT_EQ(evaluate(R"(net.InCIDR("11.1.2.3", "10.0.0.0/8"))", {"net"}), "false");
  EXPECT_EQ(evaluate(R"(net.InCIDR("::1", "10.0.0.0/8"))", {"net"}), "false");
  EXPECT_EQ(evaluate(R"(net.CompareIP("10.0.0.2", "::1"))", {"net"}), "-1");
  EXPECT_EQ(evaluate(R"(net.ParseCIDR("10.20.30.40/20"))", {"net"}),
            R"({prefix_mask:"255.255.240.0",prefix_len:20,prefix_addr:"10.20.16.0",broadcast_addr:"10.20.31.255"})");
  EXPECT_EQ(evaluate(R"(net.ParseCIDR("2001:db8::1/32"))", {"net"}),
            R"({prefix_mask:"ffff:ffff::",prefix_len:32,prefix_addr:"2001:db8::"})");
}

TEST(Net, HostsAndPorts) {
  expect_all({"net"}, {
    {R"(net.SplitHostPort("[::%lo0]:80"))", R"(["::%lo0","80"])"},
    {R"(net.SplitHostPort("a.b:"))", R"(["a.b",""])"},
    {R"(net.SplitHostPort("a.b"))", "error: error in call to net.SplitHostPort: address a.b: missing port in address"},
    {R"(net.SplitHostPort("a:b:1"))", "error: error in call to net.SplitHostPort: address a:b:1: too many colons in address"},
    {R"(net.JoinHostPort("mod.test", "80"))", R"("mod.test:80")"},
    {R"(net.JoinHostPort("::1", 80))", R"("[::1]:80")"},
    {R"(net.JoinHostPort([192, 30, 4, 2], 80))", R"("192.30.4.2:80")"},
    {R"(net.FQDN("foo.bar"))", "true"},
    {R"(net.FQDN("foo..bar"))", "false"},
    {R"(net.FQDN("-foo.bar"))", "false"},
    {R"(net.FQDN("xn--mnchen-3ya.de"))", "true"},
    {R"(net.FQDN("münchen.de"))", "false"},
    {R"(net.FQDN(""))", "false"},
  });
  EXPECT_EQ(evaluate(R"(net.FQDN("foo.bar."))", {"net"}), "true");
  EXPECT_EQ(evaluate(R"(net.FQDN("under_score.bar"))", {"net"}), "false");
  EXPECT_EQ(evaluate(R"(net.FQDN("xn--a.de"))", {"net"}), "false");
}

TEST(Net, Urls) {
  expect_all({"net"}, {
    {R"(net.PathEscape("a b/c?d;e:@$"))", R"("a%20b%2Fc%3Fd%3Be:@$")"},
    {R"(net.PathUnescape("a%20b+c"))", R"("a b+c")"},
    {R"(net.PathUnescape("%zz"))", R"(error: error in call to net.PathUnescape: invalid URL escape "%zz")"},
    {R"(net.QueryEscape("a b/ü~"))", R"("a+b%2F%C3%BC~")"},
    {R"(net.QueryUnescape("a+b%25"))", R"("a b%")"},
    {R"(net.URL("https://foo.com:80/bar?q#f"))", "true"},
    {R"(net.URL("http://[::1]:80/"))", "true"},
    {R"(net.URL("mailto:a@b"))", "true"},
    {R"(net.URL("%"))", R"(error: error in call to net.URL: parse "%": invalid URL escape "%")"},
    {R"(net.URL(":foo"))", R"(error: error in call to net.URL: parse ":foo": missing protocol scheme)"},
    {R"(net.URL("a_b:c"))", R"(error: error in call to net.URL: parse "a_b:c": first path segment in URL cannot contain colon)"},
    {R"(net.URL("http://a:b/"))", R"(error: error in call to net.URL: parse "http://a:b/": invalid port ":b" after host)"},
    {R"(net.URL("http://a b/"))", R"(error: error in call to net.URL: parse "http://a b/": invalid character " " in host name)"},
    {R"(net.URL("http://u^@h/"))", R"(error: error in call to net.URL: parse "http://u^@h/": net/url: invalid userinfo)"},
    {R"(net.URL("http://[::1/"))", R"(error: error in call to net.URL: parse "http://[::1/": missing ']' in host)"},
    {R"(net.URL("a\n"))", R"(error: error in call to net.URL: parse "a\n": net/url: invalid control character in URL)"},
    {R"(net.AbsURL("https://foo.com/bar"))", "true"},
    {R"(net.AbsURL("/foo/bar"))", "error: error in call to net.AbsURL: URL is not absolute"},
    {R"("/foo" & net.AbsURL)", R"(error: invalid value "/foo" (does not satisfy net.AbsURL): URL is not absolute)"},
  });
}

}  // namespace
}  // namespace opm::cue::standard
