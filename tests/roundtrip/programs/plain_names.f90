! SPDX-License-Identifier: MIT
! As mpif_h.f90, compiled by a compiler that puts no underscore behind names (gfortran -fno-underscoring).
      program plain_names
      implicit none
      include 'mpif.h'
      integer :: rank, ranks, left, right, round, bad, total, got, number, place, ierr
      integer :: other, requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
      call MPI_INIT(ierr)
      include 'fortran_body.inc'
      if (rank .eq. 0 .and. total .eq. 0) print '(a)', 'plain_names: ok'
      if (rank .eq. 0 .and. total .ne. 0) print '(a,i0)', 'failed checks: ', total
      end program
