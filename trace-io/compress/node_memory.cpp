// SPDX-License-Identifier: MIT
// Where nodes of programs are: beside each other, in the order in which they were made.
//
// Why    a call touches two or three lines of its leaf, and the leaves of a loop follow each other as they were made. Among what each has elsewhere (bins,
//        sequences, orders) a leaf had a page of its own: at 20 000 sites each call missed the TLB, which in a virtual machine takes two walks
//        through page tables, and no hardware prefetcher crosses a page. Sixteen leaves share a page now.
// Cost   a lock and a few instructions. What is given back waits for the next node, of whatever thread, and never for anything else.
#include <boost/pool/pool.hpp>
#include <cstddef>
#include <mutex>
#include <new>

#include "trace-io/compress/fold_node.hpp"

namespace reprise::trace_io {
namespace {

struct AlignedBlocks {
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  static char* malloc(size_type bytes) {
    return static_cast<char*>(
        ::operator new (bytes, std::align_val_t{alignof(FoldNode)}, std::nothrow));
  }
  static void free(char* block) { ::operator delete (block, std::align_val_t{alignof(FoldNode)}); }
};

constexpr unsigned kNodesFirst = 16, kMostNodes = 256;  // nodes in a block

struct NodePool {
  std::mutex mutex;
  boost::pool<AlignedBlocks> nodes{sizeof(FoldNode), kNodesFirst, kMostNodes};
};
// Never destroyed: nodes may outlive any static object, and to have it done takes memory of the application's heap.
NodePool& node_pool() {
  static NodePool& pool = *new NodePool;
  return pool;
}

}  // namespace

void* FoldNode::operator new(std::size_t, std::align_val_t) {
  NodePool& pool = node_pool();
  const std::lock_guard lock(pool.mutex);
  void* const node = pool.nodes.malloc();
  if (node == nullptr) throw std::bad_alloc();
  return node;
}
void FoldNode::operator delete(void* node, std::align_val_t) noexcept {
  NodePool& pool = node_pool();
  const std::lock_guard lock(pool.mutex);
  pool.nodes.free(node);
}

}  // namespace reprise::trace_io
