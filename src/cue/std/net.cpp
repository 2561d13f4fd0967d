// The package net. Addresses may be strings, bytes that hold their text, or lists of bytes.
#include <optional>

#include "cue/eval/text.h"
#include "cue/std/bind.h"
#include "cue/std/ip_address.h"
#include "cue/std/packages.h"
#include "cue/std/url.h"

namespace opm::cue::standard {
namespace {

using eval::ValueKind;

// Both give nothing and set `failure` where the value stands for no address.
std::optional<IpAddress> address_of(Call& call, const Value& value, Value& failure) {
  Result<IpAddress> address;
  if (value.kind == ValueKind::string || value.kind == ValueKind::bytes) {
    address = IpAddress::parse(value.string());
  } else if (eval::kinds_of(value) == kinds::list) {
    std::vector<std::uint8_t> bytes;
    for (const Value& element : call.elements(value)) {
      auto byte = element.is_number() && element.number->is_int() ? element.number->to_int64() : std::nullopt;
      if (!byte) {
        failure = call.error("cannot use value {} (type {}) as int", {element, Argument::of_kinds(eval::kinds_of(element))});
        return std::nullopt;
      }
      if (*byte < 0 || *byte > 255) {
        failure = call.error("invalid IP byte value {}", {*byte});
        return std::nullopt;
      }
      bytes.push_back(static_cast<std::uint8_t>(*byte));
    }
    address = IpAddress::from_bytes(bytes);
  } else {
    failure = call.error("invalid type {} for IP address", {Argument::of_kinds(eval::kinds_of(value))});
    return std::nullopt;
  }
  if (!address) {
    failure = call.error_text(address.error());
    return std::nullopt;
  }
  return *address;
}

std::optional<IpNetwork> network_of(Call& call, const Value& value, Value& failure) {
  if (value.kind != ValueKind::string && value.kind != ValueKind::bytes) {
    failure = call.error("invalid type {} for IP CIDR", {Argument::of_kinds(eval::kinds_of(value))});
    return std::nullopt;
  }
  auto network = IpNetwork::parse(value.string());
  if (!network) {
    failure = call.error_text(network.error());
    return std::nullopt;
  }
  return *network;
}

template <bool (IpAddress::*test)() const>
Value tests_address(Call& call) {
  Value failure;
  auto address = address_of(call, call.value(0), failure);
  return address ? call.make_bool(((*address).*test)()) : failure;
}

Value is_address(Call& call) {
  Value failure;
  return address_of(call, call.value(0), failure) ? call.make_bool(true) : failure;
}

Value is_network(Call& call) {
  Value failure;
  return network_of(call, call.value(0), failure) ? call.make_bool(true) : failure;
}

Value byte_list(Call& call, std::span<const std::uint8_t> bytes) {
  std::vector<Value> values;
  for (std::uint8_t byte : bytes) values.push_back(call.make_int(byte));
  return call.make_list(values);
}

Value parse_address(Call& call) {
  std::string_view text = call.string(0);
  if (call.failed()) return call.failure();
  auto address = IpAddress::parse(text);
  if (!address) return call.error("invalid IP address {}", {call.value(0)});
  return byte_list(call, address->bytes());
}

Value to_v4(Call& call) {
  Value failure;
  auto address = address_of(call, call.value(0), failure);
  if (!address) return failure;
  if (!address->is_v4()) return call.error_text("cannot convert \"" + address->text() + "\" to IPv4");
  return byte_list(call, address->bytes());
}

Value to_v6(Call& call) {
  Value failure;
  auto address = address_of(call, call.value(0), failure);
  return address ? byte_list(call, address->as_v6()) : failure;
}

Value address_text(Call& call) {
  Value failure;
  auto address = address_of(call, call.value(0), failure);
  return address ? call.make_string(address->text()) : failure;
}

Value shifted_network(Call& call, const IpNetwork& network, const Integer& offset) {
  auto address = network.address.plus(offset);
  if (!address) return call.error_text(address.error());
  return call.make_string(IpNetwork{*address, network.prefix}.text());
}

Value add_to_address(Call& call) {
  Integer offset = integer_argument(call, 1);
  if (call.failed()) return call.failure();
  Value failure;
  if (auto network = network_of(call, call.value(0), failure)) return shifted_network(call, *network, offset);
  auto address = address_of(call, call.value(0), failure);
  if (!address) return failure;
  auto sum = address->plus(offset);
  return sum ? call.make_string(sum->text()) : call.error_text(sum.error());
}

// By whole networks of the same size.
Value add_to_network(Call& call) {
  Integer offset = integer_argument(call, 1);
  if (call.failed()) return call.failure();
  Value failure;
  auto network = network_of(call, call.value(0), failure);
  if (!network) return failure;
  mpz_mul_2exp(offset, offset, static_cast<mp_bitcnt_t>(network->address.bits() - network->prefix));
  return shifted_network(call, *network, offset);
}

Value parse_network(Call& call) {
  std::string_view text = call.string(0);
  if (call.failed()) return call.failure();
  auto network = IpNetwork::parse(text);
  if (!network) return call.error_text(network.error());
  std::vector<std::pair<std::string, Value>> fields = {
      {"prefix_mask", call.make_string(network->mask().text())},
      {"prefix_len", call.make_int(network->prefix)},
      {"prefix_addr", call.make_string(network->first().text())},
  };
  if (network->address.is_v4()) fields.emplace_back("broadcast_addr", call.make_string(network->last().text()));
  return call.make_struct(fields);
}

Value in_network(Call& call) {
  Value failure;
  auto address = address_of(call, call.value(0), failure);
  if (!address) return failure;
  auto network = network_of(call, call.value(1), failure);
  return network ? call.make_bool(network->contains(*address)) : failure;
}

Value compare_addresses(Call& call) {
  Value failure;
  auto first = address_of(call, call.value(0), failure);
  if (!first) return failure;
  auto second = address_of(call, call.value(1), failure);
  return second ? call.make_int(IpAddress::compare(*first, *second)) : failure;
}

// As a list is written in a file, unlike in other messages.
std::string list_text(Call& call, const Value& list) {
  std::string text;
  for (const Value& element : call.elements(list)) {
    text += (text.empty() ? "" : ", ") + eval::value_text(call.evaluator(), element);
  }
  return "[" + text + "]";
}

Value join_host_port(Call& call) {
  const Value& host = call.value(0);
  const Value& port = call.value(1);
  std::string host_text, port_text;
  if (host.kind == ValueKind::string || host.kind == ValueKind::bytes) {
    host_text = host.string();
  } else if (eval::kinds_of(host) == kinds::list) {
    Value failure;
    auto address = address_of(call, host, failure);
    if (!address) return call.error_text("invalid host " + list_text(call, host));
    host_text = address->text();
  } else {
    return call.error("cannot use value {} (type {}) as string", {host, Argument::of_kinds(eval::kinds_of(host))});
  }
  if (port.kind == ValueKind::string || port.kind == ValueKind::bytes) {
    port_text = port.string();
  } else if (auto number = port.is_number() && port.number->is_int() ? port.number->to_int64() : std::nullopt) {
    port_text = std::to_string(*number);
  } else {
    return call.error("cannot use value {} (type {}) as int", {port, Argument::of_kinds(eval::kinds_of(port))});
  }
  return call.make_string(url::join_host_port(host_text, port_text));
}

Result<bool> is_url(std::string_view text) {
  auto checked = url::check(text);
  if (!checked) return wrong(checked.error());
  return true;
}

Result<bool> is_absolute_url(std::string_view text) {
  auto checked = url::check(text);
  if (!checked) return wrong(checked.error());
  if (!checked->is_absolute) return wrong("URL is not absolute");
  return true;
}

}  // namespace

StandardPackage net_package() {
  auto test = [](std::string_view name, eval::BuiltinFunction function) {
    return define(name, {kinds::top}, kinds::boolean, function);
  };
  return make_package("net", {
    bind<url::split_host_port>("SplitHostPort"),
    define("JoinHostPort", {kinds::top, kinds::top}, kinds::string, join_host_port),
    bind<url::is_domain_name>("FQDN"),
    define("ParseIP", {kinds::string}, kinds::list, parse_address),
    test("IPv4", tests_address<&IpAddress::is_v4>),
    test("IPv6", tests_address<&IpAddress::is_v6>),
    test("IP", is_address),
    test("IPCIDR", is_network),
    test("LoopbackIP", tests_address<&IpAddress::is_loopback>),
    test("MulticastIP", tests_address<&IpAddress::is_multicast>),
    test("InterfaceLocalMulticastIP", tests_address<&IpAddress::is_interface_local_multicast>),
    test("LinkLocalMulticastIP", tests_address<&IpAddress::is_link_local_multicast>),
    test("LinkLocalUnicastIP", tests_address<&IpAddress::is_link_local_unicast>),
    test("GlobalUnicastIP", tests_address<&IpAddress::is_global_unicast>),
    test("UnspecifiedIP", tests_address<&IpAddress::is_unspecified>),
    define("ToIP4", {kinds::top}, kinds::list, to_v4),
    define("ToIP16", {kinds::top}, kinds::list, to_v6),
    define("IPString", {kinds::top}, kinds::string, address_text),
    define("AddIP", {kinds::top, kinds::integer}, kinds::string, add_to_address),
    define("AddIPCIDR", {kinds::top, kinds::integer}, kinds::string, add_to_network),
    define("ParseCIDR", {kinds::string}, kinds::structure, parse_network),
    define("InCIDR", {kinds::top, kinds::top}, kinds::boolean, in_network),
    define("CompareIP", {kinds::top, kinds::top}, kinds::integer, compare_addresses),
    bind<url::escape_path_segment>("PathEscape"),
    bind<url::unescape_path>("PathUnescape"),
    bind<url::escape_query>("QueryEscape"),
    bind<url::unescape_query>("QueryUnescape"),
    bind<is_url>("URL"),
    bind<is_absolute_url>("AbsURL"),
  }, "IPv4len: 4\nIPv6len: 16\n");
}

}  // namespace opm::cue::standard
