// SPDX-License-Identifier: MIT
// The child process in which SimGrid reads a platform file (routes_program.cpp), as seen by the one that asks it.
//
// Lifetime  it ends with this object, and with the process that made it however that ends; what a fork inherits of it is left alone
//           there (is_ours()).
// Errors    InputError{FILE, …}: the program is not installed; it has ended, with SimGrid's last words; or it has not answered within
//           kPatience. No crash or hang of SimGrid's reaches the caller.
// Cost      25 ms to start, of which SimGrid's libraries take 20; a question and its answer 10 µs.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

namespace reprise::platforms {

class RoutesProcess {
 public:
  static constexpr std::chrono::seconds kPatience{300};

  // FILE as messages name it, its TEXT, and the folder in which files that it names are.
  RoutesProcess(std::string file, const std::string& text, const std::string& folder);
  ~RoutesProcess();
  RoutesProcess(const RoutesProcess&) = delete;
  RoutesProcess& operator=(const RoutesProcess&) = delete;

  bool is_ours() const;  // false in a process forked from the one that started it
  void ask(const std::string& line);
  std::string answer();  // the next line, without its end

 private:
  [[noreturn]] void fail(const std::string& why);
  [[noreturn]] void tell_end();

  std::string file_;
  int channel_ = -1, words_ = -1;  // a socket; what it writes to stderr
  pid_t process_ = -1, parent_ = -1;
  std::string received_;
  std::size_t begin_ = 0;  // of what has not been answered of it
};

}  // namespace reprise::platforms
