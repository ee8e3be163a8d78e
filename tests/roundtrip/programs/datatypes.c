/* SPDX-License-Identifier: MIT
 * Messages in derived datatypes: what counts is the bytes that travel, not the extent. A column of a matrix, a struct with a gap,
 * an indexed type, packed bytes. */
#include <stddef.h>

#include "ring.h"

enum { kEdge = 8, kRounds = 10 };
typedef struct {
  char letter;
  double number;
} Pair;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  find_ring();
  MPI_Datatype column, pair, tight, some;
  MPI_Type_vector(kEdge, 1, kEdge, MPI_DOUBLE, &column); /* 64 bytes */
  int lengths[2] = {1, 1}, blocks[2] = {1, 2}, places[2] = {0, 4};
  MPI_Aint at[2] = {offsetof(Pair, letter), offsetof(Pair, number)};
  MPI_Datatype parts[2] = {MPI_CHAR, MPI_DOUBLE};
  MPI_Type_create_struct(2, lengths, at, parts, &tight);
  MPI_Type_create_resized(tight, 0, sizeof(Pair), &pair); /* 9 bytes in 16 */
  MPI_Type_indexed(2, blocks, places, MPI_INT, &some);    /* 12 bytes in 24 */
  MPI_Type_commit(&column);
  MPI_Type_commit(&pair);
  MPI_Type_commit(&some);
  double matrix[kEdge][kEdge], got[kEdge];
  Pair out[3], in[3];
  int words[6] = {rank, 0, 0, 0, rank, rank}, read[6] = {-1, -1, -1, -1, -1, -1};
  for (int i = 0; i < kEdge; ++i)
    for (int j = 0; j < kEdge; ++j) matrix[i][j] = rank * 100 + i * 10 + j;
  for (int i = 0; i < 3; ++i) out[i] = (Pair){'a', rank};
  for (int round = 0; round < kRounds; ++round) {
    MPI_Sendrecv(&matrix[0][2], 1, column, right, 1, got, kEdge, MPI_DOUBLE, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(got[3] == left * 100 + 32);
    MPI_Sendrecv(out, 3, pair, right, 2, in, 3, pair, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    EXPECT(in[2].number == left && in[1].letter == 'a');
    MPI_Sendrecv(words, 1, some, right, 3, read, 1, some, left, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    EXPECT(read[5] == left && read[1] == -1);
  }
  char packed[64], unpacked[64];
  int position = 0;
  MPI_Pack(&rank, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
  MPI_Sendrecv(packed, position, MPI_PACKED, right, 4, unpacked, sizeof unpacked, MPI_PACKED, left,
               4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&column);
  MPI_Type_free(&tight);
  MPI_Type_free(&pair);
  MPI_Type_free(&some);
  finish("datatypes");
  return 0;
}
