! SPDX-License-Identifier: MIT
! The same through the mpi module.
      program use_mpi_program
      use mpi
      implicit none
      integer :: rank, ranks, left, right, round, bad, total, got, number, place, ierr
      integer :: other, requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
      call MPI_INIT(ierr)
      include 'fortran_body.inc'
      if (rank .eq. 0 .and. total .eq. 0) print '(a)', 'use_mpi: ok'
      if (rank .eq. 0 .and. total .ne. 0) print '(a,i0)', 'failed checks: ', total
      end program
