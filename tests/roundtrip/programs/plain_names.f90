! SPDX-License-Identifier: MIT
! A ring, compiled by a compiler that puts no underscore behind names (gfortran -fno-underscoring). Without MPI_IN_PLACE and
! MPI_STATUS_IGNORE, whose addresses Open MPI's library does not know then.
      program plain_names
      implicit none
      include 'mpif.h'
      integer :: rank, ranks, left, right, round, bad, total, got, own, ierr
      integer :: requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierr)
      right = mod(rank + 1, ranks)
      left = mod(rank + ranks - 1, ranks)
      bad = 0
      do round = 1, 10
        own = rank + 1
        call MPI_ALLREDUCE(own, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
        if (total .ne. ranks * (ranks + 1) / 2) bad = bad + 1
        got = -1
        call MPI_IRECV(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), ierr)
        call MPI_ISEND(rank, 1, MPI_INTEGER, right, round, MPI_COMM_WORLD, requests(2), ierr)
        call MPI_WAITALL(2, requests, statuses, ierr)
        if (got .ne. left) bad = bad + 1
        call MPI_SENDRECV(rank, 1, MPI_INTEGER, right, 50, got, 1, MPI_INTEGER, left, 50, MPI_COMM_WORLD, status, ierr)
        if (got .ne. left .or. status(MPI_SOURCE) .ne. left) bad = bad + 1
      end do
      call MPI_ALLREDUCE(bad, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
      call MPI_FINALIZE(ierr)
      if (rank .eq. 0 .and. total .eq. 0) print '(a)', 'plain_names: ok'
      if (rank .eq. 0 .and. total .ne. 0) print '(a,i0)', 'failed checks: ', total
      end program
