// SPDX-License-Identifier: MIT
// Two traces of disjoint rank sets become one.
//
// What    tables (procedures, modules, call paths, sites, communicators) are united and renumbered; programs are aligned: equal
//         nodes become one with the union of the ranks; loops whose bodies resemble each other are merged by aligning the bodies;
//         nodes that only one side has are kept with their own rank list, in an order that both sides agree with.
//         Field values that both sides see alike (in absolute, relative or exclusive-or form) become one entry, others stay apart.
//         Lossless: every rank of the result decodes to exactly the events it had before.
// Cost    linear in the sizes of the folded programs where they are alike; alignment of unlike parts is bounded (kAlignWork), and
//         beyond the bound the parts are kept side by side.
// Source  Noeth et al., IPDPS 2007; Ratn et al., ICS 2008 (inter-node merge), with alignment by an O(ND) difference (Myers 1986).
#pragma once

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// REQUIRES: the traces are of one job (equal header.ranks, timing, clock, bins) and their `recorded` ranks are disjoint.
// Throws InputError where they are not (names the differing setting). The result is finalized (finalize.hpp) when all ranks are in;
// whoever stops earlier finalizes it.
Trace merge(Trace a, Trace b);
// The same, not finalized.
Trace unite(Trace a, Trace b);

}  // namespace reprise::trace_io
