// SPDX-License-Identifier: MIT
// What is said of each file in rejected/, behind the file's name.
#pragma once

#include <array>
#include <string_view>

struct RejectedFile {
  std::string_view name, message;
};

inline constexpr auto kRejectedFiles = std::to_array<RejectedFile>({
    {"array_root", ": expected an object, found a list"},
    {"bare_number",
     " at /network/link/bandwidth: the number 12.5 has no unit\n"
     "  write it as a text with its unit, such as \"12.5 GB/s\""},
    {"bit_or_byte",
     " at /network/link/bandwidth: \"100 Gb/s\" has an unknown unit \"Gb/s\"\n"
     "  write \"Gbit/s\" for bits and \"GB/s\" for bytes"},
    {"cold_caches_after_nothing", " at /mpi/cold_caches/0/after: not above 0"},
    {"cold_caches_not_ascending",
     " at /mpi/cold_caches/1/after: not above the time before it\n"
     "  list the times in ascending order, each once"},
    {"collective_as_number",
     " at /mpi/collectives/allreduce: expected an algorithm's name or a list of rules, found the "
     "number 3"},
    {"collective_misspelt",
     " at /mpi/collectives: unknown key \"alreduce\"\n"
     "  did you mean \"allreduce\"?"},
    {"collective_rule_after_the_last",
     " at /mpi/collectives/allreduce/1/algorithm: the previous rule already covers every size\n  "
     "only the last rule may have no \"up_to\""},
    {"collective_rule_without_algorithm",
     " at /mpi/collectives/allreduce/0: the key \"algorithm\" is missing"},
    {"collective_rules_not_ascending",
     " at /mpi/collectives/allreduce/1/up_to: not above the size before it\n"
     "  list the sizes in ascending order, each once"},
    {"collective_without_rules", " at /mpi/collectives/allreduce: the list is empty"},
    {"comment", ":2:3: invalid literal"},
    {"cores_as_float", " at /nodes/cores: expected a whole number, found the number 2.0"},
    {"duplicate_key",
     ":4:3: the key \"format\" is already in this object\n"
     "  remove one of the two"},
    {"duplicate_nested_key",
     ":2:38: the key \"count\" is already in this object\n"
     "  remove one of the two"},
    {"eager_limit_as_time",
     " at /mpi/eager_limit: \"3 us\" has an unknown unit \"us\"\n"
     "  write a size such as \"64 KiB\" or \"1 MB\""},
    {"empty", ":1:1: expected a value, found the end of the file"},
    {"empty_name", " at /name: the text is empty"},
    {"factor_as_text",
     " at /mpi/latency_factors/0/factor: expected a number, found the text \"0.9x\""},
    {"factor_zero", " at /mpi/latency_factors/0/factor: 0 is not above zero"},
    {"factors_empty", " at /mpi/latency_factors: the list is empty"},
    {"factors_not_ascending",
     " at /mpi/bandwidth_factors/1/from: not above the size before it\n"
     "  list the sizes in ascending order, each once"},
    {"format_2",
     " at /format: format 2 is unknown\n"
     "  this version reads format 1"},
    {"format_fraction", " at /format: expected a whole number, found the number 1.5"},
    {"format_text", " at /format: expected a whole number, found the text \"1\""},
    {"full_duplex_memory",
     " at /intra_node/sharing: unknown value \"full_duplex\"\n"
     "  one of: shared, uncontended"},
    {"half_byte",
     " at /mpi/eager_limit: \"0.5 B\" is not a whole number of bytes\n"
     "  write a size such as \"64 KiB\" or \"1 MB\""},
    {"handshake_as_text",
     " at /mpi/rendezvous_handshake: expected true or false, found the text \"yes\""},
    {"ill_formed_utf8", ":1:13: invalid string: ill-formed UTF-8 byte"},
    {"latency_as_list",
     " at /intra_node/latency: expected a text such as \"0.6 us\", found a list"},
    {"level_sharing",
     " at /network/topology/levels/0/link: unknown key \"sharing\"\n"
     "  known here: bandwidth, latency, source"},
    {"levels_in_star",
     " at /network/topology: unknown key \"levels\"\n"
     "  known here: kind, backbone, source"},
    {"missing_comma", ":3:3: expected ',' or '}', found a string"},
    {"missing_eager_limit", " at /mpi: the key \"eager_limit\" is missing"},
    {"missing_format", ": the key \"format\" is missing"},
    {"missing_kind", " at /network/topology: the key \"kind\" is missing"},
    {"missing_latency", " at /network/link: the key \"latency\" is missing"},
    {"missing_mpi", ": the key \"mpi\" is missing"},
    {"missing_source", ": the key \"source\" is missing"},
    {"misspelt_key",
     " at /network/link: unknown key \"bandwith\"\n"
     "  did you mean \"bandwidth\"?"},
    {"misspelt_topology",
     " at /network/topology/kind: unknown value \"fat-tree\"\n"
     "  did you mean \"fat_tree\"?"},
    {"negative_latency",
     " at /network/link/latency: \"-1 us\" is negative\n"
     "  write a time such as \"0.6 us\" or \"20 ms\""},
    {"negative_nodes", " at /nodes/count: -4 is not between 1 and 1000000"},
    {"nine_levels", " at /network/topology/levels: more than 8 levels"},
    {"no_levels", " at /network/topology/levels: the list is empty"},
    {"no_network",
     " at /nodes/count: 4 nodes, but no network between them\n"
     "  add the key \"network\", or set the count to 1"},
    {"no_unit",
     " at /network/link/bandwidth: \"12.5\" has no unit\n"
     "  write a rate such as \"12.5 GB/s\" or \"100 Gbit/s\""},
    {"nodes_as_list", " at /nodes: expected an object, found a list"},
    {"nodes_as_text", " at /nodes/count: expected a whole number, found the text \"4\""},
    {"not_json", ":1:1: invalid literal"},
    {"number_overflow", ":1:13: number out of range"},
    {"power_below_idle", " at /power/busy: less than an idle node takes"},
    {"price_and_total",
     " at /price/node: cannot be combined with \"total\"\n  give the total, or its parts"},
    {"price_in_two_currencies",
     " at /price/cable: USD beside EUR\n"
     "  give all prices in one currency"},
    {"price_of_nothing",
     " at /price: nothing has a price\n"
     "  give \"total\", or \"node\", \"cable\", \"optics\" and \"switch\""},
    {"price_of_unknown_switches",
     " at /price/switch: their number is missing\n  add \"switches\": their number"},
    {"price_without_currency",
     " at /price/node: \"9000\" has no unit\n"
     "  write an amount and the three capital letters of its currency, such as \"9000 EUR\""},
    {"single_quotes", ":1:3: invalid literal"},
    {"source_empty", " at /source: the text is empty"},
    {"source_no_keys", " at /mpi/source: names no key"},
    {"source_number", " at /mpi/source: expected a text or an object of texts, found the number 7"},
    {"source_of_nothing",
     " at /nodes/source: unknown key \"speed\"\n"
     "  known here: core_speed, cores, count, memory_bandwidth, names, relative_speed, sockets"},
    {"storage_kind",
     " at /storage/kind: unknown value \"local\"\n"
     "  one of: shared, per_node"},
    {"storage_misspelt_key",
     " at /storage: unknown key \"read_bandwith\"\n"
     "  known here: kind, read_bandwidth, write_bandwidth, latency, metadata_latency, "
     "operation_cost, per_client_bandwidth, source"},
    {"storage_no_latency", " at /storage: the key \"latency\" is missing"},
    {"storage_zero_bandwidth", " at /storage/write_bandwidth: \"0 B/s\" is not above zero"},
    {"too_deep", ":1:65: more than 64 nested objects and arrays"},
    {"too_many_nodes", " at /nodes/count: 1000001 is not between 1 and 1000000"},
    {"topology_as_text", " at /network/topology: expected an object, found the text \"star\""},
    {"trailing_comma", ":2:14: a comma before '}', which JSON does not allow\n  take it out"},
    {"trailing_text", ":2:1: expected nothing after the value, found '{'"},
    {"tree_too_large", " at /network/topology/levels: the tree has more than 10000000 cables"},
    {"tree_too_small",
     " at /network/topology/levels: the tree has room for 4 nodes, but /nodes/count is 5\n"
     "  the room is the product of \"down\" over the levels"},
    {"truncated", ":3:14: expected ',' or '}', found the end of the file"},
    {"unclosed_text",
     ":1:13: invalid string: control character U+000A (LF) must be escaped to \\u000A or \\n"},
    {"unknown_key",
     ": unknown key \"networks\"\n"
     "  known here: format, name, source, nodes, intra_node, mpi, network, storage, $schema"},
    {"unknown_key_no_slip",
     " at /mpi: unknown key \"progress_thread\"\n"
     "  known here: eager_limit, send_overhead, recv_overhead, rendezvous_handshake, "
     "rendezvous_head, copy_bandwidth, copy_factors, progress, "
     "latency_factors, bandwidth_factors, factors_apply_to, acknowledgements, cold_caches, "
     "reduction_bandwidth, "
     "reduction_factors, uncertainty, collectives, source"},
    {"unknown_level_key",
     " at /network/topology/levels/1: unknown key \"paralel\"\n"
     "  did you mean \"parallel\"?"},
    {"unknown_sharing",
     " at /network/link/sharing: unknown value \"half_duplex\"\n"
     "  did you mean \"full_duplex\"?"},
    {"unknown_topology",
     " at /network/topology/kind: unknown value \"hypercube\"\n"
     "  one of: star, fat_tree, torus, dragonfly"},
    {"zero_bandwidth", " at /network/link/bandwidth: \"0 GB/s\" is not above zero"},
    {"zero_nodes", " at /nodes/count: 0 is not between 1 and 1000000"},
    {"zero_ports", " at /network/topology/levels/0/up: 0 is not between 1 and 65536"},
});
