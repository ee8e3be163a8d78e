// SPDX-License-Identifier: MIT
#include "trace-io/import/ranks/field_text.hpp"

#include <charconv>

#include "trace-io/check/field_domain.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/walk/request_numbers.hpp"

namespace reprise::trace_io {
namespace {

class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  std::string_view next() {
    const auto begin = text_.find_first_not_of(' ');
    if (begin == std::string_view::npos) return text_ = {};
    text_.remove_prefix(begin);
    const auto word = text_.substr(0, text_.find(' '));
    text_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view text_;
};

std::optional<std::int64_t> number(std::string_view word) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || word.empty()) return {};
  return value;
}

// One field's word as the value that a trace has for it.
class Reader {
 public:
  Reader(ImportedRank& rank, const ImportedJob& job, const Procedure& procedure)
      : rank_(rank), job_(job), fields_(request_fields(procedure)) {}

  bool add(Field field, std::string_view word, std::vector<std::int64_t>& to) {
    if (word.starts_with('r')) {
      const auto id = number(word.substr(1));
      if (!id || *id < 0) return false;
      return add_request(static_cast<std::uint64_t>(*id), to);
    }
    const auto value = number(word);
    if (!value) return false;
    const bool is_comm = field == Field::comm || field == Field::new_comm;
    if (!is_comm || *value < 0) {
      to.push_back(*value);
      return true;
    }
    if (static_cast<std::uint64_t>(*value) >= job_.communicator_count()) return false;
    to.push_back(rank_.communicator(static_cast<std::uint32_t>(*value)));
    return true;
  }

  void finish() {
    std::vector<std::int64_t> ages;
    if (!ended_.empty()) rank_.complete_requests(ended_, ages);
  }

 private:
  using Use = RequestFields::Use;
  bool add_request(std::uint64_t id, std::vector<std::int64_t>& to) {
    if (fields_.use == Use::starts) {
      to.push_back(rank_.start_request(id));
      return true;
    }
    const auto age = rank_.age_of_request(id);
    if (!age) return false;
    to.push_back(*age);
    return true;
  }

 public:
  // A request that the call ends, once the numbers of all are read.
  void ends(std::string_view word) {
    if (word.starts_with('r'))
      if (const auto id = number(word.substr(1))) ended_.push_back(static_cast<std::uint64_t>(*id));
  }
  const RequestFields& requests() const { return fields_; }

 private:
  ImportedRank& rank_;
  const ImportedJob& job_;
  RequestFields fields_;
  std::vector<std::uint64_t> ended_;
};

}  // namespace

bool add_fields_of_text(ImportedRank& rank, const ImportedJob& job, const Procedure& procedure,
                        std::string_view text, ImportedCall& call) {
  Reader reader(rank, job, procedure);
  const RequestFields& requests = reader.requests();
  const bool ends_requests =
      requests.use == RequestFields::Use::completes || requests.completed >= 0;
  Words words(text);
  std::string_view word = words.next();
  int scalar = 0, vector = 0;
  for (const FieldSpec& spec : fields(procedure)) {
    if (!spec.is_vector) {
      if (!reader.add(spec.field, word, call.scalars) ||
          !is_in_domain(procedure, spec, call.scalars.back()))
        return false;
      if (ends_requests && scalar == requests.request) reader.ends(word);
      ++scalar;
      word = words.next();
      continue;
    }
    if (word != "|") return false;
    auto& list = call.add_vector();
    const int ending = requests.completed >= 0 ? requests.completed : requests.requests;
    for (word = words.next(); !word.empty() && word != "|"; word = words.next()) {
      if (list.size() >= static_cast<std::size_t>(kMaxListLength) ||
          !reader.add(spec.field, word, list) || !is_in_domain(procedure, spec, list.back()))
        return false;
      if (ends_requests && vector == ending) reader.ends(word);
    }
    ++vector;
  }
  reader.finish();
  return word.empty();
}

}  // namespace reprise::trace_io
